import { MeasureError } from '../../errors.ts';
import { signalProcess } from '../../processes/left-processes.ts';
import { readStat } from '../../processes/owner.ts';

/** A process that stands still until it is let go on, and becomes the program only then: what it is told of, or put into, is there before its first instruction. */

/** Time limit for a shell to start: usually a millisecond, on a busy machine a second. */
const WITHIN_MS = 20_000;
const PAUSE_MS = 1;

/** Whether the environment survives a shell, which drops variables with names that it could not have itself. */
export const canWait = (env: Readonly<Record<string, string>>): boolean =>
  Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));

/** Words before a command that wait for SIGCONT, whatever is on its `PATH`. */
export const WAITING_WORDS = ['/bin/sh', '-c', 'kill -STOP $$; exec "$@"', 'sh'];

/**
 * Waits until the process is stopped, and takes it in then, unless it has ended before. SIGCONT lets it go on. Throws MeasureError where neither
 * happens, or `takeIn` fails: then it is ended with its process group, since nothing would let it go on.
 */
export function takeWaiting(subject: string, pid: number, takeIn: (pid: number) => boolean): void {
  let isTaken = false;
  try {
    isTaken = !waitsBefore(subject, pid) || takeIn(pid);
    if (!isTaken) throw new MeasureError(`${subject} could not be put into the control group that is looked at.`);
  } finally {
    if (!isTaken) signalProcess(-pid, 'SIGKILL');
  }
}

/** Waits until a process is stopped; false: it has ended. Throws MeasureError. */
function waitsBefore(subject: string, pid: number): boolean {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const state = readStat(pid)?.state;
    if (state === undefined || state === 'Z' || state === 'X') return false;
    if (state === 'T') return true;
    if (performance.now() > deadline) break;
    Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
  }
  throw new MeasureError(
    `${subject} should wait until it is observed, but did not reach that point within ${WITHIN_MS / 1000} s.`,
    {
      advice: 'The machine may be too busy; try again when it is not.',
    },
  );
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
