import type { Comparison, Inconclusive } from '../findings/comparison.ts';
import { adjustSeveral, confidencesOfFound } from '../stats/adjust.ts';
import { shiftEstimate, walshInterval } from '../stats/hodges-lehmann.ts';
import { meanDifference, moments } from '../stats/sums.ts';
import { tTest, welchEstimate } from '../stats/welch.ts';
import { alternatives } from './comparison/alternatives.ts';
import { joulesChange } from './comparison/change.ts';
import { coarseBlocks, inPercent, stepWidening } from './comparison/coarse.ts';
import { blockGroups, contradiction, driftOfDifference } from './comparison/contradictions.ts';
import { descriptive } from './comparison/descriptive.ts';
import { detectableRatio } from './comparison/detectable.ts';
import { effectSizes } from './comparison/effect.ts';
import { holmOf, suiteFamily } from './comparison/family.ts';
import { type Interims, interimAt } from './comparison/interim.ts';
import type { ComparedRun } from './comparison/pairing.ts';
import { type Percent, percentChange } from './comparison/percent.ts';
import { comparedArms, type Sample, takeSample } from './comparison/sample.ts';
import { sensitivity } from './comparison/sensitivity.ts';
import { tailNumbers } from './comparison/tail.ts';
import { tests } from './comparison/tests.ts';
import { openFamily, settledBy } from './comparison/to-settle.ts';
import { durationP, typicalEnergy, typicalRuns } from './comparison/typical.ts';
import { whyUndefined } from './comparison/undefined.ts';
import { explain } from './comparison/why.ts';
import { decideChecked, isOpen } from './verdict.ts';

export type { ComparedRun } from './comparison/pairing.ts';

export interface CompareOptions {
  /** Display name of the baseline; `variant` likewise. */
  readonly baseline: string;
  readonly variant: string;
  readonly channel: string;
  /** Equivalence margin, percent; above 0. */
  readonly marginPercent: number;
  /** Seed of the plan, for the random signs of the sign-flip test. */
  readonly seed: number | null;
  /** Interim analyses of an experiment that could end early; absent: the number of blocks was fixed. */
  readonly looks?: Interims | undefined;
  /** Whether run numbers are in time order; default true. */
  readonly ordered?: boolean;
  /** True: only what the verdict needs is computed, which is faster. */
  readonly verdictOnly?: boolean | undefined;
  /** Duration of a block, with all variants and their rests, seconds; absent: unknown. */
  readonly blockS?: number | undefined;
}

/** One variant against the baseline, by their valid runs on one channel. */
export interface Arms {
  readonly baseline: readonly ComparedRun[];
  readonly variant: readonly ComparedRun[];
  /** Benchmark of a suite, whose findings are judged by a false discovery rate over all benchmarks. */
  readonly benchmark?: string | undefined;
  readonly options: CompareOptions;
}

/**
 * Compares one variant with the baseline on one channel, from their valid runs. If the runs have blocks, pairs are used for the headline and the
 * paired tests, and all valid runs of both arms for the two-sample statistics. Undefined values are null, never NaN. Deterministic.
 * Throws RangeError for energies or durations that aren't finite.
 */
export function compare(
  baselineRuns: readonly ComparedRun[],
  variantRuns: readonly ComparedRun[],
  options: CompareOptions,
): Comparison {
  return compareAll([{ baseline: baselineRuns, variant: variantRuns, options }])[0] as Comparison;
}

/**
 * A family of comparisons: several variants with one baseline, or several workloads. Holm's method bounds the chance that any of them is
 * wrongly called a change; p-values and intervals of each are unadjusted.
 */
export function compareAll(family: readonly Arms[]): Comparison[] {
  const measured = family.map((arms) => measure(arms, family.length));
  const all = measured.map(({ comparison }) => comparison);
  const benchmarks = family.map(({ benchmark }) => benchmark);
  const isSuite = benchmarks.some((one) => one !== undefined);
  const adjusted = isSuite ? suiteFamily(all, benchmarks) : holmOf(all);
  const selected = isSuite ? selectedLevel(adjusted.bh) : null;
  const stillOpen = openFamily(adjusted.size, isSuite ? adjusted.bh : adjusted.p, isSuite);
  const durations = adjustSeveral(
    measured.map(({ comparison, sample }, i) =>
      isSuite || !comparison.typical?.duration_s ? null : durationP(sample, family[i]?.options.looks),
    ),
  );
  return measured.map(({ comparison: found, sample }, i) => {
    const rate = adjusted.bh[i] ?? null;
    const comparison = selected === null ? found : withSelected(found, sample, rate, selected);
    const { percent } = comparison;
    const { marginPercent, blockS = null, verdictOnly } = (family[i] as Arms).options;
    const pHolm = adjusted.p[i] ?? null;
    const { verdict, reason } = decideChecked(
      percent,
      marginPercent,
      obstacle(sample, percent),
      isSuite ? rate : pHolm,
      { room: stepWidening(sample).log, contradiction: () => contradiction(comparison, sample, marginPercent) },
    );
    const isAsked = (reason === 'open' || reason === 'several') && sample.pairs !== null;
    const more = isAsked ? settledBy(sample.pairs?.length ?? 0, percent, marginPercent, stillOpen) : null;
    const judged = {
      ...withDurationP(comparison, durations[i] ?? null),
      ...(benchmarks[i] !== undefined && { benchmark: benchmarks[i] }),
      p_holm: pHolm,
      p_benjamini_hochberg: rate,
      // Of the unselected interval, since what such runs would find depends on the noise alone.
      minimum_detectable_percent: isOpen(reason)
        ? detectableRatio(found.percent.ci95, isSuite ? 1 : adjusted.size)
        : null,
      ...(verdict === 'inconclusive' && {
        to_settle: more === null ? null : { blocks: more, minutes: blockS === null ? null : (more * blockS) / 60 },
      }),
      verdict,
      reason,
      family_size: adjusted.size,
    };
    return { ...judged, undefined_because: verdictOnly ? {} : whyUndefined(judged, sample) };
  });
}

