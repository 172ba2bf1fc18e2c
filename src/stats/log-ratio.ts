/**
 * ln(value/baseline) of two positive numbers, through their difference where they are close, so that a ratio near one keeps all its
 * digits.
 */
export function logRatio(baseline: number, value: number): number {
  const ratio = value / baseline;
  return ratio > 0.5 && ratio < 2 ? Math.log1p((value - baseline) / baseline) : Math.log(ratio);
}

/** The double above −100: no ratio of positive numbers is a change of −100 %, however it rounds. */
const MIN_PERCENT = -100 * (1 - 2 ** -53);

/** Lowest change inside a margin, percent: the reciprocal of the highest, so that neither variant is favored. Without a margin: 0. */
export const lowestInside = (marginPercent: number): number => (-100 * marginPercent) / (100 + marginPercent);

/** A difference of natural logarithms as percent: 100·(e^d − 1), above −100. */
export function toPercent(logDifference: number): number {
  return Math.max(100 * Math.expm1(logDifference), MIN_PERCENT);
}
