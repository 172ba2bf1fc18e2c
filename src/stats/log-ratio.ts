/**
 * ln(value/baseline) of two positive numbers, through their difference where they are close, so that a ratio near one keeps all its
 * digits.
 */
export function logRatio(baseline: number, value: number): number {
  const ratio = value / baseline;
  return ratio > 0.5 && ratio < 2 ? Math.log1p((value - baseline) / baseline) : Math.log(ratio);
}

/** A difference of natural logarithms as percent: 100·(e^d − 1). */
export function toPercent(logDifference: number): number {
  return 100 * Math.expm1(logDifference);
}
