import type { Cost, Experiment, Threshold } from './experiment.ts';
import type { ThresholdFile } from './fail-on-schema.ts';
import type { CheckedFile } from './schema.ts';

/** What the user wants to know of the result beside the verdict: costs, and thresholds. */
export function resolveGoals(file: Pick<CheckedFile, 'cost' | 'fail-on'>): Pick<Experiment, 'cost' | 'failOn'> {
  return {
    ...(file.cost && { cost: resolveCost(file.cost) }),
    ...(file['fail-on'] && { failOn: [file['fail-on']].flat().map(resolveThreshold) }),
  };
}

function resolveCost({ price, intensity, task }: NonNullable<CheckedFile['cost']>): Cost {
  const runs = task?.runs ?? (task?.total ?? Number.NaN) / (task?.['per-run'] ?? Number.NaN);
  return {
    price: price ?? null,
    intensityGPerKwh: intensity ?? null,
    task: task === undefined ? null : { name: task.name, runs },
  };
}

/** A limit by itself is one above. */
export function resolveThreshold(file: ThresholdFile): Threshold {
  const given = 'text' in file ? { above: file } : file;
  const limit = given.above ?? given.below;
  if (limit === undefined) throw new Error('a threshold without a limit came through the checks');
  return {
    text: limit.text,
    metric: limit.metric,
    direction: given.above === undefined ? 'below' : 'above',
    limit: limit.value,
    variant: given.variant ?? null,
    channel: given.channel ?? null,
    evenIfInconclusive: given['even-if-inconclusive'] ?? false,
  };
}
