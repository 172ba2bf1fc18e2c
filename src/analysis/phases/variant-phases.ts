import type { VariantFindings } from '../../findings/variant.ts';
import { summarize } from '../../stats/summary.ts';
import type { RunResult } from '../results.ts';
import { isOutside, type PhaseOfRun, phaseNames, phasesByName } from './by-name.ts';

/** What the valid runs of one variant spent in each of their phases; nothing for a workload that tells none. */
export function variantPhases(runs: readonly RunResult[]): Pick<VariantFindings, 'phases'> {
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
