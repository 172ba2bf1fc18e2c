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
  /** Whether each execution of a window is a start of its place; else one start holds all of them. */
  readonly ownStarts: boolean;
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
  let ownStarts: boolean;
  try {
    // A hidden one runs in the baseline's own place: built, pulled or named a second time it would not be identical.
    for (const given of experiment.variants.filter(({ hidden }) => !hidden)) {
      const { variant, directory } = checkouts.locate(given);
      const executor = await makeExecutor(variant, { experimentId, directory, inheritedEnv, passedEnv, log });
      facts.set(variant.name, await executor.setup(signal, recorded?.get(variant.name)));
      executors.set(variant.name, executor);
    }
    ownStarts = await needsOwnStarts(executors, { experiment, progress, signal });
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
  return { executors, facts, ownStarts, [Symbol.dispose]: removeCheckouts };
}

/** What one variant can't, none does: an execution would be something else in each. */
async function needsOwnStarts(
  executors: ReadonlyMap<string, Executor>,
  { experiment: { batch, batchStarts }, progress, signal }: Omit<PlacesRequest, 'recorded'>,
): Promise<boolean> {
  if (batchStarts || batch === 1) return batchStarts === true;
  for (const [variant, executor] of executors) {
    const problem = (await executor.repeatProblem?.(signal)) ?? null;
    if (problem === null) continue;
    progress.warn(
      `One start can't hold several executions in variant ${JSON.stringify(variant)}: ${problem}. So in every variant, each execution starts its own process or container, and the cost of a start is part of it (batch: { starts: true }).`,
    );
    return true;
  }
  return false;
}

/** A workload that misses a variable tells nothing of why. */
function withheldText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `Variables that workloads don't see here: ${shown}${more}. pass-env lets one through.`;
}
