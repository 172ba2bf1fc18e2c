import { MeasureError } from '../../errors.ts';
import { signalProcess } from '../../processes/left-processes.ts';
import { readStat } from '../../processes/owner.ts';

/** A process that stands still until it is let go on, and becomes the program only then: what it is told of, or put into, is there before its first instruction. */

/** A shell that starts takes a millisecond, on a machine that is busy a second. */
const WITHIN_MS = 20_000;
const PAUSE_MS = 1;

/** A shell hands on no variable that it could not have itself. */
export const canWait = (env: Readonly<Record<string, string>>): boolean =>
  Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));

/** Words before a command that wait for SIGCONT, whatever is on its `PATH`. The shell tells its folder in `PWD`, which a program that is started without one has not. */
export const waitingWords = (env: Readonly<Record<string, string>>): readonly string[] => [
  ...['/bin/sh', '-c', `kill -STOP $$; ${env.PWD === undefined ? 'unset PWD; ' : ''}exec "$@"`, 'sh'],
];

/**
 * Waits until the process stands still, and takes it in then, but not one that has ended before. It goes on with SIGCONT. Throws MeasureError where it comes to
 * neither, or `takeIn` says that it could not: then it is ended with its process group, since nobody would let it go on.
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

/** False: it has ended. Throws MeasureError. */
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
    `${subject} should wait before it is looked at, and did not get as far as that in ${WITHIN_MS / 1000} s.`,
    {
      advice: 'The machine may be too busy; try again when it is not.',
    },
  );
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
