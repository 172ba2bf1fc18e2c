import { sorted } from './sums.ts';

/**
 * Hartigan's dip: the largest distance between the empirical distribution function and the unimodal one closest to it (Hartigan and
 * Hartigan 1985, "The dip test of unimodality", Annals of Statistics 13: the algorithm of its section 3). From 1/(2n) to 1/4.
 * Throws RangeError for no values.
 */
export function dip(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('dip of no values');
  const steps = stepsOf(values);
  let low = 0;
  let high = steps.at.length - 1;
  let gap = 1 / values.length;
  for (;;) {
    const convex = hull(steps.at, steps.before, low, high, 1);
    const concave = hull(steps.at, steps.after, low, high, -1);
    const widest = widestGap(steps, convex, concave);
    if (widest.gap <= gap) break;
    gap = Math.max(gap, farthest(steps, convex, concave, low, widest.low, widest.high, high));
    if (widest.low === low && widest.high === high) break;
    low = widest.low;
    high = widest.high;
  }
  return gap / 2;
}

/** The empirical distribution function: where it steps, and its values on both sides of each step. */
interface Steps {
  readonly at: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function stepsOf(values: readonly number[]): Steps {
  const ascending = sorted(values);
  const n = ascending.length;
  const ends = ascending.flatMap((value, i) => (value === ascending[i + 1] ? [] : [i]));
  const after = ends.map((i) => (i + 1) / n);
  return { at: ends.map((i) => ascending[i] as number), before: [0, ...after.slice(0, -1)], after };
}

/** Places at which the greatest convex minorant (`bend` 1) or the least concave majorant (−1) of the points low … high touches them. */
function hull(x: readonly number[], y: readonly number[], low: number, high: number, bend: 1 | -1): number[] {
  const places: number[] = [];
  const slope = (i: number, j: number): number =>
    ((y[j] as number) - (y[i] as number)) / ((x[j] as number) - (x[i] as number));
  for (let k = low; k <= high; k++) {
    while (places.length >= 2) {
      const [i, j] = places.slice(-2) as [number, number];
      if (bend * (slope(j, k) - slope(i, j)) > 0) break;
      places.pop();
    }
    places.push(k);
  }
  return places;
}

/** Height of the line through the hull's places at place k. */
function heightAt({ at }: Steps, y: readonly number[], places: readonly number[], k: number): number {
  const next = places.findIndex((place) => place >= k);
  const j = places[next] as number;
  if (j === k || next === 0) return y[j] as number;
  const i = places[next - 1] as number;
  const share = ((at[k] as number) - (at[i] as number)) / ((at[j] as number) - (at[i] as number));
  return (y[i] as number) + share * ((y[j] as number) - (y[i] as number));
}

function widestGap(steps: Steps, convex: readonly number[], concave: readonly number[]) {
  let found = { gap: 0, low: convex[0] as number, high: concave.at(-1) as number };
  const visit = (k: number, low: number, high: number): void => {
    const gap = heightAt(steps, steps.after, concave, k) - heightAt(steps, steps.before, convex, k);
    if (gap > found.gap) found = { gap, low, high };
  };
  for (const k of concave) visit(k, convex.findLast((place) => place <= k) as number, k);
  for (const k of convex) visit(k, k, concave.find((place) => place >= k) as number);
  return found;
}

/**
 * Largest distance from the function to the minorant left of the modal interval, or to the majorant right of it. A step at the mode itself
 * is ignored, since a unimodal distribution may have one there.
 */
function farthest(
  steps: Steps,
  convex: readonly number[],
  concave: readonly number[],
  low: number,
  modeLow: number,
  modeHigh: number,
  high: number,
): number {
  let most = 0;
  for (let k = low; k < modeLow; k++) {
    most = Math.max(most, (steps.after[k] as number) - heightAt(steps, steps.before, convex, k));
  }
  for (let k = modeHigh + 1; k <= high; k++) {
    most = Math.max(most, heightAt(steps, steps.after, concave, k) - (steps.before[k] as number));
  }
  return most;
}

const MIN_VALUES = 10;

/**
 * 95 % quantile of √n · dip for the uniform distribution, the unimodal one that is hardest to tell from several modes (Hartigan and
 * Hartigan 1985). From 200,000 simulated samples per size, 4·10⁷/n above 200. Normal data exceed it in far fewer than 5 % of samples.
 */
const LIMITS: readonly (readonly [n: number, limit: number])[] = [
  [10, 0.4413],
  [15, 0.4594],
  [20, 0.47],
  [30, 0.4834],
  [40, 0.4914],
  [60, 0.5009],
  [100, 0.5102],
  [200, 0.5212],
  [500, 0.5299],
  [1000, 0.5349],
];

/**
 * Tests whether the values form several groups: √n · dip, and the limit that 5 % of uniform samples exceed. Null for fewer than ten values, or
 * when fewer than half of them are distinct: then the meter's resolution makes the groups.
 */
export function dipTest(values: readonly number[]): { readonly scaled: number; readonly limit: number } | null {
  const n = values.length;
  if (n < MIN_VALUES || new Set(values).size < n / 2) return null;
  return { scaled: Math.sqrt(n) * dip(values), limit: limitOf(n) };
}

/** The limit for n values, interpolated linearly in 1/√n between the sizes of the table. */
function limitOf(n: number): number {
  const next = LIMITS.findIndex(([size]) => size >= n);
  if (next <= 0) return (LIMITS.at(next) as [number, number])[1];
  const [small, atSmall] = LIMITS[next - 1] as [number, number];
  const [large, atLarge] = LIMITS[next] as [number, number];
  const share = (small ** -0.5 - n ** -0.5) / (small ** -0.5 - large ** -0.5);
  return atSmall + share * (atLarge - atSmall);
}
