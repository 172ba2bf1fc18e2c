import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { type ShiftEstimate, type ShiftInterval, studentizedShift, walshEstimate } from '../../stats/hodges-lehmann.ts';
import { logRatio, toPercent } from '../../stats/log-ratio.ts';
import { median } from '../../stats/quantiles.ts';
import { logSlack, resolve } from '../../stats/resolution.ts';
import { meanDifference, moments } from '../../stats/sums.ts';
import { meanChange } from '../../stats/welch.ts';
import { stepWidening } from './coarse.ts';
import { comparedArms, type Sample } from './sample.ts';

export type Percent = Comparison['percent'];

/**
 * The headline. With blocks: Hodges–Lehmann of the pairs' log ratios with the exact signed-rank interval. Without: of all ratios of a run of
 * the variant to one of the baseline, so that no change is below −100 %. All in percent of the baseline.
 */
export function percentChange(sample: Sample): Percent {
  const { x, y, pairs } = sample;
  const headline = pairs === null ? armsPercent(sample) : blocksPercent(sample);
  const logs = meanLog(sample);
  const arms = comparedArms(sample);
  const [a, b] = [arms.baseline, arms.variant].map((runs) => runs.map(({ energyJ }) => energyJ)) as [
    number[],
    number[],
  ];
  const both = x.length > 0 && y.length > 0;
  return {
    ...headline,
    of_means: both ? over(meanDifference(a, b), moments(a).mean) : null,
    of_medians: both ? over(medianDifference(a, b), median(a)) : null,
    mean_log: logs === null ? null : toPercent(logs.value),
    mean_log_ci95: logs?.ci95 ? toPercentInterval(logs.ci95) : null,
  };
}

type Headline = Pick<Percent, 'estimate' | 'ci95' | 'ci90' | 'confidence'>;

/** Percent from the blocks' log ratios; all values are null for none. */
export function ratioPercent(logRatios: readonly number[] | null): Headline {
  return headline(logRatios && walshEstimate(logRatios), toPercent);
}

/** Change by blocks, widened by a step if the meter is coarse. Without variation, or without blocks, there is no interval. */
function blocksPercent(sample: Sample): Headline {
  const { logRatios, constant } = sample;
  const found = logRatios && walshEstimate(logRatios);
  if (found && constant) return headline({ ...found, ci95: null, ci90: null }, toPercent);
  return headline(widened(found, stepWidening(sample).log), toPercent);
}

/** Change as the shift of the logarithms; null if an energy is not above zero. Without variation there is no interval. */
function armsPercent({ x, y, constant }: Sample): Headline {
  const shift = logShift(x, y);
  return headline(constant && shift !== null ? { ...shift, ci95: null, ci90: null } : shift, toPercent);
}

function logShift(x: readonly number[], y: readonly number[]): ShiftEstimate | null {
  const reference = x[0];
  if (reference === undefined || ![...x, ...y].every((energy) => energy > 0)) return null;
  const read = resolve(x, y);
  const logs = (values: readonly number[]): number[] => values.map((value) => logRatio(reference, value));
  return widened(
    studentizedShift(logs(read.x), logs(read.y)),
    logSlack(read.x, read.slackX) + logSlack(read.y, read.slackY),
  );
}

/** Shift of two samples, corrected for the resolution of their readings. */
export function resolvedShift(x: readonly number[], y: readonly number[]): ShiftEstimate | null {
  const read = resolve(x, y);
  return widened(studentizedShift(read.x, read.y), read.slackX + read.slackY);
}

function widened(shift: ShiftEstimate | null, by: number): ShiftEstimate | null {
  if (shift === null || by === 0) return shift;
  const wide = (found: ShiftInterval | null): ShiftInterval | null =>
    found && { ...found, interval: [found.interval[0] - by, found.interval[1] + by] };
  return { estimate: shift.estimate, ci95: wide(shift.ci95), ci90: wide(shift.ci90) };
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
  if (pairs !== null) return logRatios && meanChange({ pairs: logRatios });
  if (x.length === 0 || y.length === 0 || ![...x, ...y].every((energy) => energy > 0)) return null;
  const reference = x[0] as number;
  const logs = (energies: readonly number[]): number[] => energies.map((energy) => logRatio(reference, energy));
  return meanChange({ x: logs(x), y: logs(y) });
}

/** The interval if it has 95 % confidence; null: too few blocks, `ci95` then has the lower `confidence`. */
export function interval95({ ci95, confidence }: Pick<Percent, 'ci95' | 'confidence'>): Interval | null {
  return confidence !== null && confidence >= 0.95 ? ci95 : null;
}

export function toPercentInterval([low, high]: Interval): Interval {
  return [toPercent(low), toPercent(high)];
}

/** median(y) − median(x), centered on the same value first, since the mean of two middle values would lose digits. */
function medianDifference(x: readonly number[], y: readonly number[]): number {
  const reference = x[0] as number;
  return median(y.map((energy) => energy - reference)) - median(x.map((energy) => energy - reference));
}

function over(difference: number, reference: number): number | null {
  return reference > 0 ? (100 * difference) / reference : null;
}
