import { sum } from 'simple-statistics';
import type { Interval } from '../findings/numbers.ts';
import { normalQuantile } from './normal.ts';
import { midranks } from './ranks.ts';
import { tTwoSided } from './student.ts';
import { residuals } from './sums.ts';

export interface Correlation {
  readonly r: number;
  readonly p: number;
  /** Fisher's z interval; null below four pairs or for a perfect correlation. */
  readonly ci95: Interval | null;
}

/** Pearson's correlation with its t test and Fisher's interval; null below three pairs or when a side doesn't vary. */
export function pearson(x: readonly number[], y: readonly number[]): Correlation | null {
  const n = x.length;
  if (n < 3) return null;
  const a = residuals(x);
  const b = residuals(y);
  // One root of the product, so that a perfect correlation comes out as exactly 1.
  const scale = Math.sqrt(sum(a.map((v) => v * v)) * sum(b.map((v) => v * v)));
  if (!(scale > 0)) return null;
  const r = Math.min(1, Math.max(-1, sum(a.map((v, i) => v * (b[i] as number))) / scale));
  const t = r * Math.sqrt((n - 2) / ((1 - r) * (1 + r)));
  if (n < 4 || Math.abs(r) === 1) return { r, p: tTwoSided(t, n - 2), ci95: null };
  const half = normalQuantile(0.975) / Math.sqrt(n - 3);
  const z = Math.atanh(r);
  return { r, p: tTwoSided(t, n - 2), ci95: [Math.tanh(z - half), Math.tanh(z + half)] };
}

/** Spearman's rank correlation with the t approximation; null as for Pearson. */
export function spearman(x: readonly number[], y: readonly number[]): { rho: number; p: number } | null {
  const correlation = pearson(midranks(x).ranks, midranks(y).ranks);
  return correlation && { rho: correlation.r, p: correlation.p };
}
