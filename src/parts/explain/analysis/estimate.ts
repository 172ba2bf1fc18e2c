import type { ExplainLine } from '../../../findings/explain.ts';
import type { Interval } from '../../../findings/numbers.ts';
import { confidencesOfFound, familyRates } from '../../../stats/adjust.ts';
import { moments } from '../../../stats/sums.ts';
import { type Estimate, satterthwaite, type TTest, tInterval, tTest } from '../../../stats/welch.ts';

/** Minimum number of runs of a variant. */
export const MIN_RUNS = 2;

export interface LineValues {
  readonly kind: ExplainLine['kind'];
  /** One value per run. */
  readonly baseline: readonly number[];
  readonly variant: readonly number[];
  /** Processor time that one sample represents, seconds; 0: the values are no sums of samples. */
  readonly grainS: number;
}

/**
 * Test and interval if all values may have a common systematic error: `most` is the resulting error of the difference. Only what exceeds it is
 * tested, and the interval is wider by it.
 */
export function boundedTest(estimate: Estimate, most: number): Pick<TTest, 'p'> & { readonly ci95: Interval } {
  const { value } = estimate;
  const beyond = Math.sign(value) * Math.max(0, Math.abs(value) - most);
  return { p: tTest({ ...estimate, value: beyond }).p, ci95: boundedInterval(estimate, most, 0.95) };
}

export function boundedInterval(estimate: Estimate, most: number, confidence: number): Interval {
  const [lower, upper] = tInterval(estimate, confidence);
  return [lower - most, upper + most];
}

/** Minimum standard deviation of a count: equal counts in all runs may differ by one in the next. */
const MIN_COUNT_SD = 0.5;
/** Minimum standard deviation of a call's time: servers report sums in whole microseconds. */
const MIN_CALL_SD_S = 1e-7;

/** Minimum standard deviation of a wait: threads are not woken at exactly the same time. */
const MIN_WAIT_SD_S = 0.001;

/**
 * Difference of means with the standard error between runs, and Satterthwaite's degrees of freedom. A few runs may agree by chance, so the
 * standard error has a minimum: sums of samples vary like their number (Poisson, at least 1), faults and switches like their own number, calls by
 * half a call. Null: below two runs.
 */
export function lineEstimate({ kind, baseline, variant, grainS }: LineValues): Estimate | null {
  if (baseline.length < 2 || variant.length < 2) return null;
  const parts = [baseline, variant].map((values) => {
    const { mean, variance } = moments(values);
    return { mean, ofMean: Math.max(variance ?? 0, leastVariance(kind, mean, grainS)) / values.length };
  });
  const [x, y] = parts as [(typeof parts)[number], (typeof parts)[number]];
  const combined = x.ofMean + y.ofMean;
  const value = y.mean - x.mean;
  if (!(combined > 0)) return { value, se: 0, df: baseline.length + variant.length - 2 };
  return { value, se: Math.sqrt(combined), df: satterthwaite(x.ofMean, baseline.length, y.ofMean, variant.length) };
}

/** Whether all runs of each variant are equal: then a count is shown without an interval. */
export const areAlike = ({ baseline, variant }: Pick<LineValues, 'baseline' | 'variant'>): boolean =>
  [baseline, variant].every((values) => values.every((value) => value === values[0]));

function leastVariance(kind: ExplainLine['kind'], mean: number, grainS: number): number {
  switch (kind) {
    case 'function':
    case 'group':
      return grainS * (mean + grainS);
    case 'fault':
    case 'switch':
    case 'counter':
      return mean + MIN_COUNT_SD ** 2;
    case 'syscall':
    case 'error':
      return MIN_COUNT_SD ** 2;
    case 'off-cpu':
      return MIN_WAIT_SD_S ** 2;
    case 'bytes':
      return 1;
    case 'command':
      return MIN_COUNT_SD ** 2;
    case 'ratio':
      return 0;
    case 'command-time':
      return MIN_CALL_SD_S ** 2;
  }
}

/** False discovery rate of the shown lines. */
export const FALSE_DISCOVERIES = 0.05;

/** What passes the false discovery rate, over all of its family and over the families, with q and the confidence of its interval. */
export function discovered<Of extends { readonly p: number }>(families: readonly (readonly Of[])[]) {
  const rates = familyRates(
    families.map((family) => family.map(({ p }) => p)),
    FALSE_DISCOVERIES,
  );
  const confidences = confidencesOfFound(rates, FALSE_DISCOVERIES);
  return families.map((family, f) => {
    const all = family.map((of, i) => ({ of, q: rates[f]?.[i] ?? 1, confidence: confidences[f] as number }));
    return all.filter(({ q }) => q < FALSE_DISCOVERIES);
  });
}

/** The largest differences first. */
export const byDifference = (a: { readonly difference: number }, b: { readonly difference: number }): number =>
  Math.abs(b.difference) - Math.abs(a.difference);
