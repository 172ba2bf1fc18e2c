import { normalQuantile } from '../../stats/normal.ts';
import { median } from '../../stats/quantiles.ts';
import { lag1, mannKendall, theilSen } from '../../stats/trend.ts';

/** Time dependence of a series in chronological order. */
export interface Serial {
  /** Change from the first to the last value, by the median slope (Theil–Sen). */
  readonly change: number;
  readonly trendP: number;
  readonly lag1: number;
  /** Which of the two tests found a dependence. */
  readonly trends: boolean;
  readonly correlated: boolean;
}

/** Minimum number of values. */
const MIN = 10;

/**
 * Mann–Kendall test for a trend and correlation of neighbors (|r| against z/√n), each at half of `alpha`, so that both together
 * have the false-positive rate `alpha`. Null for fewer than ten values or without variation.
 */
export function serialDependence(values: readonly number[], alpha: number): Serial | null {
  const n = values.length;
  if (n < MIN) return null;
  const trend = mannKendall(values);
  const r = lag1(values);
  if (trend === null || r === null) return null;
  const limit = normalQuantile(1 - alpha / 4) / Math.sqrt(n);
  return {
    change: changeOf(values),
    trendP: trend.p,
    lag1: r,
    trends: trend.p < alpha / 2,
    correlated: Math.abs(r) > limit,
  };
}

/** Maximum points for the median slope, which uses every pair: longer series are replaced by medians of this many stretches. */
const MAX_STRETCHES = 400;

function changeOf(values: readonly number[]): number {
  const n = values.length;
  const stretches = Math.min(n, MAX_STRETCHES);
  const from = (k: number): number => Math.floor((k * n) / stretches);
  const places = Array.from({ length: stretches }, (_, k) => (from(k) + from(k + 1) - 1) / 2);
  const middles = Array.from({ length: stretches }, (_, k) => median(values.slice(from(k), from(k + 1))));
  return (theilSen(places, middles) ?? 0) * (n - 1);
}
