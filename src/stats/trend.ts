import { sum } from 'simple-statistics';
import { normalTwoSided } from './normal.ts';
import { median } from './quantiles.ts';
import { midranks } from './ranks.ts';
import { isConstant, residuals } from './sums.ts';

export interface MannKendall {
  readonly s: number;
  readonly variance: number;
  readonly z: number;
  readonly p: number;
}

/** Mann–Kendall test for a trend in values in run order: tie-corrected variance, continuity correction. Null without variation. */
export function mannKendall(values: readonly number[]): MannKendall | null {
  const n = values.length;
  const s = risesLessFalls(values);
  const ties = midranks(values).groups.reduce((total, t) => total + t * (t - 1) * (2 * t + 5), 0);
  const variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
  if (!(variance > 0)) return null;
  const z = s === 0 ? 0 : (s - Math.sign(s)) / Math.sqrt(variance);
  return { s, variance, z, p: normalTwoSided(z) };
}

/** Number of pairs in which the later value is larger, minus those in which it is smaller: a Fenwick tree over the ranks, O(n·log n). */
function risesLessFalls(values: readonly number[]): number {
  const doubled = midranks(values).ranks.map((rank) => 2 * rank);
  const tree = new Int32Array(2 * values.length + 1);
  const upTo = (place: number): number => {
    let count = 0;
    for (let i = place; i > 0; i -= i & -i) count += tree[i] as number;
    return count;
  };
  let s = 0;
  doubled.forEach((rank, earlier) => {
    const below = upTo(rank - 1);
    s += below - (earlier - upTo(rank));
    for (let i = rank; i < tree.length; i += i & -i) tree[i]! += 1;
  });
  return s;
}

/** Lag-1 autocorrelation. */
export const lag1 = (values: readonly number[]): number | null => autocorrelation(values, 1);

/** Autocorrelation of values that are `lag` places apart, in run order; null without variation. */
export function autocorrelation(values: readonly number[], lag: number): number | null {
  if (values.length <= lag || isConstant(values)) return null;
  const left = residuals(values);
  const products = left.slice(lag).map((value, i) => value * (left[i] as number));
  return sum(products) / sum(left.map((value) => value * value));
}

/** Theil–Sen slope: the median slope over all pairs with different times. O(n²). Null without such a pair. */
export function theilSen(times: readonly number[], values: readonly number[]): number | null {
  const slopes: number[] = [];
  times.forEach((time, i) => {
    for (let j = i + 1; j < times.length; j++) {
      const apart = (times[j] as number) - time;
      if (apart !== 0) slopes.push(((values[j] as number) - (values[i] as number)) / apart);
    }
  });
  return slopes.length > 0 ? median(slopes) : null;
}
