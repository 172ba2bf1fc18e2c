import { InputError } from '../errors.ts';
import type { Variant } from '../executors/registry.ts';
import type { Experiment } from './experiment.ts';

/**
 * The variants, followed by a second copy of the baseline, which is hidden and differs only in its name. It is planned, randomized and recorded
 * like the others, and shows which differences the machine makes between identical variants.
 */
export function withSecondBaseline(variants: readonly Variant[], baseline: string): Variant[] {
  const first = variants.find((variant) => variant.name === baseline);
  if (first === undefined) throw new Error('a baseline that is no variant came through the checks');
  let name = `${baseline} (again)`;
  while (variants.some((variant) => variant.name === name)) name += ' (again)';
  return [...variants, { ...first, name, hidden: true }];
}

/** Number of blocks of an A/A experiment, if the original number would depend on a verdict: an A/A experiment reaches none. */
const FIXED_BLOCKS = 30;

/** The A/A experiment: the baseline against a copy of itself; the rest is unchanged. Throws InputError for a suite. */
export function noiseExperiment(experiment: Experiment): Experiment {
  if (experiment.suite !== undefined) {
    throw new InputError('The noise floor is that of one workload, and a suite has many.', {
      advice: 'Give an experiment file with one of its benchmarks as the workload.',
    });
  }
  const alone = experiment.variants.filter((variant) => variant.name === experiment.baseline);
  // Without a comparison there is no early end and no threshold; and there is only one cell.
  const { looks, auto, failOn, factorial, comparisons, ...fixed } = experiment;
  return {
    ...fixed,
    ...(auto && { repetitions: FIXED_BLOCKS }),
    name: `${experiment.name} against itself`,
    variants: withSecondBaseline(alone, experiment.baseline),
  };
}
