import type { Metric } from '../contracts/variant.ts';
import type { Summary, Undefined } from '../findings/numbers.ts';
import type { VariantFindings } from '../findings/variant.ts';
import { pearson } from '../stats/correlation.ts';
import { distribution } from '../stats/distribution.ts';
import { FLAG_LIMIT, modifiedZ } from '../stats/quantiles.ts';
import { shapiroWilk } from '../stats/shapiro-wilk.ts';
import { summarize } from '../stats/summary.ts';
import { moments } from '../stats/sums.ts';
import { type GoodRun, isGood } from './assemble.ts';
import { variantMetrics } from './metrics/metrics.ts';
import { isOutside, type PhaseOfRun, phaseNames, phasesByName } from './phases/by-name.ts';
import { variantCounters } from './resources.ts';
import type { RunResult } from './results.ts';
import { energyUncertainty, uncertainRuns } from './variant-uncertainty.ts';

/** One variant by its runs on one channel: those compared, and those excluded with their reason. */
export function variantFindings(
  variant: Pick<VariantFindings, 'name' | 'kind' | 'facts' | 'revision'>,
  runs: readonly RunResult[],
  metrics: readonly Metric[] = [],
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
    ...variantCounters(good),
    ...variantMetrics(good, metrics),
    ...variantPhases(good),
  };
}

/** Values per execution: a window may have several executions, the same number in all runs. */
function perExecution(
  runs: readonly GoodRun[],
): Pick<VariantFindings, 'executions_per_run' | 'starts_per_run' | 'per_execution'> {
  const executions = runs[0] && (runs[0].executions ?? 1);
  if (executions === undefined) return { executions_per_run: null, starts_per_run: null, per_execution: null };
  const mean = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length < runs.length ? null : moments(known).mean / executions;
  };
  return {
    executions_per_run: executions,
    starts_per_run: runs[0]?.place?.starts ?? null,
    per_execution: {
      energy_j: mean(runs.map((run) => run.energyJ)) as number,
      net_energy_j: mean(runs.map((run) => run.netEnergyJ)),
      duration_s: mean(runs.map((run) => run.durationS)),
    },
  };
}

/** A valid run of one variant on one channel. Numbers are finite; null where they are not known. */
export interface DescribedRun {
  readonly run: number;
  readonly energyJ: number;
  readonly netEnergyJ: number | null;
  readonly durationS: number | null;
  readonly meanPowerW: number | null;
}

export type Description = Pick<
  VariantFindings,
  | 'flagged'
  | 'flagged_note'
  | 'distribution'
  | 'energy_j'
  | 'net_energy_j'
  | 'duration_s'
  | 'mean_power_w'
  | 'shapiro_wilk'
  | 'energy_time_pearson'
>;

/**
 * Statistics of one variant's valid runs: summaries (joules, seconds, watts), Shapiro–Wilk of the energies,
 * correlation of energy with time, and the runs flagged by the modified z of ln E (|z| > 3.5; listed, never dropped).
 */
export function describeVariant(runs: readonly DescribedRun[]): Description {
  const energies = runs.map((run) => run.energyJ);
  const timed = runs.filter((run) => run.durationS !== null);
  return {
    flagged: flaggedRuns(runs),
    flagged_note: flaggedNote(runs),
    energy_j: summarize(energies),
    distribution: distribution(energies),
    net_energy_j: summarizeKnown(runs.map((run) => run.netEnergyJ)),
    duration_s: summarizeKnown(runs.map((run) => run.durationS)),
    mean_power_w: summarizeKnown(runs.map((run) => run.meanPowerW)),
    shapiro_wilk: shapiroWilk(energies),
    energy_time_pearson: pearson(
      timed.map((run) => run.energyJ),
      timed.map((run) => run.durationS as number),
    ),
  };
}

function summarizeKnown(values: readonly (number | null)[]): Summary | null {
  return summarize(values.filter((value) => value !== null));
}

/** Why the modified z is undefined; null: it is defined. */
function flaggedNote(runs: readonly DescribedRun[]): Undefined | null {
  if (runs.length === 0) return 'no-runs';
  if (!runs.every((run) => run.energyJ > 0)) return 'not-positive';
  return modifiedZ(runs.map((run) => Math.log(run.energyJ))) === null ? 'no-spread' : null;
}

/** Runs flagged by the modified z; empty if it is undefined. */
function flaggedRuns(runs: readonly DescribedRun[]): { run: number; modified_z: number }[] {
  if (runs.length === 0 || !runs.every((run) => run.energyJ > 0)) return [];
  const scores = modifiedZ(runs.map((run) => Math.log(run.energyJ))) ?? [];
  return scores.flatMap((z, i) =>
    Math.abs(z) > FLAG_LIMIT ? [{ run: (runs[i] as DescribedRun).run, modified_z: z }] : [],
  );
}

/**
 * Resources used in the valid runs of one variant; null if they were not recorded or could never be read. A container may be gone
 * before they are read, independent of its use: `resources_runs` is the number of runs with known values.
 */
function variantResources(runs: readonly RunResult[]): Pick<VariantFindings, 'resources' | 'resources_runs'> {
  const used = runs.map(({ resources }) => resources).filter((of) => of !== null);
  if (used.length === 0) return { resources_runs: 0, resources: null };
  const summary = (of: (used: NonNullable<RunResult['resources']>) => number | null) => {
    return summarize(used.map(of).filter((value) => value !== null));
  };
  const known = used.filter((of) => Object.values({ ...of, unread: null }).some((value) => value !== null));
  return {
    resources_runs: known.length,
    resources: {
      cpu_s: summary(({ cpuS }) => cpuS),
      peak_memory_bytes: summary(({ peakMemoryBytes }) => peakMemoryBytes),
      read_bytes: summary(({ readBytes }) => readBytes),
      written_bytes: summary(({ writtenBytes }) => writtenBytes),
    },
  };
}

/** Energy and time in each phase of a variant's valid runs; empty for a workload without phases. */
function variantPhases(runs: readonly RunResult[]): Pick<VariantFindings, 'phases'> {
  const ofRuns = runs.map(phasesByName);
  const phases = phaseNames(runs).flatMap((phase) => {
    const found = ofRuns.map((of) => of.get(phase)).filter((of) => of !== undefined);
    const energy = summarize(found.map(({ energyJ }) => energyJ));
    const duration = summarize(found.map(({ durationS }) => durationS));
    if (energy === null || duration === null) return [];
    return [
      {
        phase,
        runs: found.length,
        energy_j: energy,
        duration_s: duration,
        short: found.some(({ short }) => short),
        uncertainty_j: rootMeanSquare(found),
        outside: isOutside(phase),
      },
    ];
  });
  return phases.length === 0 ? {} : { phases };
}

function rootMeanSquare(found: readonly PhaseOfRun[]): number {
  return Math.sqrt(found.reduce((sum, { uncertaintyJ }) => sum + uncertaintyJ ** 2, 0) / found.length);
}
