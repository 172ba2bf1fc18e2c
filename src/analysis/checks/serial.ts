import { normalQuantile } from '../../stats/normal.ts';
import { median } from '../../stats/quantiles.ts';
import { lag1, mannKendall, theilSen } from '../../stats/trend.ts';

/** What a series in the order of time shows of time. */
export interface Serial {
  /** From the first to the last value, by the median slope (Theil–Sen). */
  readonly change: number;
  readonly trendP: number;
  readonly lag1: number;
  /** Which of both gave alarm. */
  readonly trends: boolean;
  readonly correlated: boolean;
}

/** Below this many values neither says anything. */
const MIN = 10;

/**
 * Mann–Kendall's test for a trend and the correlation of neighbours (|r| against z/√n), each at half of `alpha`, so that both together
 * give alarm in a share `alpha` of series in which nothing depends on time. Null for fewer than ten values or without variation.
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

/** The median slope looks at every pair of values: of long series, at the medians of so many stretches. */
const MAX_STRETCHES = 400;

function changeOf(values: readonly number[]): number {
  const n = values.length;
  const stretches = Math.min(n, MAX_STRETCHES);
  const from = (k: number): number => Math.floor((k * n) / stretches);
  const places = Array.from({ length: stretches }, (_, k) => (from(k) + from(k + 1) - 1) / 2);
  const middles = Array.from({ length: stretches }, (_, k) => median(values.slice(from(k), from(k + 1))));
  return (theilSen(places, middles) ?? 0) * (n - 1);
}
