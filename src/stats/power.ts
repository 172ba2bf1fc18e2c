import { noncentralTCdf } from './noncentral-t.ts';
import { findRoot } from './root.ts';
import { tQuantile } from './student.ts';

/** Power of the two-sided t test at α for a standardized effect d (of a difference of arms, or of paired differences). */
export function powerOfT(design: 'two' | 'paired', n: number, d: number, alpha: number): number {
  const df = design === 'two' ? 2 * n - 2 : n - 1;
  return power(d * Math.sqrt(design === 'two' ? n / 2 : n), df, alpha);
}

/**
 * Smallest standardized effect (in pooled standard deviations) that Student's two-sample t test at α = 0.05 finds with 80 % power, by
 * the noncentral t. Null below two values an arm.
 */
export function detectableTwoSample(n: number, m: number): number | null {
  if (n < 2 || m < 2) return null;
  return detectable(n + m - 2) / Math.sqrt((n * m) / (n + m));
}

/** The same for paired differences, in standard deviations of a difference. Null below two pairs. */
export function detectablePaired(n: number): number | null {
  return n < 2 ? null : detectable(n - 1) / Math.sqrt(n);
}

function detectable(df: number): number {
  return findRoot((ncp) => power(ncp, df, 0.05) - 0.8, 0, 1 + 2 * tQuantile(0.975, df) + 10);
}

function power(ncp: number, df: number, alpha: number): number {
  const critical = tQuantile(1 - alpha / 2, df);
  return 1 - noncentralTCdf(critical, df, ncp) + noncentralTCdf(-critical, df, ncp);
}
