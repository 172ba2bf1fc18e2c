import { sum } from 'simple-statistics';
import type { Interval } from '../findings/numbers.ts';
import { normalQuantile } from './normal.ts';
import { tQuantile } from './student.ts';
import { sorted } from './sums.ts';

export interface CliffsDelta {
  /** P(y > x) − P(y < x) over all pairs, −1 … 1. */
  readonly delta: number;
  readonly ci95: Interval | null;
}

/**
 * Cliff's δ of y over x with the interval of Cliff (1996) and Feng and Cliff (2004): consistent variance, t(n + m − 2); at |δ| = 1
 * (n_b − z²)/(n_b + z²) with n_b the smaller arm. Null for an empty arm.
 */
export function cliffsDelta(x: readonly number[], y: readonly number[]): CliffsDelta | null {
  const n = x.length;
  const m = y.length;
  if (n === 0 || m === 0) return null;
  const ofX = dominance(x, y).map((value) => -value / m);
  const ofY = dominance(y, x).map((value) => value / n);
  const delta = dominance(y, x).reduce((total, value) => total + value, 0) / (n * m);
  if (n < 2 || m < 2) return { delta, ci95: null };
  if (Math.abs(delta) === 1) return { delta, ci95: separated(delta, Math.min(n, m)) };
  const untied = n * m - tiedPairs(x, y);
  const squaredCells = untied - n * m * delta * delta;
  const variance =
    ((m - 1) * spread(ofX, delta) + (n - 1) * spread(ofY, delta) + squaredCells / ((n - 1) * (m - 1))) / (n * m);
  if (!(variance > 0)) return { delta, ci95: null };
  const t = tQuantile(0.975, n + m - 2);
  const scaled = t * t * variance;
  const half = t * Math.sqrt(variance) * Math.sqrt((1 - delta * delta) ** 2 + scaled);
  const denominator = 1 - delta * delta + scaled;
  const center = delta - delta ** 3;
  return { delta, ci95: [Math.max(-1, (center - half) / denominator), Math.min(1, (center + half) / denominator)] };
}

function separated(delta: number, smaller: number): Interval {
  const square = normalQuantile(0.975) ** 2;
  const end = (smaller - square) / (smaller + square);
  return delta > 0 ? [end, 1] : [-1, -end];
}

/** For each value: how many of `others` lie below it, less how many lie above it. */
function dominance(values: readonly number[], others: readonly number[]): number[] {
  const ascending = sorted(others);
  return values.map((value) => countBelow(ascending, value) - (others.length - countUpTo(ascending, value)));
}

function tiedPairs(x: readonly number[], y: readonly number[]): number {
  const ascending = sorted(y);
  return x.reduce((total, value) => total + countUpTo(ascending, value) - countBelow(ascending, value), 0);
}

function spread(values: readonly number[], center: number): number {
  return sum(values.map((value) => (value - center) ** 2)) / (values.length - 1);
}

function countBelow(ascending: readonly number[], value: number): number {
  return firstIndex(ascending, (candidate) => candidate >= value);
}

function countUpTo(ascending: readonly number[], value: number): number {
  return firstIndex(ascending, (candidate) => candidate > value);
}

function firstIndex(ascending: readonly number[], holds: (value: number) => boolean): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(ascending[middle] as number)) to = middle;
    else from = middle + 1;
  }
  return from;
}
