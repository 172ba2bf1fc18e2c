import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MeasureError } from '../errors.ts';
import { limitSentence, SMALL_LIMITS } from './helper.ts';
import { signalProcess } from './leftovers/processes.ts';
import { RunGroup } from './native/run-group.ts';

/** None that is asked so takes a second; a directory of users in the network may. */
const WITHIN_MS = 20_000;
/** What it left is gone after that, or is taken away by whoever makes the next group. */
const GONE_MS = 1000;
const PAUSE_MS = 10;
let made = 0;

/** Goes into the groups whose files are given, after their number, and becomes the program. Without a group, each process has so many KiB. */
const HELD =
  'n=$2; [ "$n" = 0 ] && ulimit -v "$1"; shift 2; while [ "$n" -gt 0 ]; do echo 0 > "$1"; shift; n=$((n - 1)); done';

/**
 * Asks a small program of the system something, and waits: it is killed where it hangs, its answer has 1 MiB at most (Node's own limit), and it is held to
 * limits, by a control group that it goes into itself: this process, which stands still meanwhile, must not be there with it. Throws MeasureError where it
 * met a limit.
 */
export function askProgram(
  program: string,
  words: readonly string[],
  withinMs = WITHIN_MS,
  most = SMALL_LIMITS,
): SpawnSyncReturns<string> {
  const ask = (first: string, args: readonly string[]) =>
    spawnSync(first, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: withinMs,
      killSignal: 'SIGKILL',
    });
  if (!isInstalled(program)) return ask(program, words);
  const group = new RunGroup(`ask-${++made}`, most);
  const doors = group.doors();
  const kib = String(Math.ceil((most.memoryBytes ?? 0) / 1024));
  const script = `{ ${HELD}; } 2> /dev/null; exec "$@"`;
  const answer = ask('sh', ['-c', script, 'sh', kib, String(doors.length), ...doors, program, ...words]);
  const why = limitSentence(program, most, group.reached());
  end(group);
  if (why !== null) throw new MeasureError(`${program} did not answer. ${why}`);
  return answer;
}

function end(group: RunGroup): void {
  group.seal();
  for (const deadline = performance.now() + GONE_MS; ; ) {
    for (const pid of group.members()) signalProcess(pid, 'SIGKILL');
    group.remove();
    if (group.isRemoved || performance.now() > deadline) return;
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
