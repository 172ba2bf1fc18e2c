import { sum } from 'simple-statistics';
import type { Distribution, Interval } from '../findings/numbers.ts';
import { quantileOfSorted } from './quantiles.ts';
import { moments, residuals, sorted } from './sums.ts';

/**
 * The shape of some values beyond their summary: coefficient of variation, outer quantiles (type 7), G1 and G2 (skewness and excess kurtosis,
 * corrected for small samples), the mean without the lowest and highest fifth, and the order-statistic interval of the median. Null for none.
 */
export function distribution(values: readonly number[]): Distribution | null {
  if (values.length === 0) return null;
  const ascending = sorted(values);
  const { n, mean, variance } = moments(values);
  const cut = Math.floor(0.2 * n);
  const middle = medianInterval(ascending);
  return {
    cv: variance === null || !(mean > 0) ? null : Math.sqrt(variance) / mean,
    q05: quantileOfSorted(ascending, 0.05),
    q95: quantileOfSorted(ascending, 0.95),
    iqr: quantileOfSorted(ascending, 0.75) - quantileOfSorted(ascending, 0.25),
    ...shape(values),
    trimmed_mean_20: moments(ascending.slice(cut, n - cut)).mean,
    median_ci95: middle?.interval ?? null,
    median_confidence: middle?.confidence ?? null,
  };
}

function shape(values: readonly number[]): Pick<Distribution, 'skewness' | 'excess_kurtosis'> {
  const n = values.length;
  const left = residuals(values);
  const power = (k: number): number => sum(left.map((r) => r ** k)) / n;
  const m2 = power(2);
  if (!(m2 > 0)) return { skewness: null, excess_kurtosis: null };
  return {
    skewness: n < 3 ? null : ((Math.sqrt(n * (n - 1)) / (n - 2)) * power(3)) / m2 ** 1.5,
    excess_kurtosis: n < 4 ? null : ((n - 1) / ((n - 2) * (n - 3))) * (((n + 1) * power(4)) / (m2 * m2) - 3 * (n - 1)),
  };
}

/** Order-statistic interval of the median: from the k-th smallest to the k-th largest value, with the largest k ≥ 1 that reaches 95 %. */
function medianInterval(ascending: readonly number[]): { interval: Interval; confidence: number } | null {
  const n = ascending.length;
  // Above 1000 values 2⁻ⁿ underflows to 0.
  if (n < 2 || n > 1000) return null;
  let k = 1;
  let below = 2 ** -n;
  let next = below * n;
  while (k < n / 2 && below + next <= 0.025) {
    below += next;
    next *= (n - k) / (k + 1);
    k++;
  }
  return { interval: [ascending[k - 1] as number, ascending[n - k] as number], confidence: 1 - 2 * below };
}
