import type { Interval } from '../../../../findings/numbers.ts';
import { tQuantile } from '../../../../stats/student.ts';
import { type LevelPoint, type Prepared, prepare } from './level.ts';

/** A significant change of level. */
export interface Step {
  /** Index of the first point behind it. */
  readonly at: number;
  /** Range of plausible positions: first and last index. */
  readonly range: readonly [number, number];
  /** Level behind against level before, percent. */
  readonly percent: number;
  readonly ci95: Interval;
  /** Difference in standard errors. */
  readonly z: number;
}

/** Minimum points of a line with steps, since a shorter one does not show its scatter. */
export const MIN_POINTS = 8;

/** Plausible positions: maximum −2 ln of the likelihood ratio to the best one, about 95 % (Siegmund 1988, Int. Statist. Rev. 56, 31). */
const PLACE_RATIO = 7;

/**
 * Changes of level in a line of experiments, in order. Binary segmentation over stretches of all lengths: the most convincing split that
 * passes the threshold is a step, and both sides are looked through again; then every step is placed anew between its neighbors, and one that no
 * longer passes goes. The same points give the same steps. A line of one value only, or of too few, has none.
 */
export function findSteps(points: readonly LevelPoint[]): Step[] {
  if (points.length < MIN_POINTS) return [];
  const line = prepare(points);
  if (!(line.varianceOfMean(1) > 0)) return [];
  const limit = threshold(points.length);
  const places = settle(line, segment(line, 0, points.length, limit), points.length, limit);
  return places.map((split) => stepOf(line, split));
}

function segment(line: Prepared, from: number, to: number, limit: number): number[] {
  const found: number[] = [];
  const open: (readonly [number, number])[] = [[from, to]];
  for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
    const split = bestOfStretches(line, ...stretch);
    if (split === null || split.z <= limit) continue;
    found.push(split.at);
    open.push([stretch[0], split.at], [split.at, stretch[1]]);
  }
  return found.sort((a, b) => a - b);
}

function settle(line: Prepared, found: readonly number[], end: number, limit: number): Split[] {
  let places = [...found];
  for (;;) {
    const splits = places.map((at, i) => between(line, places[i - 1] ?? 0, at, places[i + 1] ?? end));
    const weakest = splits.reduce<number>((least, { z }, i) => (z < (splits[least]?.z ?? Infinity) ? i : least), 0);
    if (splits.length === 0 || splits[weakest]!.z > limit) return splits;
    places = places.filter((_, i) => i !== weakest);
  }
}

/** The best place between the steps on both sides; where it was, if they leave too little room. */
function between(line: Prepared, from: number, at: number, to: number): Split {
  return bestSplit(line, from, to) ?? { from, at, to, z: 0 };
}

function stepOf(line: Prepared, split: Split): Step {
  const { value, se } = differenceAt(line, split);
  const half = tQuantile(0.975, line.df) * se;
  return {
    at: split.at,
    range: findRange(line, split),
    percent: percentOf(value),
    ci95: [percentOf(value - half), percentOf(value + half)],
    z: split.z,
  };
}

function findRange(line: Prepared, { from, at, to }: Cut): readonly [number, number] {
  const best = squareAt(line, { from, at, to });
  let first = at;
  let last = at;
  eachCut(line, from, to, (here, value, se) => {
    if ((value / se) ** 2 < best - PLACE_RATIO) return;
    first = Math.min(first, here);
    last = Math.max(last, here);
  });
  return [first, last];
}

function squareAt(line: Prepared, place: Cut): number {
  const { value, se } = differenceAt(line, place);
  return (value / se) ** 2;
}

const percentOf = (log: number): number => 100 * Math.expm1(log);

/**
 * Standard errors that a difference of levels must exceed in a line of n experiments. Found by simulation, so that a line without any step shows one
 * in at most 1 of 100 cases, also where neighbors correlate by 0.5 or up to six experiments in a row share half of their variance, and with the heavy
 * tails of Student's t with 3 degrees of freedom. Independent experiments would allow 4 to 5; short lines know too little of their own
 * correlation. `node __tests__/simulate/steps.ts` prints the rates.
 */
function threshold(n: number): number {
  if (n < 16) return 11;
  if (n < 48) return 7.5;
  return 6 + 1.25 * Math.log10(n / 48);
}

/** Minimum experiments on each side of a step. */
const MIN_SIDE = 3;

/** Points [from, to) of a line, split before the point `at`. */
export interface Cut {
  readonly from: number;
  readonly at: number;
  readonly to: number;
}

export interface Split extends Cut {
  /** Difference of the two sides in its standard errors, without its sign. */
  readonly z: number;
}

/** Behind minus before (natural logarithms, weighted means) and its standard error. */
export interface Difference {
  readonly value: number;
  readonly se: number;
}

/** Calls `visit` with every possible place in [from, to), in order, and the difference there (CUSUM). */
function eachCut(
  line: Prepared,
  from: number,
  to: number,
  visit: (at: number, value: number, se: number) => void,
): void {
  const { values, weights } = line;
  // Relative to the first value, so that sums lose no digits.
  const origin = values[from]!;
  let weight = 0;
  let sum = 0;
  for (let i = from; i < to; i++) {
    weight += weights[i]!;
    sum += weights[i]! * (values[i]! - origin);
  }
  let before = 0;
  let beforeSum = 0;
  for (let at = from + 1; at <= to - MIN_SIDE; at++) {
    before += weights[at - 1]!;
    beforeSum += weights[at - 1]! * (values[at - 1]! - origin);
    if (at - from < MIN_SIDE) continue;
    const behind = weight - before;
    const variance = line.varianceOfMean(at - from) / before + line.varianceOfMean(to - at) / behind;
    visit(at, (sum - beforeSum) / behind - beforeSum / before, Math.sqrt(variance));
  }
}

/** The most convincing place in [from, to); null: too few points, or they don't scatter at all. */
function bestSplit(line: Prepared, from: number, to: number): Split | null {
  let best = -1;
  let bestZ = -1;
  eachCut(line, from, to, (at, value, se) => {
    const z = Math.abs(value) / se;
    if (z > bestZ) {
      best = at;
      bestZ = z;
    }
  });
  return best < 0 ? null : { from, at: best, to, z: bestZ };
}

/** The difference at one place. */
function differenceAt(line: Prepared, { from, at, to }: Cut): Difference {
  let found: Difference = { value: 0, se: Number.POSITIVE_INFINITY };
  eachCut(line, from, to, (here, value, se) => {
    if (here === at) found = { value, se };
  });
  return found;
}

/**
 * Stretches of every length, so that two steps that undo one another are seen too; O(n log n) points in all. Each is half as long as
 * the one before, and they overlap by half (seeded intervals: Kovács, Bühlmann, Li and Munk 2023, Biometrika 110, 249).
 */
function* stretches(from: number, to: number): Generator<readonly [number, number]> {
  const n = to - from;
  for (let length = n; length >= 2 * MIN_SIDE; length /= 2) {
    const count = length === n ? 1 : 2 * Math.ceil(n / length) - 1;
    const shift = count === 1 ? 0 : (n - length) / (count - 1);
    for (let i = 0; i < count; i++) {
      yield [from + Math.floor(i * shift), Math.min(to, from + Math.ceil(i * shift + length))];
    }
  }
}

/** The most convincing split of all stretches inside [from, to). */
function bestOfStretches(line: Prepared, from: number, to: number): Split | null {
  let best: Split | null = null;
  for (const [start, end] of stretches(from, to)) {
    const split = bestSplit(line, start, end);
    if (split !== null && (best === null || split.z > best.z)) best = split;
  }
  return best;
}
