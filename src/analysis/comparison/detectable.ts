import type { Interval } from '../../findings/numbers.ts';
import { normalQuantile } from '../../stats/normal.ts';

/** (z₀.₉₇₅ + z₀.₈₀)/z₀.₉₇₅: from the half-width of a 95 % interval to the change found with 80 % power. */
export const DETECTABLE_PER_HALF_WIDTH = 1.43;

/**
 * The smallest change in percent that such runs would find with 80 % power. It uses the width of the headline's interval, so it belongs to
 * the deciding test even with outliers, and never the observed effect. `family`: how many comparisons are judged together by Holm's method, whose strictest level counts, as in
 * `chanceToSettle`. Null if the interval is a point.
 */
export function detectableRatio(ci95: Interval | null, family = 1): number | null {
  if (ci95 === null || !(ci95[1] > ci95[0])) return null;
  const halfWidth = (Math.log1p(ci95[1] / 100) - Math.log1p(ci95[0] / 100)) / 2;
  return 100 * Math.expm1(detectablePerHalfWidth(family) * halfWidth);
}

/** (z + z₀.₈₀)/z₀.₉₇₅, z at the strictest level of Holm's method for so many comparisons. */
export const detectablePerHalfWidth = (family: number): number =>
  DETECTABLE_PER_HALF_WIDTH - 1 + normalQuantile(1 - 0.025 / Math.max(1, family)) / normalQuantile(0.975);
