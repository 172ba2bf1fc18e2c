import type { SampleColumns } from '../store/records.ts';

/** An idle period, nanoseconds after the session's origin. */
export interface IdleStretch {
  readonly fromNs: number;
  readonly toNs: number;
}

/** The idle power that is subtracted from a run. */
export interface IdleLevel {
  readonly powerW: number;
  /** Standard uncertainty of the mean, from the readings' own scatter; null: too few readings. */
  readonly uncertaintyW: number | null;
  /** Standard deviation of an equivalent independent reading: the mean of n readings has the standard error of this over √n. */
  readonly scatterW: number | null;
  /** Level after the run minus level before it; null: only one side was measured. */
  readonly changeW: number | null;
}

/** Readings of one idle period. */
export interface IdleReadings {
  readonly meanW: number;
  readonly watts: Float64Array;
}

/** The idle level from the stretches before and after a run; each has the same weight, so that a slow drift cancels. Null without any. */
export function idleLevel(before: IdleReadings | null, after: IdleReadings | null): IdleLevel | null {
  const sides = [before, after].filter((side) => side !== null);
  if (sides.length === 0) return null;
  const powerW = sides.reduce((sum, side) => sum + side.meanW, 0) / sides.length;
  const changeW = before && after && after.meanW - before.meanW;
  const stretches = sides.map((side) => side.watts);
  const scatterW = idleScatter(stretches);
  const ofMeans = stretches.reduce((sum, watts) => sum + 1 / watts.length, 0);
  const uncertaintyW = scatterW && (scatterW * Math.sqrt(ofMeans)) / stretches.length;
  return { powerW, uncertaintyW, scatterW, changeW };
}

/** Maximum variance factor of the correlation: 39 successive readings, or three times those of a period, count at least as one. */
const MAX_ALIKE = 39;

/**
 * s·√((1+ρ₁)/(1−ρ₁)), s and the lag-1 autocorrelation ρ₁ from all readings around the mean of their own stretch (method reference:
 * uncertainty; ρ₁ is corrected for the estimated mean, Marriott and Pope 1954). Null when no stretch has two readings.
 */
function idleScatter(stretches: readonly Float64Array[]): number | null {
  let squares = 0;
  let products = 0;
  let n = 0;
  for (const watts of stretches) {
    const mean = watts.reduce((sum, w) => sum + w, 0) / watts.length;
    watts.forEach((w, i) => {
      squares += (w - mean) ** 2;
      if (i > 0) products += (w - mean) * ((watts[i - 1] as number) - mean);
    });
    n += watts.length;
  }
  if (n <= stretches.length) return null;
  if (squares === 0) return 0;
  const each = n / stretches.length;
  const corrected = each > 4 ? (each * (products / squares) + 1) / (each - 3) : products / squares;
  const most = Math.max(MAX_ALIKE, 3 * each);
  const alike = corrected < 1 ? Math.min(most, (1 + Math.max(0, corrected)) / (1 - Math.max(0, corrected))) : most;
  return Math.sqrt((squares / (n - stretches.length)) * alike);
}

/** Idle readings outside the guards; if a rest is hardly longer than the guard, those in the guard before the window. */
export function guardIdle(
  { tNs, powerW, durationS }: SampleColumns,
  stretch: IdleStretch,
  guardNs: number,
  periodNs: number,
): IdleReadings | null {
  const between = (fromNs: number, toNs: number): IdleReadings => {
    const from = firstAfter(tNs, fromNs);
    const to = Math.max(from, firstAfter(tNs, toNs));
    const watts = powerW.subarray(from, to);
    const seconds = durationS.subarray(from, to);
    // Weighted by duration: when a counter moved between two readings, one that was stamped late is too low and too long.
    const allS = seconds.reduce((sum, s) => sum + s, 0);
    // A file from another tool may have readings without a duration.
    const weightOf = (i: number) => (allS > 0 ? (seconds[i] as number) / allS : 1 / watts.length);
    return { meanW: watts.reduce((sum, w, i) => sum + w * weightOf(i), 0), watts };
  };
  const outside = between(stretch.fromNs + guardNs + periodNs, stretch.toNs - guardNs);
  if (outside.watts.length >= 3) return outside;
  const settled = between(Math.max(stretch.fromNs + periodNs, stretch.toNs - guardNs), stretch.toNs);
  return settled.watts.length > 0 ? settled : null;
}

/** Index of the first reading later than the moment. */
export function firstAfter(tNs: ArrayLike<number>, momentNs: number): number {
  let low = 0;
  let high = tNs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tNs[middle] as number) > momentNs) high = middle;
    else low = middle + 1;
  }
  return low;
}
