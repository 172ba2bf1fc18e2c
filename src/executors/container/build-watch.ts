import { totalmem } from 'node:os';
import type { Limit } from '../../contracts/execution.ts';
import { MeasureError, messageOf } from '../../errors.ts';
import { freeBytes, threadsOfMachine } from '../../processes/limit-watch.ts';
import { type Limits, MAX_PIDS, usableMemory } from '../../processes/limits.ts';
import { bytes } from '../../text/numbers.ts';
import { BuildSteps } from './build-steps.ts';
import { engineSocket } from './docker.ts';

const PERIOD_MS = 250;

/** Limits of the steps of a build. */
export interface BuildLimits {
  /** Limits of each step, where the kernel can enforce them. */
  readonly step: Limits;
  /** Number of processes and threads that the whole machine may have more than before. */
  readonly pids: number;
  /** Memory that must stay free, swap included, bytes. */
  readonly reserveBytes: number;
}

const MET: Readonly<Record<Limit, string>> = {
  processes:
    'A step of a build on this machine, most likely of this one, needed more processes and threads than it may have: look at the steps of its Dockerfile.',
  memory:
    'A step of a build on this machine, most likely of this one, was ended because memory ran out: look at the steps of its Dockerfile, or build the image elsewhere.',
};

/** Limits by the memory that is free now: half of it where that is less than the reserve. */
function limitsNow(): BuildLimits {
  const memoryBytes = usableMemory(totalmem());
  return {
    step: { pids: MAX_PIDS, memoryBytes },
    pids: MAX_PIDS,
    reserveBytes: Math.min(totalmem() - memoryBytes, freeBytes() / 2),
  };
}

/**
 * Builds an image with an eye on the machine: BuildKit takes no limits for its steps, so they are held to some where the groups that they are in may be
 * changed, and the whole build is stopped where it would take the machine with it. `what`: the beginning of the sentence that tells it. An engine on another machine can't be watched. Throws MeasureError.
 */
export async function watchBuild<T>(
  what: string,
  signal: AbortSignal,
  build: (stop: AbortSignal) => Promise<T>,
  { step, pids, reserveBytes }: BuildLimits = limitsNow(),
): Promise<T> {
  if (engineSocket() === null) return build(signal);
  const tooMuch = new AbortController();
  const threadsBefore = threadsOfMachine();
  using steps = new BuildSteps(step);
  const timer = setInterval(() => {
    steps.poll();
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
  } catch (thrown) {
    const met = thrown instanceof MeasureError && !tooMuch.signal.aborted && !signal.aborted ? steps.met() : null;
    throw met === null ? thrown : new MeasureError(messageOf(thrown), { advice: MET[met], cause: thrown });
  } finally {
    clearInterval(timer);
  }
}
