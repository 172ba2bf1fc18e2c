import type { Prepared } from './level.ts';

/** Experiments that are needed on each side of a step. */
export const LEAST_SIDE = 3;

/** Points [from, to) of a line, parted before the point `at`. */
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
export function eachCut(
  line: Prepared,
  from: number,
  to: number,
  visit: (at: number, value: number, se: number) => void,
): void {
  const { values, weights } = line;
  // Around the first value: the sums lose no digits.
  const origin = values[from]!;
  let weight = 0;
  let sum = 0;
  for (let i = from; i < to; i++) {
    weight += weights[i]!;
    sum += weights[i]! * (values[i]! - origin);
  }
  let before = 0;
  let beforeSum = 0;
  for (let at = from + 1; at <= to - LEAST_SIDE; at++) {
    before += weights[at - 1]!;
    beforeSum += weights[at - 1]! * (values[at - 1]! - origin);
    if (at - from < LEAST_SIDE) continue;
    const behind = weight - before;
    const variance = line.varianceOfMean(at - from) / before + line.varianceOfMean(to - at) / behind;
    visit(at, (sum - beforeSum) / behind - beforeSum / before, Math.sqrt(variance));
  }
}

/** The most convincing place in [from, to); null: too few points, or they don't scatter at all. */
export function bestSplit(line: Prepared, from: number, to: number): Split | null {
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
export function differenceAt(line: Prepared, { from, at, to }: Cut): Difference {
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
export function* stretches(from: number, to: number): Generator<readonly [number, number]> {
  const n = to - from;
  for (let length = n; length >= 2 * LEAST_SIDE; length /= 2) {
    const count = length === n ? 1 : 2 * Math.ceil(n / length) - 1;
    const shift = count === 1 ? 0 : (n - length) / (count - 1);
    for (let i = 0; i < count; i++) {
      yield [from + Math.floor(i * shift), Math.min(to, from + Math.ceil(i * shift + length))];
    }
  }
}

/** The most convincing split of all stretches inside [from, to). */
export function bestOfStretches(line: Prepared, from: number, to: number): Split | null {
  let best: Split | null = null;
  for (const [start, end] of stretches(from, to)) {
    const split = bestSplit(line, start, end);
    if (split !== null && (best === null || split.z > best.z)) best = split;
  }
  return best;
}