function withDurationP(measured: Measured, p: number | null): Measured {
  const { typical } = measured;
  if (p === null || !typical?.duration_s) return measured;
  const { duration_s: duration } = typical;
  const percent = { ...duration.percent, p_holm: p };
  return { ...measured, typical: { ...typical, duration_s: { ...duration, percent } } };
}

/** Confidence of intervals for selected comparisons, so that on average at most the false discovery rate of them miss. */
function selectedLevel(rates: readonly (number | null)[]): number {
  const tested = rates.filter((rate) => rate !== null);
  return confidencesOfFound([tested], FALSE_DISCOVERY_RATE)[0] as number;
}

const FALSE_DISCOVERY_RATE = 0.05;

/** Adds the intervals for a benchmark that is selected for its change: they allow for the selection. */
function withSelected(found: Measured, sample: Sample, rate: number | null, confidence: number): Measured {
  const { logRatios, constant } = sample;
  if (rate === null || rate >= FALSE_DISCOVERY_RATE || logRatios === null || constant || found.look !== undefined)
    return found;
  const wide = walshInterval(logRatios, 1 - confidence);
  if (wide === null || wide.confidence < confidence - 1e-9) return found;
  const percent = {
    ...found.percent,
    ci95: inPercent(wide.interval, stepWidening(sample).log),
    confidence: wide.confidence,
  };
  return {
    ...found,
    percent,
    ...(found.joules && { joules: joulesChange(sample, 1 - confidence) }),
    ...(found.typical && { typical: { ...found.typical, energy_j: typicalEnergy(sample, percent) } }),
  };
}

type Measured = Omit<
  Comparison,
  | 'p_holm'
  | 'minimum_detectable_percent'
  | 'verdict'
  | 'reason'
  | 'family_size'
  | 'p_benjamini_hochberg'
  | 'undefined_because'
>;

function measure({ baseline, variant, options }: Arms, family: number): { comparison: Measured; sample: Sample } {
  const sample = takeSample(baseline, variant);
  const { ordered = true } = options;
  const seed = (options.seed ?? 0) >>> 0;
  const look = options.looks && interimAt(sample, options.looks, !options.verdictOnly || family > 1);
  const percent = { ...percentChange(sample), ...look?.percent };
  const tail = tailNumbers(sample, percent, options);
  const arms = comparedArms(sample);
  const comparison = {
    baseline: options.baseline,
    variant: options.variant,
    channel: options.channel,
    metric: 'energy_j',
    n_baseline: sample.x.length,
    n_variant: sample.y.length,
    n_not_positive: { baseline: notPositive(sample.x), variant: notPositive(sample.y) },
    blocks: sample.pairs?.length ?? null,
    percent,
    difference: difference(sample),
    tests: tests(sample, options.marginPercent, seed),
    effect: effectSizes(sample.x, sample.y),
    why: explain(sample),
    mean_energy_j: { baseline: meanOf(arms.baseline), variant: meanOf(arms.variant) },
    sensitivity: sensitivity(sample, tail),
    tail,
    coarse: coarseBlocks(sample),
    drift: ordered ? driftOfDifference(sample, family) : null,
    groups: blockGroups(sample),
    ...(options.verdictOnly
      ? { alternatives: null, descriptive: null }
      : {
          joules: joulesChange(sample, look?.reported?.nominal_p),
          typical: typicalRuns(sample, percent, options.looks),
          alternatives: alternatives(sample, options.marginPercent, seed, ordered),
          descriptive: descriptive(sample, seed, ordered),
        }),
    // Computed later from the runs, which this function does not have.
    meter_uncertainty_percent: null,
    net_energy: null,
    ...(look === undefined ? {} : { look: look?.reported ?? null }),
  } as const;
  return { comparison, sample };
}

function notPositive(energies: readonly number[]): number {
  return energies.filter((energy) => !(energy > 0)).length;
}

function meanOf(runs: readonly ComparedRun[]): number | null {
  return runs.length === 0 ? null : moments(runs.map(({ energyJ }) => energyJ)).mean;
}

/** Why no verdict is possible; null: nothing prevents one. */
function obstacle({ x, y, pairs, constant }: Sample, percent: Percent): Inconclusive | null {
  if (x.length === 0 || y.length === 0) return 'no-runs';
  if (pairs?.length === 0) return 'no-block';
  if (percent.estimate === null) return 'not-positive';
  return constant ? 'no-variation' : null;
}

function difference({ x, y }: Sample): Comparison['difference'] {
  const both = x.length > 0 && y.length > 0;
  const welch = welchEstimate(x, y);
  const shift = shiftEstimate(x, y);
  return {
    of_means: both ? meanDifference(x, y) : null,
    welch_ci95: welch && tTest(welch).ci95,
    hodges_lehmann: shift?.estimate ?? null,
    hodges_lehmann_ci95: shift?.ci95 && shift.ci95.confidence >= 0.95 ? shift.ci95.interval : null,
  };
}
