import type { Interval } from '../findings/numbers.ts';
import { aboveZero } from './normal.ts';
import { tQuantile, tTail, tTwoSided } from './student.ts';
import { meanDifference, moments } from './sums.ts';

export interface TTest {
  readonly t: number;
  readonly df: number;
  readonly p: number;
  readonly ci95: Interval;
}

export interface Tost {
  /** p of the one-sided test against the lower margin; `pUpper` is that against the upper margin, and `p` the larger of both. */
  readonly pLower: number;
  readonly pUpper: number;
  readonly p: number;
}

/** An estimate with its standard error, from which the t statistics below are made. */
export interface Estimate {
  readonly value: number;
  readonly se: number;
  readonly df: number;
}

/** mean(y) − mean(x) with Welch's standard error and Satterthwaite's df; null below two values an arm or with no variation at all. */
export function welchEstimate(x: readonly number[], y: readonly number[]): Estimate | null {
  if (x.length < 2 || y.length < 2) return null;
  const ofX = (moments(x).variance as number) / x.length;
  const ofY = (moments(y).variance as number) / y.length;
  const combined = ofX + ofY;
  if (!(combined > 0)) return null;
  const df = satterthwaite(ofX, x.length, ofY, y.length);
  return { value: meanDifference(x, y), se: Math.sqrt(combined), df };
}

/** Mean of the differences with its standard error; null below two values or with no variation. */
export function pairedEstimate(differences: readonly number[]): Estimate | null {
  const n = differences.length;
  if (n < 2) return null;
  const { mean, variance } = moments(differences);
  return variance !== null && variance > 0 ? { value: mean, se: Math.sqrt(variance / n), df: n - 1 } : null;
}

/** Degrees of freedom for a sum of two variances of means (Satterthwaite 1946), from shares so that nothing overflows. */
export function satterthwaite(ofX: number, n: number, ofY: number, m: number): number {
  const share = ofX / (ofX + ofY);
  return 1 / (share ** 2 / (n - 1) + (1 - share) ** 2 / (m - 1));
}

/** Two-sided t test of the estimate against zero, with its 95 % interval. Where nothing varies (`se` 0) it is certain. */
export function tTest({ value, se, df }: Estimate): TTest {
  const t = value === 0 ? 0 : value / se;
  return { t, df, p: tTwoSided(t, df), ci95: tInterval({ value, se, df }, 0.95) };
}

/** The t interval of an estimate. */
export function tInterval({ value, se, df }: Estimate, confidence: number): Interval {
  const half = tQuantile((1 + confidence) / 2, df) * se;
  return [value - half, value + half];
}

/** Values of two arms, or the differences of pairs. */
export type Change =
  | { readonly pairs: readonly number[] }
  | { readonly x: readonly number[]; readonly y: readonly number[] };

/** The mean of the differences, or mean(y) − mean(x), with its t interval; null: too few values for one, or no variation. */
export function meanChange(of: Change): { readonly value: number; readonly ci95: Interval | null } {
  const isPaired = 'pairs' in of;
  const estimate = isPaired ? pairedEstimate(of.pairs) : welchEstimate(of.x, of.y);
  const value = isPaired ? moments(of.pairs).mean : meanDifference(of.x, of.y);
  return { value, ci95: estimate && tInterval(estimate, 0.95) };
}

/** Two one-sided t tests that the estimate lies inside (lower, upper) (Schuirmann 1987). */
export function tost({ value, se, df }: Estimate, lower: number, upper: number): Tost {
  const pLower = aboveZero(tTail((value - lower) / se, df));
  const pUpper = aboveZero(tTail((upper - value) / se, df));
  return { pLower, pUpper, p: Math.max(pLower, pUpper) };
}
