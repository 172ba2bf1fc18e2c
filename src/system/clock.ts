import { setTimeout as sleep } from 'node:timers/promises';

/** The one clock: CLOCK_MONOTONIC, nanoseconds. */
export const nowNs = (): bigint => process.hrtime.bigint();

export const secondsToNs = (seconds: number): bigint => BigInt(Math.round(seconds * 1e9));

export const nsToSeconds = (ns: bigint): number => Number(ns) / 1e9;

/** Idles until the moment has come. Rejects with the signal's reason when it is aborted. */
export async function sleepUntil(momentNs: bigint, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const leftMs = Number(momentNs - nowNs()) / 1e6;
    if (leftMs <= 0) return;
    // Timers take at most 2^31 − 1 ms.
    await sleep(Math.min(Math.ceil(leftMs), 2_000_000_000), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
