import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { fisherExact } from '../../stats/fisher-exact.ts';
import { flagged, mad, median } from '../../stats/quantiles.ts';
import { moments } from '../../stats/sums.ts';
import { pairedEstimate, tInterval, welchEstimate } from '../../stats/welch.ts';
import { isInside } from '../verdict.ts';
import type { ComparedRun } from './pairing.ts';
import { interval95, type Percent, ratioPercent } from './percent.ts';
import { comparedArms, type Sample } from './sample.ts';

type Tail = Comparison['tail'];

/** Names of the variants, and the margin that a change must exceed to matter. */
export interface TailOptions {
  readonly baseline: string;
  readonly variant: string;
  readonly marginPercent: number;
}

/** Maximum number of outlying runs that are named. */
const MAX_FAR = 5;
/** Normal distribution: standard deviation per MAD, and half-width of a 95 % interval per standard deviation. */
const [SD_PER_MAD, SD_PER_HALF] = [1.4826, 1.96];

/** Difference between the change of the means, which costs depend on, and the Hodges–Lehmann estimate, and the runs that cause it. */
export function tailNumbers(sample: Sample, percent: Percent, options: TailOptions): Tail {
  const { logRatios } = sample;
  const { baseline, variant } = comparedArms(sample);
  const { of_means, mean_log, estimate } = percent;
  const ends = logRatios === null ? interval95(percent) : walshEnds(logRatios);
  const [a, b] = [flaggedRuns(baseline), flaggedRuns(variant)];
  const limit = Math.log1p(options.marginPercent / 100);
  const influence = influences(sample, estimate);
  const far = [
    ...farRuns(baseline, limit).map((run) => ({ of: options.baseline, run })),
    ...farRuns(variant, limit).map((run) => ({ of: options.variant, run })),
  ]
    .map((found) => ({ ...found, pull: influence.get(found.run) ?? 0 }))
    // An outlier that moves the mean towards the estimate does not explain the difference.
    .filter(({ pull }) => pull > 0)
    .sort((one, other) => other.pull - one.pull);
  const means = meansInterval(sample);
  const known = of_means !== null && of_means > -100 && estimate !== null && estimate > -100;
  return {
    disagreement: mean_log === null || estimate === null ? null : apart(mean_log, estimate),
    half_width: ends && (Math.log1p(ends[1] / 100) - Math.log1p(ends[0] / 100)) / 2,
    flags_p: a === null || b === null ? null : fisherExact(a.length, baseline.length, b.length, variant.length),
    of_means_apart: known ? apart(of_means, estimate) : null,
    apart_limit: known ? Math.max(limit, usualHalfWidth(sample)) : null,
    far: far.slice(0, MAX_FAR).map(({ of, run }) => ({ variant: of, run: run.run, energy_j: run.energyJ })),
    far_count: far.length,
    means_ci90: means,
    means_leave_margin:
      percent.ci90 !== null &&
      isInside(percent.ci90, options.marginPercent) &&
      means !== null &&
      !isInside(means, options.marginPercent),
  };
}

/** Difference of two changes in percent, as logarithms of their ratios. */
function apart(one: number, other: number): number {
  return Math.abs(Math.log1p(one / 100) - Math.log1p(other / 100));
}

/** Interval in percent for a fixed number of blocks: a repeated interval is wider and does not show the noise. */
function walshEnds(logRatios: readonly number[]): Interval | null {
  return interval95(ratioPercent(logRatios));
}

/**
 * Whether the change of the arithmetic means and the Hodges–Lehmann estimate disagree: they differ by more than the
 * margin and more than the usual half-width (from the MAD, which a few outliers can't change), or only the interval of the means leaves
 * the margin. Also if the mean log ratio and the
 * estimate differ by more than the half-width of its interval, or one arm has more flagged runs (Fisher's exact p < 0.05). Null if the
 * means don't show it and there is no 95 % interval.
 */
