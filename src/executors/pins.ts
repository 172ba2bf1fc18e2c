import { readFileSync, writeFileSync } from 'node:fs';
import type { Pin } from '../contracts/variant.ts';
import { InputError } from '../errors.ts';
import { processorsIn } from '../machine/processors.ts';
import { askProgram } from '../processes/ask-program.ts';
import { ordinaryPriority } from '../system/priority.ts';
import { listed } from '../text/plain.ts';

export const NO_PIN: Pin = { cpus: null, nice: null };

/** Processors that this process had before it took others; null: it has not taken any. */
let before: string | null = null;

/** Words in front of a command on the host, which must not inherit the settings of joulediff itself. */
export function pinWords({ cpus, nice }: Pin): string[] {
  const list = cpus ?? before;
  return [
    ...(nice === null ? [] : ['nice', '-n', String(nice - ordinaryPriority())]),
    ...(list === null ? [] : ['taskset', '--cpu-list', list]),
  ];
}

/**
 * Sets the nice value of a session's autogroup (sched(7)). Every command on the host has a session, and the kernel's autogroups share a processor
 * equally, whatever the nice values inside them. To be called when the session exists.
 */
export function pinSession(pid: number | undefined, { nice }: Pin): void {
  if (nice === null || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice), { flag: 'r+' });
  } catch {
    // The kernel has no autogroups, or the process is gone; then only the nice value counts.
  }
}

/** Processors and nice value, as facts to record. */
export const pinFacts = ({ cpus, nice }: Pin = NO_PIN): Readonly<Record<string, string | number>> => ({
  ...(cpus !== null && { pinned_processors: cpus }),
  ...(nice !== null && { pinned_nice: nice }),
});

/** Weights of the kernel's nice values, -20 first (sched_prio_to_weight of kernel/sched/core.c). */
const WEIGHTS = [
  88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991,
  1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/** Shares of the processors by which a container, a group of its own, gets the weight of a nice value: nice values inside have no effect outside. */
export const sharesOf = (nice: number): number => WEIGHTS[nice + 20] as number;

/** Throws InputError for processors that aren't there or may not be used, and for nice values that may not be given. `who`: `The workload`. */
export function checkPin(who: string, { cpus, nice }: Pin): void {
  if (cpus !== null) checkProcessors(who, cpus);
  if (nice === null) return;
  const by = nice - ordinaryPriority();
  if (by >= 0 || askProgram('nice', ['-n', String(by), 'true']).stderr === '') return;
  throw new InputError(`${who} can't have the nice value ${nice}: this user may not go below ${ordinaryPriority()}.`, {
    advice: 'Start joulediff as root, or give a value that is as high or higher.',
  });
}

function checkProcessors(who: string, cpus: string): void {
  const { error, status, stdout } = askProgram('taskset', ['--cpu-list', cpus, 'cat', '/proc/self/status']);
  if (error !== undefined) {
    throw new InputError('cpus needs the program taskset, which was not found.', { advice: 'It is in util-linux.' });
  }
  const got = status === 0 ? processorsIn(/^Cpus_allowed_list:\s*(.*)$/m.exec(stdout)?.[1] ?? '') : [];
  const missing = processorsIn(cpus).filter((cpu) => !got.includes(cpu));
  if (missing.length === 0) return;
  const online = readFileSync('/sys/devices/system/cpu/online', 'latin1').trim();
  const off = missing.filter((cpu) => !processorsIn(online).includes(cpu));
  const named = (list: readonly number[]) =>
    `${list.length === 1 ? 'processor' : 'processors'} ${listed(list.map(String))}`;
  if (off.length > 0) {
    throw new InputError(`${who} can't run on ${named(off)}: those online are ${online}.`, {
      advice: 'Give other processors for it under cpus, or bring these online.',
    });
  }
  throw new InputError(`${who} can't run on ${named(missing)}: joulediff is in a control group without them.`, {
    advice: 'Give other processors for it under cpus, or start joulediff elsewhere.',
  });
}

/** Moves this process to processors of its own, with all its threads, until it is disposed of. */
export function pinSelf({ cpus }: Pin): Disposable {
  if (cpus === null) return { [Symbol.dispose]() {} };
  const own = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '';
  move(cpus);
  before = own;
  return {
    [Symbol.dispose]() {
      before = null;
      move(own);
    },
  };
}

const move = (cpus: string): void =>
  void askProgram('taskset', ['--all-tasks', '--cpu-list', '--pid', cpus, String(process.pid)]);
