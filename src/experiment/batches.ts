import type { Workload } from '../contracts/variant.ts';
import { isFindPhases } from '../executors/phases/phase-lines.ts';
import { isOnHost } from '../executors/registry.ts';
import { loopsItself } from '../executors/repeat.ts';
import type { Experiment } from './experiment.ts';
import { mergeMetrics } from './metrics.ts';

/**
 * Executions of a window of this workload, where it has a number of its own. A number on a line is that of one execution, unless the command repeats
 * itself; absent: as the experiment has them.
 */
export function ownBatch(experiment: Pick<Experiment, 'metrics'>, workload: Workload): number | 'auto' | undefined {
  const isPrinted = mergeMetrics(experiment, workload).some((metric) => 'line' in metric);
  return workload.batch ?? (isPrinted && !loopsItself(workload.run) ? 1 : undefined);
}

/** Executions in a window of each variant, by name: its own number, or else the experiment's. */
export const batchByVariant = (
  experiment: Pick<Experiment, 'batch' | 'metrics' | 'variants'>,
): ReadonlyMap<string, number | 'auto'> =>
  new Map(experiment.variants.map(({ name, workload }) => [name, ownBatch(experiment, workload) ?? experiment.batch]));

/** Warm-up blocks that it takes to find how often a command that repeats itself has to do so: each tells the next one's number. */
export const CALIBRATING_BLOCKS = 4;

/**
 * What must not be advised about `batch`. `refused`: the rest of the experiment file rules out several executions in a window. `auto`: their number
 * is found already. Null: both can be advised.
 */
export function batchState(experiment: Omit<Experiment, 'suite'>): 'refused' | 'auto' | null {
  const { host, metrics, phases, variants } = experiment;
  if ((metrics ?? []).length > 0 || isFindPhases(phases) || (host !== undefined && !variants.every(isOnHost)))
    return 'refused';
  return [...batchByVariant(experiment).values()].includes('auto') ? 'auto' : null;
}
