import type { Interval } from '../findings/numbers.ts';
import { logGamma } from './gamma.ts';
import { noncentrality } from './noncentral-t.ts';
import { meanDifference, moments } from './sums.ts';

export interface StandardizedDifference {
  readonly value: number;
  readonly ci95: Interval | null;
}

/**
 * Cohen's d: (mean(y) − mean(x)) over the pooled standard deviation, with the noncentral-t interval. Null below two values an arm or
 * with no variation.
 */
export function cohensD(x: readonly number[], y: readonly number[]): StandardizedDifference | null {
  const n = x.length;
  const m = y.length;
  if (n < 2 || m < 2) return null;
  const df = n + m - 2;
  const pooled = ((n - 1) * (moments(x).variance as number) + (m - 1) * (moments(y).variance as number)) / df;
  if (!(pooled > 0)) return null;
  return withInterval(meanDifference(x, y) / Math.sqrt(pooled), Math.sqrt((n * m) / (n + m)), df);
}

/** A standardized difference with its noncentral-t interval; `scale` makes it the t statistic. */
export function withInterval(value: number, scale: number, df: number): StandardizedDifference {
  const low = noncentrality(value * scale, df, 0.975);
  const high = noncentrality(value * scale, df, 0.025);
  return { value, ci95: low === null || high === null ? null : [low / scale, high / scale] };
}

/** Hedges' g: d times the exact correction for small samples, and so its interval. */
export function hedgesG(d: StandardizedDifference, df: number): StandardizedDifference {
  const j = hedgesCorrection(df);
  return { value: j * d.value, ci95: d.ci95 && [j * d.ci95[0], j * d.ci95[1]] };
}

/** J = Γ(df/2) / (√(df/2) · Γ((df − 1)/2)) (Hedges 1981), for df ≥ 2. */
export function hedgesCorrection(df: number): number {
  return Math.exp(logGamma(df / 2) - logGamma((df - 1) / 2) - 0.5 * Math.log(df / 2));
}
