import { InputError } from '../../../errors.ts';
import { bringsServices, type Variant } from '../../../executors/registry.ts';
import type { Experiment } from '../../../experiment/experiment.ts';

/** The variant to run at each commit: the named one, else the baseline. Throws InputError if it does not exist, for a suite, or where nothing would run at the commits. */
export function variantOf(experiment: Experiment, name: string | null): Variant {
  if (experiment.suite !== undefined) {
    throw new InputError('One workload is measured at each commit, and the experiment is a suite.', {
      advice: "Name the benchmark's own command behind --.",
    });
  }
  const shown = experiment.variants.filter(({ hidden }) => !hidden);
  const wanted = name ?? experiment.baseline;
  const found = shown.find((one) => one.name === wanted);
  if (found === undefined) {
    throw new InputError(`The experiment has no variant ${JSON.stringify(wanted)}.`, {
      advice: `Its variants: ${shown.map((one) => one.name).join(', ')}.`,
    });
  }
  const isClientElsewhere = experiment.client !== undefined || found.workload.place === 'host';
  const inPlace = [...(experiment.services ?? []), ...Object.values(experiment.hooks ?? {})];
  const isServed = bringsServices(found) || inPlace.some(({ place }) => place === 'variant');
  if (!isClientElsewhere || isServed) return found;
  throw new InputError('No commit would make a difference: the client is the same, and nothing has place: variant.', {
    advice: 'Give it to a service or a hook that takes files of the commit, or leave place out under workload.',
  });
}

/**
 * The experiment with one variant at several commits, without anything that depends on its other variants: comparisons, factors, thresholds, extra
 * runs, history. `commits`: full hashes by variant name; the first is the baseline.
 */
export function atCommits(experiment: Experiment, variant: Variant, commits: ReadonlyMap<string, string>): Experiment {
  const { asWritten: _, comparisons: _c, factorial: _f, failOn: _o, history: _h, ...rest } = experiment;
  const { explain: _e, profiles: _p, trace: _t, cost: _m, ...common } = rest;
  const variants = [...commits].map(([name, sha]) => ({ ...variant, name, revision: { name: sha, commit: null } }));
  return { ...common, variants, baseline: variants[0]?.name ?? '' };
}
