import type { Interval, Summary } from '../findings/numbers.ts';
import { quantileOfSorted } from './quantiles.ts';
import { tQuantile } from './student.ts';
import { moments, sorted } from './sums.ts';

/** Location and spread of the values, in their unit; null for none. `sd` and the t interval of the mean need two values. */
export function summarize(values: readonly number[]): Summary | null {
  if (values.length === 0) return null;
  const ascending = sorted(values);
  const { n, mean, variance } = moments(values);
  const middle = quantileOfSorted(ascending, 0.5);
  const sd = variance === null ? null : Math.sqrt(variance);
  return {
    mean,
    sd,
    median: middle,
    mad: quantileOfSorted(sorted(values.map((value) => Math.abs(value - middle))), 0.5),
    q1: quantileOfSorted(ascending, 0.25),
    q3: quantileOfSorted(ascending, 0.75),
    min: ascending[0] as number,
    max: ascending[n - 1] as number,
    mean_ci95: sd === null ? null : meanInterval(mean, sd, n),
  };
}

function meanInterval(mean: number, sd: number, n: number): Interval {
  const half = (tQuantile(0.975, n - 1) * sd) / Math.sqrt(n);
  return [mean - half, mean + half];
}
