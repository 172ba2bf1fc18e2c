import { uptime } from 'node:os';

/** Clock of the program's logic: the machine's, or one that a test advances. */
export interface Clock {
  /** CLOCK_MONOTONIC, nanoseconds. */
  nowNs(): bigint;
  /** Calls `work` once, after this number of milliseconds. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

/** CLOCK_MONOTONIC, nanoseconds. */
export const nowNs = (): bigint => process.hrtime.bigint();

export const SYSTEM_CLOCK: Clock = {
  nowNs,
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export const secondsToNs = (seconds: number): bigint => BigInt(Math.round(seconds * 1e9));

/** Rounds seconds up to tenths, without what floating point adds: 3 · 1.3 s are 3.9 s. */
export const upToTenths = (seconds: number): number => Math.ceil(seconds * 10 - 1e-9) / 10;

export const nsToSeconds = (ns: bigint): number => Number(ns) / 1e9;

/** Limit for one timer: Node's timers take at most 2^31 − 1 ms. */
const LONGEST_TIMER_MS = 2_000_000_000;

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Waits until the moment has come. Rejects with the signal's reason when it is aborted. */
export async function sleepUntil(momentNs: bigint, signal: AbortSignal, clock: Clock = SYSTEM_CLOCK): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const leftMs = Number(momentNs - clock.nowNs()) / 1e6;
    if (leftMs <= 0) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        callOff();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const callOff = clock.after(Math.min(Math.ceil(leftMs), LONGEST_TIMER_MS), wake);
      signal.addEventListener('abort', wake);
    });
  }
}

/** Minimum suspension that is reported: below it, it may be rounding, since the kernel gives its uptime in hundredths of a second. */
const MIN_SUSPENDED_S = 0.1;

/**
 * Detects a suspension of the machine since this object was made: the kernel's uptime (CLOCK_BOOTTIME) goes on meanwhile, CLOCK_MONOTONIC does
 * not, and neither do the other clocks used here. The wall clock is not used, since it may be set.
 */
export class SuspendWatch {
  /** Upper bound of uptime minus monotonic time at the start, seconds. */
  readonly #aheadS: number;

  constructor() {
    const beforeNs = nowNs();
    this.#aheadS = uptime() - nsToSeconds(beforeNs);
  }

  /** Lower bound of the suspended time, seconds; 0: it was not suspended. */
  suspendedS(): number {
    const nowAheadS = uptime() - nsToSeconds(nowNs());
    const suspendedS = nowAheadS - this.#aheadS;
    return suspendedS < MIN_SUSPENDED_S ? 0 : suspendedS;
  }
}

const BEAT_MS = 500;

/** Detects that this process was stopped (Ctrl-Z) or got no processor: events during a stall are seen only after it. */
export class StallWatch {
  #beatNs = nowNs();
  #longestNs = 0n;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS);

  /** Stops watching. Returns a lower bound of the longest stall, seconds; 0: there was none. */
  end(): number {
    clearInterval(this.#timer);
    this.#beat();
    return Math.max(0, nsToSeconds(this.#longestNs) - BEAT_MS / 1000);
  }

  #beat(): void {
    const tNs = nowNs();
    if (tNs - this.#beatNs > this.#longestNs) this.#longestNs = tNs - this.#beatNs;
    this.#beatNs = tNs;
  }
}
