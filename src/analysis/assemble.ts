import type { Metric } from '../contracts/variant.ts';
import type { SuitePair } from '../experiment/suite.ts';
import type { Comparison } from '../findings/comparison.ts';
import { median } from '../stats/quantiles.ts';
import { moments } from '../stats/sums.ts';
import { type Arms, compareAll } from './compare.ts';
import { type Interims, interimsOf } from './comparison/interim.ts';
import { compareNet, type NetRun } from './comparison/net-energy.ts';
import { compareMetrics } from './metrics/metrics.ts';
import { comparePhases } from './phases/compare-phases.ts';
import type { RunResult } from './results.ts';
import { COVERAGE_FACTOR } from './uncertainty.ts';

/** What is compared with what. */
export interface Contrasts {
  readonly baseline: string;
  /** All variants, including the baseline. */
  readonly variants: readonly string[];
  /** Pairs to compare, from the experiment file or a suite; absent: every variant with the baseline. */
  readonly pairs?: readonly (Pick<SuitePair, 'baseline' | 'variant'> & Partial<SuitePair>)[] | undefined;
  /** Further pairs, judged together with the others. */
  readonly also?: readonly Pick<Comparison, 'baseline' | 'variant'>[] | undefined;
  /** Channels to compare; the first is the primary one. */
  readonly channels: readonly string[];
  readonly marginPercent: number;
  readonly seed: number | null;
  /** Whether run numbers are in time order; default true. */
  readonly ordered?: boolean;
  /** Interim analyses of an experiment that could end early. */
  readonly looks?: Interims | undefined;
  /** True: only what the verdict needs is computed. */
  readonly verdictOnly?: boolean;
  /** The metrics that runs of a variant print, by the variant's name; absent: no variant has any. */
  metricsFor?(variant: string): readonly Metric[];
  /** Offset limits of the meters' classes by channel, watts, where known. */
  readonly offsetW?: ReadonlyMap<string, number>;
}

/** Compares every variant with the baseline, and the further pairs, on every channel; the comparisons of one channel form a family. */
export function comparisons(runs: readonly RunResult[], question: Contrasts): Comparison[] {
  const { baseline, marginPercent, seed, looks } = question;
  const others = question.variants.filter((variant) => variant !== baseline);
  const given: readonly (Pick<SuitePair, 'baseline' | 'variant'> & Partial<SuitePair>)[] =
    question.pairs ?? others.map((variant) => ({ baseline, variant }));
  const pairs: typeof given = [...given, ...(question.also ?? [])];
  const blockS = blockSeconds(runs);
  return question.channels.flatMap((channel) => {
    const good = (variant: string) => runs.filter((r) => r.channel === channel && r.variant === variant).filter(isGood);
    const judged = compareAll(
      pairs.map(
        (pair): Arms => ({
          benchmark: pair.benchmark,
          baseline: good(pair.baseline),
          variant: good(pair.variant),
          options: {
            baseline: pair.baseline,
            variant: pair.variant,
            channel,
            marginPercent,
            seed,
            looks: looks && interimsOf(looks, [pair.variant]),
            blockS: blockS ?? undefined,
            ordered: question.ordered ?? true,
            verdictOnly: question.verdictOnly,
          },
        }),
      ),
    );
    return judged.map((comparison) => {
      const [base, variant] = [good(comparison.baseline), good(comparison.variant)];
      return {
        ...comparison,
        meter_uncertainty_percent: meterUncertainty(base, variant, question.offsetW?.get(channel)),
        net_energy: compareNet(base.filter(hasNet), variant.filter(hasNet)),
        ...compareMetrics(base, variant, question.metricsFor?.(comparison.variant) ?? []),
        ...comparePhases(base, variant, comparison),
      };
    });
  });
}

/**
 * What one block took, rests, preparation and all variants included, seconds: the median time from the first window of a block to that
 * of the next. Null where the file tells no times, or there is no block behind another in one session.
 */
export function blockSeconds(runs: readonly RunResult[]): number | null {
  const starts = new Map<number, bigint>();
  for (const { block, startNs, status } of runs) {
    if (block === null || startNs === null || status !== 'ok') continue;
    const first = starts.get(block);
    if (first === undefined || startNs < first) starts.set(block, startNs);
  }
  const lengths = [...starts].flatMap(([block, startNs]) => {
    const next = starts.get(block + 1);
    // Clocks of different sessions are not comparable.
    return next !== undefined && next > startNs ? [Number(next - startNs) / 1e9] : [];
  });
  return lengths.length === 0 ? null : median(lengths);
}

function meterUncertainty(
  baseline: readonly GoodRun[],
  variant: readonly GoodRun[],
  offsetW: number | undefined,
): number | null {
  const [a, b] = [meanRun(baseline), meanRun(variant)];
  return offsetW === undefined || a === null || b === null ? null : meterUncertaintyPercent(a, b, offsetW);
}

/** Mean energy (joules) and mean duration (seconds) of an arm. */
export interface MeanRun {
  readonly energyJ: number;
  readonly durationS: number;
}

/**
 * What the meter's class leaves uncertain in the percent between two arms, expanded (k = 2), percentage points. The gain cancels in a
 * ratio on one meter; an offset o cancels as far as both arms draw the same power: u(R)/R = o·|L_B/E_B − L_A/E_A|/√3
 * (method reference: uncertainty). Null where an energy is not above zero.
 */
export function meterUncertaintyPercent(baseline: MeanRun, variant: MeanRun, offsetW: number): number | null {
  if (!(baseline.energyJ > 0 && variant.energyJ > 0)) return null;
  const relative =
    (offsetW * Math.abs(variant.durationS / variant.energyJ - baseline.durationS / baseline.energyJ)) / Math.sqrt(3);
  return (100 * COVERAGE_FACTOR * relative * variant.energyJ) / baseline.energyJ;
}

function meanRun(runs: readonly GoodRun[]): MeanRun | null {
  const durations = runs.map((run) => run.durationS).filter((duration) => duration !== null);
  if (runs.length === 0 || durations.length !== runs.length) return null;
  return { energyJ: moments(runs.map((run) => run.energyJ)).mean, durationS: moments(durations).mean };
}

function hasNet(run: GoodRun): run is GoodRun & NetRun {
  return run.netEnergyJ !== null && run.durationS !== null && run.idlePowerW !== null;
}

/** Blocks in which each of so many variants has a valid run; the runs are of one channel. */
export function completedBlocks(runs: readonly RunResult[], variants: number): number {
  const good = runs.filter((run) => run.status === 'ok');
  return [...Map.groupBy(good, (run) => run.block).values()].filter(
    (block) => new Set(block.map((run) => run.variant)).size === variants,
  ).length;
}

export type GoodRun = RunResult & { readonly energyJ: number };

/** Whether a run is compared: it is valid and has an energy. */
export function isGood(run: RunResult): run is GoodRun {
  return run.status === 'ok' && run.energyJ !== null;
}