export function isTailEffect(tail: Tail): boolean | null {
  const { disagreement, half_width: half, flags_p: p, of_means_apart: apart, apart_limit: limit } = tail;
  if (tail.means_leave_margin || (apart !== null && limit !== null && apart > limit)) return true;
  if (half === null || disagreement === null) return null;
  // An interval of width 0 (heavy ties) is no measure of disagreement.
  return (half > 0 && disagreement > half) || (p !== null && p < 0.05);
}

/** Runs flagged by the modified z of ln E in their arm; null if it is undefined. */
export function flaggedRuns(runs: readonly ComparedRun[]): ComparedRun[] | null {
  if (!runs.every((run) => run.energyJ > 0)) return null;
  return flagged(runs.map((run) => Math.log(run.energyJ)))?.map((i) => runs[i] as ComparedRun) ?? null;
}

/** The flagged runs; if most runs are exactly equal, those that deviate by more than the margin (`limit`, of ln E). */
function farRuns(runs: readonly ComparedRun[], limit: number): readonly ComparedRun[] {
  if (runs.length === 0 || !runs.every((run) => run.energyJ > 0)) return [];
  const middle = Math.log(median(runs.map((run) => run.energyJ)));
  return flaggedRuns(runs) ?? runs.filter((run) => Math.abs(Math.log(run.energyJ) - middle) > limit);
}

/** How much closer the change of the means gets to `estimate` (percent) without the run or its block; logarithms. */
function influences(sample: Sample, estimate: number | null): ReadonlyMap<ComparedRun, number> {
  const { baseline, variant } = comparedArms(sample);
  const sum = (runs: readonly ComparedRun[]): number => runs.reduce((total, run) => total + run.energyJ, 0);
  const [a, b] = [sum(baseline), sum(variant)];
  const found = new Map<ComparedRun, number>();
  if (estimate === null || !(a > 0 && b > 0)) return found;
  // Means from sums: leaving out a block removes a run of each arm.
  const from = (energyA: number, energyB: number, countA: number, countB: number): number =>
    Math.abs(
      Math.log((b - energyB) / (variant.length - countB)) -
        Math.log((a - energyA) / (baseline.length - countA)) -
        Math.log1p(estimate / 100),
    );
  const all = from(0, 0, 0, 0);
  if (sample.pairs !== null) {
    for (const pair of sample.pairs) {
      const closer = all - from(pair.baseline.energyJ, pair.variant.energyJ, 1, 1);
      found.set(pair.baseline, closer).set(pair.variant, closer);
    }
    return found;
  }
  for (const run of baseline) found.set(run, all - from(run.energyJ, 0, 1, 0));
  for (const run of variant) found.set(run, all - from(0, run.energyJ, 0, 1));
  return found;
}

/** 90 % interval of the change of the means, percent of the baseline's: by t of the blocks' differences, or Welch's. */
function meansInterval(sample: Sample): Interval | null {
  const { x, y, pairs } = sample;
  const energies = comparedArms(sample).baseline.map((run) => run.energyJ);
  const mean = energies.length === 0 ? 0 : moments(energies).mean;
  const estimate =
    pairs === null
      ? welchEstimate(x, y)
      : pairedEstimate(pairs.map((pair) => pair.variant.energyJ - pair.baseline.energyJ));
  if (estimate === null || !(mean > 0)) return null;
  const [low, high] = tInterval(estimate, 0.9);
  return [(100 * low) / mean, (100 * high) / mean];
}

/** Half-width of a 95 % interval of log ratios with the noise of most runs, without outliers. */
function usualHalfWidth({ x, y, logRatios }: Sample): number {
  const error = (values: readonly number[]): number => (SD_PER_MAD * mad(values)) / Math.sqrt(values.length);
  const logs = (energies: readonly number[]): number[] => energies.map((energy) => Math.log(energy));
  return SD_PER_HALF * (logRatios === null ? Math.hypot(error(logs(x)), error(logs(y))) : error(logRatios));
}
