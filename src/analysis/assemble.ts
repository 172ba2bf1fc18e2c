import type { Comparison } from '../findings/comparison.ts';
import type { VariantFindings } from '../findings/variant.ts';
import { moments } from '../stats/sums.ts';
import { blockSeconds } from './block-time.ts';
import { compareAll } from './compare.ts';
import type { Looks } from './comparison/look.ts';
import { type MeanRun, meterUncertaintyPercent } from './comparison/meter-offset.ts';
import { compareNet, type NetRun } from './comparison/net-energy.ts';
import { describeVariant } from './describe.ts';
import { comparePhases } from './phases/compare-phases.ts';
import { variantPhases } from './phases/variant-phases.ts';
import { variantResources } from './resources.ts';
import type { RunResult } from './results.ts';
import { energyUncertainty, uncertainRuns } from './variant-uncertainty.ts';

/** What is compared with what. */
export interface Question {
  readonly baseline: string;
  /** All of them, the baseline too. */
  readonly variants: readonly string[];
  /** Pairs that are compared beside them, judged together with them. */
  readonly also?: readonly Pick<Comparison, 'baseline' | 'variant'>[] | undefined;
  /** The first is primary. */
  readonly channels: readonly string[];
  readonly marginPercent: number;
  readonly seed: number | null;
  /** Whether the numbers of the runs tell their order in time; default true. */
  readonly ordered?: boolean;
  /** Of an experiment that could end early. */
  readonly looks?: Looks | undefined;
  /** Leaves out what stands beside the verdict. */
  readonly verdictOnly?: boolean;
  /** Offset limits of the meters' classes, watts, of the channels where they are known. */
  readonly offsetW?: ReadonlyMap<string, number>;
}

/** One variant by its runs on one channel: those compared, and those excluded with their reason. */
export function variantFindings(
  variant: Pick<VariantFindings, 'name' | 'kind' | 'facts' | 'revision'>,
  runs: readonly RunResult[],
): VariantFindings {
  const own = runs.filter((run) => run.variant === variant.name);
  const good = own.filter(isGood);
  return {
    ...variant,
    runs: good.length,
    excluded: own.flatMap(({ run, status, reason }) =>
      status === 'failed' || status === 'invalid' ? [{ run, status, reason }] : [],
    ),
    ...describeVariant(good),
    ...perExecution(good),
    energy_uncertainty_j: energyUncertainty(uncertainRuns(good, 'gross')),
    net_energy_uncertainty_j: energyUncertainty(uncertainRuns(good, 'net')),
    ...variantResources(good),
    ...variantPhases(good),
  };
}

/** A window may hold several executions of the command, the same number in all of them. */
function perExecution(runs: readonly GoodRun[]): Pick<VariantFindings, 'executions_per_run' | 'per_execution'> {
  const executions = runs[0] && (runs[0].executions ?? 1);
  if (executions === undefined) return { executions_per_run: null, per_execution: null };
  const mean = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length < runs.length ? null : moments(known).mean / executions;
  };
  return {
    executions_per_run: executions,
    per_execution: {
      energy_j: mean(runs.map((run) => run.energyJ)) as number,
      net_energy_j: mean(runs.map((run) => run.netEnergyJ)),
      duration_s: mean(runs.map((run) => run.durationS)),
    },
  };
}

/** Every variant against the baseline, and what else is asked, on every channel; all on one channel are judged together. */
export function comparisons(runs: readonly RunResult[], question: Question): Comparison[] {
  const { baseline, marginPercent, seed, looks } = question;
  const others = question.variants.filter((variant) => variant !== baseline);
  const pairs = [...others.map((variant) => ({ baseline, variant })), ...(question.also ?? [])];
  const blockS = blockSeconds(runs);
  return question.channels.flatMap((channel) => {
    const good = (variant: string) => runs.filter((r) => r.channel === channel && r.variant === variant).filter(isGood);
    const judged = compareAll(
      pairs.map((pair) => ({
        baseline: good(pair.baseline),
        variant: good(pair.variant),
        options: {
          ...pair,
          channel,
          marginPercent,
          seed,
          looks,
          blockS,
          ordered: question.ordered ?? true,
          verdictOnly: question.verdictOnly,
        },
      })),
    );
    return judged.map((comparison) => {
      const [base, variant] = [good(comparison.baseline), good(comparison.variant)];
      return {
        ...comparison,
        meter_uncertainty_percent: meterUncertainty(base, variant, question.offsetW?.get(channel)),
        net_energy: compareNet(base.filter(hasNet), variant.filter(hasNet)),
        ...comparePhases(base, variant, comparison),
      };
    });
  });
}

function meterUncertainty(
  baseline: readonly GoodRun[],
  variant: readonly GoodRun[],
  offsetW: number | undefined,
): number | null {
  const [a, b] = [meanRun(baseline), meanRun(variant)];
  return offsetW === undefined || a === null || b === null ? null : meterUncertaintyPercent(a, b, offsetW);
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

/** Compared: valid, and with an energy. */
export function isGood(run: RunResult): run is GoodRun {
  return run.status === 'ok' && run.energyJ !== null;
}
