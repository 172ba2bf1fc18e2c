/** One sample of another machine's monotonic clock: its answer was stamped there at some moment between the question and its arrival here. */
export interface ClockSample {
  /** CLOCK_MONOTONIC here, nanoseconds. */
  readonly sentNs: bigint;
  readonly arrivedNs: bigint;
  /** CLOCK_MONOTONIC there. */
  readonly thereNs: bigint;
}

/** Where a moment of the other clock lies on this one: at `hereNs`, and nowhere farther from it than `withinNs`. */
export interface ClockPoint {
  readonly thereNs: bigint;
  readonly hereNs: bigint;
  readonly withinNs: number;
}

/** A window on this machine's clock, and how far off that can be. */
export interface HereWindow {
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Seconds that each of its edges may be off, at the most. */
  readonly edgeS: number;
  /** Seconds that its length may be off, at the most: both edges are off alike, but for what the rate isn't known. */
  readonly lengthS: number;
}

/** How much the rate may change, as a share: what keeps a clock on time slews the monotonic one, too, and Linux by up to this (adjtimex(2)). */
const WANDER = 500e-6;
/** Clocks that run are nearer to each other than this: one that is farther off was set, or stood still (the machine was suspended). */
const MAX_DRIFT = 1e-3;

/**
 * The sample with the shortest way there and back. Its bounds hold however unequal the two ways are, since the stamp was made between them; that is
 * why they are halves of the whole way, and not of its scatter (D. Mills' minimum filter, RFC 5905 section 10, without his assumption of symmetry).
 */
export function bestPoint(samples: readonly ClockSample[]): ClockPoint {
  const [first, ...others] = samples;
  if (first === undefined) throw new RangeError('no sample of the clock');
  const way = ({ sentNs, arrivedNs }: ClockSample): bigint => arrivedNs - sentNs;
  const { sentNs, arrivedNs, thereNs } = others.reduce(
    (best, sample) => (way(sample) < way(best) ? sample : best),
    first,
  );
  return { thereNs, hereNs: (sentNs + arrivedNs) / 2n, withinNs: Number(arrivedNs - sentNs) / 2 };
}

/**
 * A window of the other clock on this one, on the line through a point before it and a point after it: whatever the offset and the steady drift,
 * an edge is off by no more than the two points are, and by what the rate may have changed between them, a quarter of that time at the most.
 * Null: the clocks have not run alike, and nothing can be said.
 */
export function windowHere(
  window: { readonly startNs: bigint; readonly endNs: bigint },
  before: ClockPoint,
  after: ClockPoint,
): HereWindow | null {
  const there = Number(after.thereNs - before.thereNs);
  const here = Number(after.hereNs - before.hereNs);
  const unknown = before.withinNs + after.withinNs;
  if (there <= 0 || here <= 0 || Math.abs(here - there) > MAX_DRIFT * here + unknown) return null;
  if (window.startNs < before.thereNs || window.endNs > after.thereNs || window.endNs < window.startNs) return null;
  const rate = here / there;
  const at = (ns: bigint): bigint => before.hereNs + BigInt(Math.round(Number(ns - before.thereNs) * rate));
  const startNs = at(window.startNs);
  const endNs = at(window.endNs);
  const wander = (WANDER * here) / 4;
  const length = Number(endNs - startNs);
  return {
    startNs,
    endNs,
    edgeS: (Math.max(before.withinNs, after.withinNs) + wander) / 1e9,
    lengthS: (unknown * (length / here) + Math.min(2 * wander, WANDER * length)) / 1e9,
  };
}
