/** One sample of another machine's monotonic clock: its answer was stamped there at some moment between the question and its arrival here. */
export interface ClockSample {
  /** CLOCK_MONOTONIC here, nanoseconds. */
  readonly sentNs: bigint;
  readonly arrivedNs: bigint;
  /** CLOCK_MONOTONIC there. */
  readonly thereNs: bigint;
}

/** The same moment on both clocks: `thereNs` there is `hereNs` here, give or take `withinNs` nanoseconds. */
export interface ClockPoint {
  readonly thereNs: bigint;
  readonly hereNs: bigint;
  readonly withinNs: number;
}

/** A window on this machine's clock, with bounds on its error. */
export interface HereWindow {
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Upper bound on the error of each edge, seconds. */
  readonly edgeS: number;
  /** Upper bound on the error of the length, seconds: both edges are off alike, except for what is unknown about the rate. */
  readonly lengthS: number;
}

/** How much the clock's rate may change, as a share: Linux slews the monotonic clock, too, by up to this (adjtimex(2)). */
const WANDER = 500e-6;
/** Largest difference in rate between two running clocks; more means that one was set, or that its machine was suspended. */
const MAX_DRIFT = 1e-3;

/**
 * The sample with the shortest round trip. Its bounds hold even if both ways took unequal times, since the clock was read somewhere between them:
 * so they are half the round trip, not half its scatter (D. Mills' minimum filter, RFC 5905 section 10, without its assumption of symmetry).
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
 * Converts a window of the other clock to this one, by the line through a point before it and a point after it; offset and steady drift cancel.
 * An edge is off by at most the error of the worse point, plus a change of the rate by `WANDER` over a quarter of the time between the points.
 * Null: the rates of the clocks differ too much, or the window is not between the points.
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
