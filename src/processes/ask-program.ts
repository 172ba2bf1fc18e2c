import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MeasureError } from '../errors.ts';
import { limitSentence, SMALL_LIMITS } from './helper-limits.ts';
import { endAtOnce, findProcesses } from './left-processes.ts';
import type { Limits } from './limits.ts';
import { orphanedSince, worksIn } from './orphans.ts';
import { ownerToken, upTicks, withOwner } from './owner.ts';
import { RunGroup } from './run-group.ts';
import { threadsOfUser } from './user-threads.ts';

/** Time limit for such a program: none needs a second, but a user directory in the network may. */
const WITHIN_MS = 20_000;
/** How long the program's processes and group may take to be gone; after that, the next group that is made removes the old one. */
const GONE_MS = 1000;
const PAUSE_MS = 10;
/** Variable that marks what the program starts. */
const ASKED = 'JOULEDIFF_ASKED';
let made = 0;

/** Shell code that moves its shell into control groups: their number, then their `cgroup.procs` files, are its first arguments. */
const INTO_GROUPS = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 > "$1"; shift; n=$((n - 1)); done';
/** Shell code that limits the KiB of each process and the user's processes (`-p` is dash's `-u`). The kernel lets root have any number. */
const WITHOUT_GROUP = 'ulimit -v "$1"; ulimit -u "$2" || ulimit -p "$2"; shift 2';

/**
 * Runs a small system program and waits for its answer. It is killed when it hangs, and its answer has at most 1 MiB (Node's own limit). It joins a
 * control group with limits by itself: this process, blocked meanwhile, must not be in it. Where no group can be made, rlimits hold the program.
 * What it leaves running is ended. Throws MeasureError where it met a limit of its group.
 */
export function askProgram(
  program: string,
  words: readonly string[],
  withinMs = WITHIN_MS,
  most = SMALL_LIMITS,
): SpawnSyncReturns<string> {
  const name = `ask-${++made}`;
  const env = { ...withOwner(process.env), [ASKED]: name };
  const ask = (first: string, args: readonly string[]) =>
    spawnSync(first, args, {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: withinMs,
      killSignal: 'SIGKILL',
    });
  if (!isInstalled(program)) return ask(program, words);
  const group = new RunGroup(name, most);
  const doors = group.doors();
  const isHeld = doors.length > 0;
  const sinceTicks = upTicks();
  const [limits, given] = isHeld ? [INTO_GROUPS, [String(doors.length), ...doors]] : [WITHOUT_GROUP, ownLimits(most)];
  const answer = ask('sh', ['-c', `{ ${limits}; } 2> /dev/null; exec "$@"`, 'sh', ...given, program, ...words]);
  const why = limitSentence(program, most, group.reached());
  end(group, isHeld ? () => [...group.members()] : () => leftBy(name, sinceTicks));
  if (why !== null) throw new MeasureError(`${program} did not answer. ${why}`);
  return answer;
}

function ownLimits({ memoryBytes, pids }: Limits): string[] {
  const uid = process.getuid?.() ?? 0;
  const processes = pids === null || uid === 0 ? 'unlimited' : threadsOfUser(uid) + pids;
  return [memoryBytes === null ? 'unlimited' : String(Math.ceil(memoryBytes / 1024)), String(processes)];
}

/** Processes that the program left: those with its mark, and orphans that work in this folder and began at `sinceTicks` or later. */
function leftBy(name: string, sinceTicks: number): number[] {
  const isOrphan = orphanedSince(sinceTicks, process.geteuid?.() ?? 0);
  const owner = ownerToken();
  return findProcesses((found) => {
    const of = found.variable('JOULEDIFF_OWNER');
    if (of !== null) return of === owner && found.variable(ASKED) === name;
    return process.pid !== 1 && isOrphan(found) && worksIn(found.pid, process.cwd());
  });
}

function end(group: RunGroup, left: () => readonly number[]): void {
  group.seal();
  for (const deadline = performance.now() + GONE_MS; ; ) {
    const ended = endAtOnce(left);
    group.remove();
    if ((ended === 0 && group.isRemoved) || performance.now() > deadline) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** Whether a program is found where the system looks for it. */
export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
