import { isOnHost } from '../executors/registry.ts';
import type { Experiment } from './experiment.ts';

/** Whether an experiment file with the rest of this one could not ask for several executions in a window (`batch`): what is refused is no advice. */
export const refusesBatch = ({
  host,
  metrics,
  phases,
  variants,
}: Pick<Experiment, 'host' | 'metrics' | 'phases' | 'variants'>): boolean =>
  (metrics ?? []).length > 0 || phases === 'auto' || (host !== undefined && !variants.every(isOnHost));
