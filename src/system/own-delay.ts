import { closeSync, openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** Scheduler statistics of the calling thread: ns on a processor, ns waiting for one, time slices (Documentation/scheduler/sched-stats.rst). */
const ACCOUNT = '/proc/thread-self/schedstat';
/** Assumed waiting time for a processor where the kernel keeps no such statistics. */
const UNKNOWN_NS = 20_000_000n;
/** Interval of `mark` during long waits, milliseconds: all activity since the last mark widens the bound. Each mark costs little. */
export const MARK_EVERY_MS = 1000;
const BYTES = Buffer.allocUnsafe(100);

interface Moment {
  /** Time in which the event loop was active, that is, not waiting for events. */
  readonly activeNs: bigint;
  /** Time spent waiting for a processor; null: unknown. */
  readonly keptNs: bigint | null;
}

/**
 * Upper bound of the delay between an event and this thread's noticing it. While it is not asleep, the thread is busy with something
 * else or waits for a processor; both are counted, so the bound also holds on a busy machine.
 */
export class OwnDelay {
  #from = moment();

  /** Counts from this moment on, unless `isNews` finds an event that was not noticed yet; then it returns true and changes nothing. */
  mark(isNews: () => boolean = () => false): boolean {
    // The moment is taken first, so that events during the check are counted.
    const now = moment();
    if (isNews()) return true;
    this.#from = now;
    return false;
  }

  /** Upper bound, nanoseconds, of how long ago an event noticed now happened, if it happened after the mark. */
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
