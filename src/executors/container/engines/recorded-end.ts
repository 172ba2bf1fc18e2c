import type Docker from 'dockerode';
import { withDeadline } from '../../../system/deadline.ts';
import { readClockOffset } from '../phases.ts';

const ASK_MS = 2000;
/** Longest delay of Podman's message of an end. With events in a file it polls that four times a second, less often on a busy machine. */
const MAX_LATE_NS = 2_000_000_000n;

/**
 * When a container ended by Podman's record, on CLOCK_MONOTONIC, to the millisecond: with events in a file, Podman reports the end up to a quarter of
 * a second late. Gives `toldNs`, the arrival of that report, where there is no record, or one that can't be of this end.
 */
export async function recordedEnd(container: Docker.Container, startNs: bigint, reportedNs: bigint): Promise<bigint> {
  const inspect = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  const found = await withDeadline(inspect, ASK_MS).catch(() => null);
  const endNs = toMonotonic(found?.State.FinishedAt ?? '', readClockOffset());
  return endNs !== null && endNs > startNs && endNs <= reportedNs && reportedNs - endNs < MAX_LATE_NS
    ? endNs
    : reportedNs;
}

/** Converts `2026-11-23T06:43:40.563722563Z`, or a time with an offset, to CLOCK_MONOTONIC; null: it is no such time. */
export function toMonotonic(text: string, offset: bigint): bigint | null {
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const ms = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? null : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) - offset;
}
