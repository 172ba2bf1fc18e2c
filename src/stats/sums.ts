import { sum } from 'simple-statistics';

export interface Moments {
  readonly n: number;
  readonly mean: number;
  /** Sample variance, with n − 1 in the denominator; null below two values. */
  readonly variance: number | null;
}

/**
 * Mean and sample variance, centered on a reference before anything is summed (Neumaier sums), so that no digits are lost where the
 * values are large against their spread. Throws RangeError for no values.
 */
export function moments(values: readonly number[]): Moments {
  const reference = values[0];
  if (reference === undefined) throw new RangeError('moments of no values');
  const n = values.length;
  const centeredMean = meanFrom(values, reference);
  if (n < 2) return { n, mean: reference, variance: null };
  const residuals = values.map((value) => value - reference - centeredMean);
  const correction = sum(residuals) ** 2 / n;
  const squares = sum(residuals.map((residual) => residual * residual));
  return { n, mean: reference + centeredMean, variance: Math.max(0, squares - correction) / (n - 1) };
}

/** Plain mean without compensation, for values that are not large against their spread; NaN for none. */
export const mean = (values: readonly number[]): number =>
  values.reduce((all, value) => all + value, 0) / values.length;

/** mean(values) − reference, without forming the mean itself. */
export function meanFrom(values: readonly number[], reference: number): number {
  return sum(values.map((value) => value - reference)) / values.length;
}

/** mean(y) − mean(x), both centered on the same value first. */
export function meanDifference(x: readonly number[], y: readonly number[]): number {
  const reference = x[0] as number;
  return meanFrom(y, reference) - meanFrom(x, reference);
}

/** Each value minus the mean, centered first so that no digits are lost. */
export function residuals(values: readonly number[]): number[] {
  const centered = values.map((value) => value - (values[0] as number));
  const { mean } = moments(centered);
  return centered.map((value) => value - mean);
}

/** True when every value is the same, so that no scale can be estimated from them. */
export function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

/** Sorted copy, ascending. */
export function sorted(values: readonly number[]): number[] {
  return [...Float64Array.from(values).sort()];
}
