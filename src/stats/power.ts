import { noncentralTCdf } from './noncentral-t.ts';
import { findRoot } from './root.ts';
import { tQuantile } from './student.ts';

/**
 * Smallest standardized effect (in pooled standard deviations) that Student's two-sample t test at α = 0.05 finds with 80 % power, by
 * the noncentral t. Null below two values an arm.
 */
export function detectableTwoSample(n: number, m: number): number | null {
  if (n < 2 || m < 2) return null;
  return detectable(n + m - 2) / Math.sqrt((n * m) / (n + m));
}

function detectable(df: number): number {
  return findRoot((ncp) => powerOfT(ncp, df, 0.05) - 0.8, 0, 1 + 2 * tQuantile(0.975, df) + 10);
}

/** Power of the two-sided t test at α whose statistic has `df` degrees of freedom and the noncentrality `ncp`. */
export function powerOfT(ncp: number, df: number, alpha: number): number {
  const critical = tQuantile(1 - alpha / 2, df);
  return 1 - noncentralTCdf(critical, df, ncp) + noncentralTCdf(-critical, df, ncp);
}
