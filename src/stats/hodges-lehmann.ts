import type { Interval } from '../findings/numbers.ts';
import { placementVariances } from './brunner-munzel.ts';
import { normalCdf } from './normal.ts';
import { kthSmallest } from './order-statistic.ts';
import { lowerTailOfU } from './rank-sum-null.ts';
import { lowerTailOfSignedSum } from './signed-rank-null.ts';
import { sorted } from './sums.ts';

export interface ShiftInterval {
  readonly interval: Interval;
  /** Confidence actually reached: below the nominal one when there are too few values. */
  readonly confidence: number;
  /** Rank (k) of the order statistic at the lower end. */
  readonly k: number;
}

export interface ShiftEstimate {
  readonly estimate: number;
  readonly ci95: ShiftInterval | null;
  readonly ci90: ShiftInterval | null;
}

/** Largest number of differences for the exact test; above it, a normal approximation gives the ranks. */
const MAX_DIFFERENCES = 400;
const MAX_IN_BOTH = 1000;

/**
 * Hodges–Lehmann estimate of the center of the differences (median of the Walsh averages) with the interval that inverts the exact
 * signed-rank test: the k-th smallest and k-th largest average, k = smallest v with P(W⁺ ≤ v) ≥ α/2, at least 1 (Hollander and Wolfe).
 * Null for no differences; intervals are null for a single one.
 */
export function walshEstimate(differences: readonly number[]): ShiftEstimate | null {
  const averages = walshAverages(differences);
  return averages && shift(averages.count, averages.at, signedRankTails(differences.length));
}

/** The same interval at another level: two-sided `alpha`, as a group-sequential analysis needs it. Null for a single difference or none. */
export function walshInterval(differences: readonly number[], alpha: number): ShiftInterval | null {
  const averages = walshAverages(differences);
  return averages && interval(averages.count, averages.at, signedRankTails(differences.length), alpha / 2);
}

/** The Walsh averages, known by their number and their order. */
function walshAverages(differences: readonly number[]): { count: number; at: (k: number) => number } | null {
  const n = differences.length;
  if (n === 0) return null;
  const values = sorted(differences);
  const at = (k: number): number =>
    kthSmallest(k, values[0] as number, values[n - 1] as number, (v) => averagesUpTo(values, v));
  return { count: (n * (n + 1)) / 2, at };
}

/**
 * Hodges–Lehmann estimate of the shift from x to y (median of all y − x) with the interval that inverts the exact Mann–Whitney test.
 * Null for an empty arm.
 */
export function shiftEstimate(x: readonly number[], y: readonly number[]): ShiftEstimate | null {
  const [n, m] = [x.length, y.length];
  return n === 0 || m === 0 ? null : shift(n * m, differencesOf(x, y), rankSumTails(n, m));
}

/** The k-th smallest of all differences y − x. */
function differencesOf(x: readonly number[], y: readonly number[]): (k: number) => number {
  const [a, b] = [sorted(x), sorted(y)];
  const low = (b[0] as number) - (a.at(-1) as number);
  const high = (b.at(-1) as number) - (a[0] as number);
  return (k) => kthSmallest(k, low, high, (v) => differencesUpTo(a, b, v));
}

/**
 * The same estimate with an interval that holds where the arms scatter differently, too, as where the noise does not grow with the energy:
 * its distance from the middle, in ranks, is stretched by how much the variance of U, estimated as by Brunner and Munzel (2000) at the
 * estimate, exceeds what it is for equal arms. n·m·(n + m + 3)/12 is about what that estimate gives them on average, in simulation. With
 * arms that scatter alike this is the exact interval but for a few ranks (`npm run simulate` has the coverage).
 */
export function studentizedShift(x: readonly number[], y: readonly number[]): ShiftEstimate | null {
  const exact = shiftEstimate(x, y);
  const [n, m] = [x.length, y.length];
  if (exact === null || n < 2 || m < 2) return exact;
  const moved = y.map((value) => value - exact.estimate);
  const [ofX, ofY] = placementVariances(x, moved);
  const stretch = Math.sqrt((ofX + ofY) / ((n * m * (n + m + 3)) / 12));
  const at = differencesOf(x, y);
  const stretched = (found: ShiftInterval | null): ShiftInterval | null => {
    if (found === null) return null;
    const reach = ((n * m + 1) / 2 - found.k) * stretch;
    const k = Math.min(Math.max(1, Math.round((n * m + 1) / 2 - reach)), Math.ceil((n * m) / 2));
    return { interval: [at(k), at(n * m + 1 - k)], confidence: found.confidence, k };
  };
  return { estimate: exact.estimate, ci95: stretched(exact.ci95), ci90: stretched(exact.ci90) };
}

function shift(count: number, at: (k: number) => number, tail: (v: number) => number): ShiftEstimate {
  const middle = at(Math.ceil(count / 2));
  const estimate = count % 2 === 1 ? middle : (middle + at(count / 2 + 1)) / 2;
  return { estimate, ci95: interval(count, at, tail, 0.025), ci90: interval(count, at, tail, 0.05) };
}

function interval(
  count: number,
  at: (k: number) => number,
  tail: (v: number) => number,
  alpha: number,
): ShiftInterval | null {
  let from = 0;
  let to = Math.ceil(count / 2);
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (tail(middle) >= alpha) to = middle;
    else from = middle + 1;
  }
  const k = Math.max(1, to);
  const confidence = 1 - 2 * tail(k - 1);
  return confidence > 0 ? { interval: [at(k), at(count + 1 - k)], confidence, k } : null;
}

/** P(W⁺ ≤ v) without ties, for v up to half of its range. */
function signedRankTails(n: number): (v: number) => number {
  const range = (n * (n + 1)) / 2;
  if (n > MAX_DIFFERENCES) return normalTails(range / 2, Math.sqrt((range * (2 * n + 1)) / 12));
  const tails = lowerTailOfSignedSum(
    Array.from({ length: n }, (_, i) => i + 1),
    Math.ceil(range / 2),
  );
  return (v) => tails[v] ?? 1;
}

/** P(U ≤ v) without ties, for v up to half of its range. */
function rankSumTails(n: number, m: number): (v: number) => number {
  if (n + m > MAX_IN_BOTH) return normalTails((n * m) / 2, Math.sqrt((n * m * (n + m + 1)) / 12));
  const tails = lowerTailOfU(n, m);
  return (v) => tails[v] ?? 1;
}

function normalTails(mean: number, sd: number): (v: number) => number {
  return (v) => normalCdf((v + 0.5 - mean) / sd);
}

/** Pairs i ≤ j with (a_i + a_j)/2 ≤ v, in one walk from both ends. */
function averagesUpTo(a: readonly number[], v: number): number {
  let total = 0;
  let j = a.length - 1;
  for (let i = 0; i <= j; i++) {
    while (j >= i && ((a[i] as number) + (a[j] as number)) / 2 > v) j--;
    if (j >= i) total += j - i + 1;
  }
  return total;
}

/** Pairs with b_j − a_i ≤ v. */
function differencesUpTo(a: readonly number[], b: readonly number[], v: number): number {
  let total = 0;
  let j = 0;
  for (const value of a) {
    while (j < b.length && (b[j] as number) - value <= v) j++;
    total += j;
  }
  return total;
}
