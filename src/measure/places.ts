import { makeCheckouts } from '../executors/checkout/checkouts.ts';
import { workloadEnvironment } from '../executors/environment.ts';
import type { Executor, PlaceFacts } from '../executors/executor.ts';
import { makeExecutor } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Progress } from './progress.ts';

const MOST_NAMES = 8;

/** Where the variants of an experiment run; lets go of what lasts as long as the experiment: checkouts. */
export interface Places extends Disposable {
  readonly executors: ReadonlyMap<string, Executor>;
  readonly facts: ReadonlyMap<string, PlaceFacts>;
}

export interface PlacesRequest {
  readonly experiment: Experiment;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** By variant, those of an experiment that is resumed; null: it begins. */
  readonly recorded: ReadonlyMap<string, PlaceFacts> | null;
}

/** Makes ready what is fixed before the first block: checkouts, images, programs. Throws InputError, MeasureError or the signal's reason; nothing is left then. */
export async function setUpPlaces(
  experimentId: string,
  { experiment, progress, signal, recorded }: PlacesRequest,
): Promise<Places> {
  const executors = new Map<string, Executor>();
  const facts = new Map<string, PlaceFacts>();
  const log = (line: string): void => progress.note(line);
  const { inherited: inheritedEnv, passed: passedEnv, withheld } = workloadEnvironment(process.env, experiment.passEnv);
  if (withheld.length > 0) log(withheldText(withheld));
  const checkouts = await makeCheckouts({ experiment, experimentId, signal, log });
  const removeCheckouts = (): void => {
    for (const line of checkouts.remove()) progress.warn(line);
  };
  try {
    // A hidden one runs in the baseline's own place: built, pulled or named a second time it would not be identical.
    for (const given of experiment.variants.filter(({ hidden }) => !hidden)) {
      const { variant, directory } = checkouts.locate(given);
      const executor = await makeExecutor(variant, { experimentId, directory, inheritedEnv, passedEnv, log });
      facts.set(variant.name, await executor.setup(signal, recorded?.get(variant.name)));
      executors.set(variant.name, executor);
    }
  } catch (error) {
    removeCheckouts();
    // What failed because it was stopped is no failure of its own.
    signal.throwIfAborted();
    throw error;
  }
  for (const { name } of experiment.variants.filter(({ hidden }) => hidden)) {
    facts.set(name, facts.get(experiment.baseline) as PlaceFacts);
    executors.set(name, executors.get(experiment.baseline) as Executor);
  }
  return { executors, facts, [Symbol.dispose]: removeCheckouts };
}

/** A workload that misses a variable tells nothing of why. */
function withheldText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `Variables that workloads don't see here: ${shown}${more}. pass-env lets one through.`;
}
