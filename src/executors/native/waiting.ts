import { MeasureError } from '../../errors.ts';
import { readStat } from '../leftovers/owner.ts';
import { signalProcess } from '../leftovers/processes.ts';

/** A process that stands still until it is let go on, and becomes the program only then: what it is told of, or put into, is there before its first instruction. */

/** A shell that starts takes a millisecond, on a machine that is busy a second. */
const WITHIN_MS = 20_000;
const PAUSE_MS = 1;

/** A shell hands on no variable that it could not have itself. */
export const canWait = (env: Readonly<Record<string, string>>): boolean =>
  Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));

/** Words before a command that wait for SIGCONT. The shell tells its folder in `PWD`, which a program that is started without one has not. */
export const waitingWords = (env: Readonly<Record<string, string>>): readonly string[] => [
  ...['sh', '-c', `kill -STOP $$; ${env.PWD === undefined ? 'unset PWD; ' : ''}exec "$@"`, 'sh'],
];

/** Waits until the process stands still; false: it has ended before. Throws MeasureError where it does neither, and is ended. */
export function waitsBefore(pid: number): boolean {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const state = readStat(pid)?.state;
    if (state === undefined || state === 'Z' || state === 'X') return false;
    if (state === 'T') return true;
    if (performance.now() > deadline) break;
    Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
  }
  signalProcess(-pid, 'SIGKILL');
  throw new MeasureError(
    `A process that should wait before it is looked at did not get as far as that in ${WITHIN_MS / 1000} s.`,
    {
      advice: 'The machine may be too busy; try again when it is not.',
    },
  );
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
