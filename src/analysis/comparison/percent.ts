import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { type ShiftEstimate, shiftEstimate, walshEstimate } from '../../stats/hodges-lehmann.ts';
import { logRatio, toPercent } from '../../stats/log-ratio.ts';
import { median } from '../../stats/quantiles.ts';
import { meanDifference, moments } from '../../stats/sums.ts';
import { pairedEstimate, tInterval, welchEstimate } from '../../stats/welch.ts';
import type { Sample } from './sample.ts';

export type Percent = Comparison['percent'];

/**
 * The headline. With blocks: Hodges–Lehmann of the pairs' log ratios with the exact signed-rank interval. Without: the two-sample
 * Hodges–Lehmann shift with its exact interval, over the baseline's median. All in percent of the baseline.
 */
export function percentChange(sample: Sample): Percent {
  const { x, y, pairs, logRatios } = sample;
  const headline = pairs === null ? shiftPercent(x, y) : ratioPercent(logRatios);
  const logs = meanLog(sample);
  return {
    ...headline,
    of_means: x.length > 0 && y.length > 0 ? over(meanDifference(x, y), moments(x).mean) : null,
    of_medians: x.length > 0 && y.length > 0 ? over(medianDifference(x, y), median(x)) : null,
    mean_log: logs === null ? null : toPercent(logs.value),
    mean_log_ci95: logs?.ci95 ? toPercentInterval(logs.ci95) : null,
  };
}

type Headline = Pick<Percent, 'estimate' | 'ci95' | 'ci90' | 'confidence'>;

/** Of log ratios by block; all null for none. */
export function ratioPercent(logRatios: readonly number[] | null): Headline {
  return headline(logRatios && walshEstimate(logRatios), toPercent);
}

function shiftPercent(x: readonly number[], y: readonly number[]): Headline {
  // An energy of zero or less has no percentage, whichever statistic would still be defined.
  const positive = x.length > 0 && [...x, ...y].every((energy) => energy > 0);
  const middle = positive ? median(x) : Number.NaN;
  return headline(positive ? shiftEstimate(x, y) : null, (shift) => (100 * shift) / middle);
}

function headline(shift: ShiftEstimate | null, percent: (value: number) => number): Headline {
  const ends = (interval: Interval | undefined): Interval | null =>
    interval ? [percent(interval[0]), percent(interval[1])] : null;
  return {
    estimate: shift && percent(shift.estimate),
    ci95: ends(shift?.ci95?.interval),
    ci90: ends(shift?.ci90?.interval),
    confidence: shift?.ci95?.confidence ?? null,
  };
}

/** Mean difference of the logarithms with its t interval: of the pairs, or Welch's of the arms; null where one is undefined. */
function meanLog({ x, y, pairs, logRatios }: Sample): { value: number; ci95: Interval | null } | null {
  if (pairs !== null) {
    if (logRatios === null) return null;
    const estimate = pairedEstimate(logRatios);
    return { value: moments(logRatios).mean, ci95: estimate && tInterval(estimate, 0.95) };
  }
  if (x.length === 0 || y.length === 0 || ![...x, ...y].every((energy) => energy > 0)) return null;
  const reference = x[0] as number;
  const a = x.map((energy) => logRatio(reference, energy));
  const b = y.map((energy) => logRatio(reference, energy));
  const estimate = welchEstimate(a, b);
  return { value: meanDifference(a, b), ci95: estimate && tInterval(estimate, 0.95) };
}

/** The interval where it holds with 95 %: of few blocks it is `ci95` with less, which `confidence` tells beside it. */
export function interval95({ ci95, confidence }: Pick<Percent, 'ci95' | 'confidence'>): Interval | null {
  return confidence !== null && confidence >= 0.95 ? ci95 : null;
}

export function toPercentInterval([low, high]: Interval): Interval {
  return [toPercent(low), toPercent(high)];
}

/** median(y) − median(x), centred on the same value first: a mean of two middle values would round away what is small beside them. */
function medianDifference(x: readonly number[], y: readonly number[]): number {
  const reference = x[0] as number;
  return median(y.map((energy) => energy - reference)) - median(x.map((energy) => energy - reference));
}

function over(difference: number, reference: number): number | null {
  return reference > 0 ? (100 * difference) / reference : null;
}
