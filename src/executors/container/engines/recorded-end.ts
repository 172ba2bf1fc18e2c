import type Docker from 'dockerode';
import { withDeadline } from '../../../system/deadline.ts';
import { readClockOffset } from '../phases.ts';

const ASK_MS = 2000;
/** Podman that keeps its events in a file looks into it four times a second; a busy machine makes that longer. */
const MAX_LATE_NS = 2_000_000_000n;

/**
 * When a container ended as Podman recorded it, on CLOCK_MONOTONIC, to the millisecond: where Podman keeps its events in a file, its word of the end comes up
 * to a quarter of a second later. The moment of the word where there is no such record, or none that can be of this end.
 */
export async function recordedEnd(container: Docker.Container, startNs: bigint, toldNs: bigint): Promise<bigint> {
  const inspect = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  const found = await withDeadline(inspect, ASK_MS).catch(() => null);
  const endNs = monotonicOf(found?.State.FinishedAt ?? '', readClockOffset());
  return endNs !== null && endNs > startNs && endNs <= toldNs && toldNs - endNs < MAX_LATE_NS ? endNs : toldNs;
}

/** `2026-11-23T06:43:40.563722563Z`, or with a zone's offset, on CLOCK_MONOTONIC; null: no such time. */
export function monotonicOf(text: string, offset: bigint): bigint | null {
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const ms = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? null : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) - offset;
}
