import { InputError } from '../errors.ts';
import type { Variant } from '../executors/registry.ts';
import type { Experiment } from './experiment.ts';

/**
 * The variants and, behind them, the baseline a second time: identical but for its name, and hidden. Planned, randomized and recorded
 * like the others, it shows which difference the machine makes between identical variants.
 */
export function withSecondBaseline(variants: readonly Variant[], baseline: string): Variant[] {
  const first = variants.find((variant) => variant.name === baseline);
  if (first === undefined) throw new Error('a baseline that is no variant came through the checks');
  let name = `${baseline} (again)`;
  while (variants.some((variant) => variant.name === name)) name += ' (again)';
  return [...variants, { ...first, name, hidden: true }];
}

/** Where the number of blocks would follow from a verdict, and there is none to be reached. */
const FIXED_BLOCKS = 30;

/** The A/A experiment: the baseline alone, against itself; everything else as the experiment has it. Throws InputError for a suite. */
export function noiseExperiment(experiment: Experiment): Experiment {
  if (experiment.suite !== undefined) {
    throw new InputError('The noise floor is that of one workload, and a suite has many.', {
      advice: 'Give an experiment file with one of its benchmarks as the workload.',
    });
  }
  const alone = experiment.variants.filter((variant) => variant.name === experiment.baseline);
  // Nothing is compared that an interim analysis could end it for, or that could cross a threshold; and there is one cell.
  const { looks, auto, failOn, factorial, comparisons, ...fixed } = experiment;
  return {
    ...fixed,
    ...(auto && { repetitions: FIXED_BLOCKS }),
    name: `${experiment.name} against itself`,
    variants: withSecondBaseline(alone, experiment.baseline),
  };
}
