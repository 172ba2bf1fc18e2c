import { uptime } from 'node:os';

/** Time as the program's logic sees it: the machine's, or one that a test steps. */
export interface Clock {
  /** CLOCK_MONOTONIC, nanoseconds. */
  nowNs(): bigint;
  /** Calls `work` once, when so many milliseconds have passed. Gives a function that calls it off. */
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

export const nsToSeconds = (ns: bigint): number => Number(ns) / 1e9;

/** Timers take at most 2^31 − 1 ms. */
const LONGEST_TIMER_MS = 2_000_000_000;

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Idles until the moment has come. Rejects with the signal's reason when it is aborted. */
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

/** Below this it may be the reading alone: the kernel tells its uptime in hundredths of a second. */
const MIN_SUSPENDED_S = 0.1;

/**
 * Tells whether the machine was suspended since this was made. The kernel's uptime (CLOCK_BOOTTIME) goes on meanwhile and CLOCK_MONOTONIC does
 * not, so that no other time that is taken here shows it; the wall clock, which may be set, is not looked at.
 */
export class SuspendWatch {
  /** No less than what the uptime was ahead of the monotonic clock. */
  readonly #aheadS: number;

  constructor() {
    const beforeNs = nowNs();
    this.#aheadS = uptime() - nsToSeconds(beforeNs);
  }

  /** Seconds, a little less than they were; 0: it was not suspended. */
  suspendedS(): number {
    const nowAheadS = uptime() - nsToSeconds(nowNs());
    const suspendedS = nowAheadS - this.#aheadS;
    return suspendedS < MIN_SUSPENDED_S ? 0 : suspendedS;
  }
}

const BEAT_MS = 500;

/** Tells whether this process was stopped (Ctrl-Z), or got no processor, since this was made: what happens meanwhile is seen only when it goes on. */
export class StallWatch {
  #beatNs = nowNs();
  #longestNs = 0n;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS);

  /** Ends it. Seconds of the longest stall, no more than it was; 0: there was none. */
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
