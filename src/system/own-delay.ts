import { closeSync, openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** Of the thread that reads it: nanoseconds on a processor, nanoseconds ready and waiting for one, turns (Documentation/scheduler/sched-stats.rst). */
const ACCOUNT = '/proc/thread-self/schedstat';
/** Taken where the kernel keeps no such account. */
const UNKNOWN_NS = 20_000_000n;
/** Whoever waits long marks so often, milliseconds: what it did meanwhile would only widen the bound. It is a small look at itself. */
export const MARK_EVERY_MS = 1000;
const BYTES = Buffer.allocUnsafe(100);

interface Moment {
  /** Time in which it asked the kernel for nothing, whatever it was at. */
  readonly activeNs: bigint;
  /** Time for which it was kept waiting; null: not known. */
  readonly keptNs: bigint | null;
}

/**
 * How much later this thread may have heard of something than it was there to be heard of: whenever it isn't asleep until something comes, it does something
 * else, or waits for a processor. Both are accounted for, so that the bound is a hard one, on a busy machine too.
 */
export class OwnDelay {
  #from = moment();

  /** From now on it counts from this moment, unless `isNews` finds that something has come before it that was not heard of yet. True: it has. */
  mark(isNews: () => boolean = () => false): boolean {
    // First: what comes while it is looked for is counted.
    const now = moment();
    if (isNews()) return true;
    this.#from = now;
    return false;
  }

  /** Nanoseconds, at the most, that what was heard of now was there before, if it came after the mark. */
  atMostNs(): bigint {
    const [from, to] = [this.#from, moment()];
    const kept = from.keptNs === null || to.keptNs === null ? UNKNOWN_NS : to.keptNs - from.keptNs;
    return to.activeNs - from.activeNs + kept;
  }
}

function moment(): Moment {
  const { active } = performance.eventLoopUtilization();
  return { activeNs: BigInt(Math.ceil(active * 1e6)), keptNs: keptWaiting() };
}

function keptWaiting(): bigint | null {
  try {
    const file = openSync(ACCOUNT, 'r');
    try {
      const length = readSync(file, BYTES, 0, BYTES.length, null);
      const [, kept = ''] = BYTES.toString('latin1', 0, length).split(' ');
      return /^\d+$/.test(kept) ? BigInt(kept) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
