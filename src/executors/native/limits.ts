import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { InputError } from '../../errors.ts';
import { askProgram } from '../ask-program.ts';
import { type Limit, type Limits, MOST_PIDS, memoryOf } from '../limits.ts';
import { RunGroup } from './run-group.ts';

export interface HeldLimits extends Limits {
  /** What a control group holds it to. */
  readonly byGroup: Limits;
  /** What nothing holds it to, and what is looked at instead. */
  readonly watched: Limits;
}

export interface LimitsRequest {
  readonly variant: { readonly name: string; readonly pids?: number; readonly memoryBytes?: number };
  /** The user who the workload runs as. */
  readonly uid: number;
  log(line: string): void;
  /** What control groups hold it to of what is wanted; another one for tests. */
  held?(wanted: Limits): Limits;
}

/**
 * The limits that a native workload has here. A control group holds it to both; where none can be made, the kernel's limit of processes of a
 * user (RLIMIT_NPROC) holds whoever isn't root to one, and the rest is watched. Throws InputError where limits that were given can't be held.
 */
export function holdToLimits({ variant, uid, log, held = heldByGroup }: LimitsRequest): HeldLimits {
  const machine = machineLimits();
  const wanted = { pids: variant.pids ?? machine.pids, memoryBytes: variant.memoryBytes ?? machine.memoryBytes };
  const byGroup = held(wanted);
  const who = `variant ${JSON.stringify(variant.name)}`;
  for (const [key, given, limit] of [
    ['pids', variant.pids, byGroup.pids],
    ['memory', variant.memoryBytes, byGroup.memoryBytes],
  ] as const) {
    if (given === undefined || limit !== null) continue;
    throw new InputError(`The limit ${key} of ${who} can't be held: no control group for it can be made here.`, {
      advice: `This needs root, or a control group that was delegated to you. Leave ${key} out, or start joulediff as root and give the variant a user.`,
    });
  }
  const pids = byGroup.pids ?? limitUser(uid);
  const watched: Limits = {
    pids: pids === null ? wanted.pids : null,
    memoryBytes: byGroup.memoryBytes === null ? wanted.memoryBytes : null,
  };
  const names = watchedOf(watched);
  if (names.length > 0) {
    const asRoot = uid === 0 ? '' : ' Started as root, and with a user for the variant, joulediff could make one.';
    log(
      `The ${names.join(' and the ')} of ${who} ${names.length > 1 ? 'are' : 'is'} watched once a second here, not held by the kernel: joulediff can make no control group for it.${asRoot}`,
    );
  }
  return { pids: pids ?? wanted.pids, memoryBytes: wanted.memoryBytes, byGroup, watched };
}

/** What everything on the host is held to where nothing else is said. */
export function machineLimits() {
  const machineBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { pids: MOST_PIDS, memoryBytes: memoryOf(machineBytes) };
}

/** Names of those limits that are watched. */
export const watchedOf = ({ pids, memoryBytes }: Limits): Limit[] => [
  ...(pids === null ? [] : (['processes'] as const)),
  ...(memoryBytes === null ? [] : (['memory'] as const)),
];

function heldByGroup(wanted: Limits): Limits {
  const probe = new RunGroup('limits', wanted);
  try {
    return probe.held();
  } finally {
    probe.remove();
  }
}

/**
 * Lowers the soft limit of this process, which everything that it starts inherits, to what the user has now and `more`. The kernel
 * counts all threads of the user, and lets root have any number. Gives how many more there may be; null: there is no limit.
 */
export function limitUser(uid: number, more = MOST_PIDS): number | null {
  if (uid === 0) return null;
  const most = threadsOf(uid) + more;
  const current = softLimit();
  if (current <= most) return more + current - most;
  const { status } = askProgram('prlimit', [`--pid=${process.pid}`, `--nproc=${most}:`]);
  return status === 0 && softLimit() === most ? more : null;
}

function softLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const soft = /^Max processes\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}

function threadsOf(uid: number): number {
  let threads = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) === uid) threads += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]);
    } catch {
      // Gone meanwhile.
    }
  }
  return threads;
}
