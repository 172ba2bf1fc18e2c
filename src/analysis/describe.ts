import type { Summary, Undefined } from '../findings/numbers.ts';
import type { VariantFindings } from '../findings/variant.ts';
import { pearson } from '../stats/correlation.ts';
import { distribution } from '../stats/distribution.ts';
import { FLAG_LIMIT, modifiedZ } from '../stats/quantiles.ts';
import { shapiroWilk } from '../stats/shapiro-wilk.ts';
import { summarize } from '../stats/summary.ts';

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
 * What is said about one variant by itself, from its valid runs: summaries (joules, seconds, watts), Shapiro–Wilk of the energies,
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

/** Why the modified z is undefined. */
function flaggedNote(runs: readonly DescribedRun[]): Undefined | null {
  if (runs.length === 0) return 'no-runs';
  if (!runs.every((run) => run.energyJ > 0)) return 'not-positive';
  return modifiedZ(runs.map((run) => Math.log(run.energyJ))) === null ? 'no-spread' : null;
}

/** None where a logarithm or the spread is undefined. */
function flaggedRuns(runs: readonly DescribedRun[]): { run: number; modified_z: number }[] {
  if (runs.length === 0 || !runs.every((run) => run.energyJ > 0)) return [];
  const scores = modifiedZ(runs.map((run) => Math.log(run.energyJ))) ?? [];
  return scores.flatMap((z, i) =>
    Math.abs(z) > FLAG_LIMIT ? [{ run: (runs[i] as DescribedRun).run, modified_z: z }] : [],
  );
}
