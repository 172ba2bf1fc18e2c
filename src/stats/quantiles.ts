import { medianSorted, quantileSorted } from 'simple-statistics';
import { sorted } from './sums.ts';

/** The middle value, or the mean of the two middle ones. Values must be finite (a NaN would give a wrong number in silence). */
export function median(values: readonly number[]): number {
  return medianSorted(sorted(values));
}

/** Quantile of type 7 (Hyndman and Fan 1996) of values already sorted, 0 ≤ p ≤ 1: linear between order statistics. */
export function quantileOfSorted(ascending: ArrayLike<number>, p: number): number {
  return quantileSorted(ascending as number[], p);
}

/** Median absolute deviation from the median, unscaled. */
export function mad(values: readonly number[]): number {
  const center = median(values);
  return median(values.map((value) => Math.abs(value - center)));
}

/** 0.6745·(value − median)/MAD of each value (Iglewicz and Hoaglin 1993); null when the MAD is zero. */
export function modifiedZ(values: readonly number[]): number[] | null {
  const center = median(values);
  const scale = mad(values);
  return scale > 0 ? values.map((value) => (0.6745 * (value - center)) / scale) : null;
}

/** A run is flagged (never dropped) when its |modified z| is above this. */
export const FLAG_LIMIT = 3.5;

/** Indices of the values flagged by their modified z; null when the MAD is zero. */
export function flagged(values: readonly number[]): number[] | null {
  const scores = values.length > 0 ? modifiedZ(values) : null;
  return scores?.flatMap((z, i) => (Math.abs(z) > FLAG_LIMIT ? [i] : [])) ?? null;
}
