import { totalmem } from 'node:os';
import { MeasureError } from '../../errors.ts';
import { bytes } from '../../text/numbers.ts';
import { MOST_PIDS, memoryOf } from '../limits.ts';
import { freeBytes, threadsOfMachine } from '../native/limit-watch.ts';
import { engineSocket } from './docker.ts';

const PERIOD_MS = 250;

/** What the steps of a build may take of the machine. */
export interface BuildLimits {
  /** So many processes and threads more than before. */
  readonly pids: number;
  /** So much memory is left, swap included, bytes. */
  readonly reserveBytes: number;
}

/** With less memory than the reserve to begin with, half of what there is. */
function limitsNow(): BuildLimits {
  return { pids: MOST_PIDS, reserveBytes: Math.min(totalmem() - memoryOf(totalmem()), freeBytes() / 2) };
}

/**
 * Builds an image with an eye on the machine: BuildKit holds the steps of a build to no limit, so the whole build is stopped where it would take
 * the machine with it. `what`: the beginning of the sentence that tells it. An engine on another machine can't be watched. Throws MeasureError.
 */
export async function watchBuild<T>(
  what: string,
  signal: AbortSignal,
  build: (stop: AbortSignal) => Promise<T>,
  { pids, reserveBytes }: BuildLimits = limitsNow(),
): Promise<T> {
  if (engineSocket() === null) return build(signal);
  const tooMuch = new AbortController();
  const threadsBefore = threadsOfMachine();
  const timer = setInterval(() => {
    const problem =
      threadsOfMachine() - threadsBefore > pids
        ? `the machine had gained more than ${pids.toLocaleString('en')} processes and threads`
        : freeBytes() < reserveBytes
          ? `less than ${bytes(reserveBytes)} of the machine's memory was left`
          : null;
    if (problem === null) return;
    clearInterval(timer);
    tooMuch.abort(
      new MeasureError(`${what}: it was stopped when ${problem}.`, {
        advice: 'Look at the steps of its Dockerfile, or build the image beforehand and give it by its name.',
      }),
    );
  }, PERIOD_MS);
  try {
    return await build(AbortSignal.any([signal, tooMuch.signal]));
  } finally {
    clearInterval(timer);
  }
}
