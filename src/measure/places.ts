import { join } from 'node:path';
import type { PlaceFacts } from '../contracts/variant.ts';
import { JoulediffError, messageOf } from '../errors.ts';
import { workloadEnvironment } from '../executors/environment.ts';
import type { Executor, PlaceInspections } from '../executors/executor.ts';
import { makeExecutor, makeServiceRunner, type Variant } from '../executors/registry.ts';
import { loopsItself } from '../executors/repeat.ts';
import type { ServiceHost, ServiceRunner } from '../executors/service.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { RemoteHost } from '../hosts/host.ts';
import type { SeenPlace } from '../store/records.ts';
import { resultPath } from '../system/result-files.ts';
import { makeCheckouts } from './checkout/checkouts.ts';
import { Hooks } from './hooks.ts';
import type { Progress } from './progress.ts';
import { checkPorts, ServicePlaces } from './service-places.ts';
import { seePlace } from './surroundings.ts';

const MAX_NAMES = 8;

/** Where the variants of an experiment run; lets go of what lasts as long as the experiment: checkouts, services. */
export interface Places extends AsyncDisposable {
  readonly executors: ReadonlyMap<string, Executor>;
  readonly facts: ReadonlyMap<string, PlaceFacts>;
  /** What was seen in each place; empty: it was recorded before, or there is nothing to compare. */
  readonly surroundings: ReadonlyMap<string, SeenPlace>;
  /** Hooks of the experiment; those of a run are part of its executor. */
  readonly hooks: Hooks;
  /** Whether each execution of a window is a start of its place; else one start holds all of them. */
  readonly ownStarts: boolean;
}

export interface PlacesRequest {
  readonly experiment: Experiment;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Folder for the output of services that last as long as the experiment. */
  readonly folder: string;
  /** Facts that an experiment which is resumed was begun with, by variant; null: it begins. */
  readonly recorded: ReadonlyMap<string, PlaceFacts> | null;
  /** The machine that is measured; absent: this one. */
  readonly host?: RemoteHost | undefined;
  /** The machine of the clients; absent: they run where the variants do, or on the host. */
  readonly clientHost?: RemoteHost | undefined;
  /** Machines of services that are neither of these, by address; absent: there are none. */
  readonly serviceHosts?: ReadonlyMap<string, RemoteHost> | undefined;
}

/** Sets up what is fixed before the first block: checkouts, images, programs. Throws InputError, MeasureError or the reason; leaves nothing then. */
export async function setUpPlaces(
  experimentId: string,
  { experiment, progress, signal, folder, recorded, host, clientHost, serviceHosts = new Map() }: PlacesRequest,
): Promise<Places> {
  checkPorts(experiment);
  const executors = new Map<string, Executor>();
  const facts = new Map<string, PlaceFacts>();
  const surroundings = new Map<string, SeenPlace>();
  const inspections = new Map<string, PlaceInspections>();
  const reported = new Set<string>();
  // A line that holds for several variants is logged once.
  const log = (line: string): void => {
    if (!reported.has(line)) progress.note(line);
    reported.add(line);
  };
  const { inherited: inheritedEnv, passed: passedEnv, withheld } = workloadEnvironment(process.env, experiment.passEnv);
  if (withheld.length > 0 && host === undefined) log(withheldText(withheld));
  const lasting: (() => Promise<void>)[] = [];
  const atEnd = (letGo: () => Promise<void>): void => void lasting.push(letGo);
  const isMadeByHook = experiment.hooks?.['before-all'] !== undefined;
  const make = (variant: Variant, directory: string, at = host): Promise<Executor> =>
    makeExecutor(variant, { experimentId, directory, inheritedEnv, passedEnv, host: at, isMadeByHook, log, atEnd });
  const makeRunner = (of: ServiceHost, at = host): Promise<ServiceRunner> =>
    makeServiceRunner(of, { experimentId, directory: experiment.directory, inheritedEnv, passedEnv, host: at, log });
  const spread = { make, makeRunner, clientHost, serviceHosts };
  const services = new ServicePlaces({ experiment, experimentId, folder, signal, ...spread, log });
  const serviceHostsEnv = services.serviceHosts();
  const checkouts = await makeCheckouts({ experiment, experimentId, signal, log });
  const hooks = new Hooks({
    experiment,
    experimentId,
    env: { ...inheritedEnv, ...serviceHostsEnv },
    secrets: Object.values(passedEnv),
    logFile: join(resultPath(folder, 'logs'), 'hooks.log'),
    log,
  });
  const letGo = async (): Promise<void> => {
    try {
      for (const line of [...(await services.end()), ...(await hooks.afterAll(signal))]) progress.warn(line);
    } finally {
      for (const line of checkouts.remove()) progress.warn(line);
      for (const end of lasting.reverse()) await end().catch((thrown: unknown) => progress.warn(messageOf(thrown)));
    }
  };
  let ownStarts: boolean;
  try {
    // A hidden variant runs in the baseline's place: if that were built, pulled or named a second time, it would not be identical.
    const shown = experiment.variants.filter(({ hidden }) => !hidden);
    const setUp = async (given: Variant): Promise<void> => {
      const { variant: located, directory } = checkouts.locate(given);
      const variant = withEnv(located, serviceHostsEnv);
      const alone = await make(variant, directory);
      const place = await services.around(variant, withEnv(given, serviceHostsEnv).workload, alone);
      const executor = hooks.around(place, variant.name, () => services.networkOf(variant.name));
      facts.set(variant.name, await executor.setup(signal, recorded?.get(variant.name)));
      executors.set(variant.name, executor);
      const ofServices = alone.inspections?.();
      if (ofServices !== undefined) inspections.set(variant.name, ofServices);
    };
    for (const given of shown) {
      await setUp(given).catch((thrown: unknown) => {
        if (thrown instanceof JoulediffError) thrown.variant ??= given.name;
        throw thrown;
      });
    }
    for (const given of recorded === null && shown.length > 1 ? shown : []) {
      const { variant, directory } = checkouts.locate(given);
      const environment = { experimentId, directory, inheritedEnv, passedEnv, host, log() {}, atEnd };
      const known = facts.get(variant.name) as PlaceFacts;
      const around = { services: experiment.services, inspections: inspections.get(variant.name) };
      const seen = await seePlace({ variant, environment, facts: known, folder, signal, log, ...around });
      surroundings.set(variant.name, seen);
    }
    ownStarts = await needsOwnStarts(executors, { experiment, progress, signal });
    await hooks.beforeAll(signal);
    await services.begin();
  } catch (error) {
    await letGo();
    // What failed because of a stop is reported as the stop.
    signal.throwIfAborted();
    throw error;
  }
  for (const { name } of experiment.variants.filter(({ hidden }) => hidden)) {
    facts.set(name, facts.get(experiment.baseline) as PlaceFacts);
    executors.set(name, executors.get(experiment.baseline) as Executor);
  }
  return { executors, facts, surroundings, ownStarts, hooks, [Symbol.asyncDispose]: letGo };
}

const withEnv = <V extends Variant>(variant: V, env: Readonly<Record<string, string>>): V => ({
  ...variant,
  workload: { ...variant.workload, env: { ...variant.workload.env, ...env } },
});

/** Whether each execution needs a start of its own: in all variants, if one can't hold several, since executions would differ otherwise. */
async function needsOwnStarts(
  executors: ReadonlyMap<string, Executor>,
  { experiment: { batch, batchStarts, variants }, progress, signal }: Omit<PlacesRequest, 'recorded' | 'folder'>,
): Promise<boolean> {
  const isSeveral = batch !== 1 || variants.some(({ workload }) => (workload.batch ?? 1) !== 1);
  if (batchStarts || !isSeveral) return batchStarts === true;
  const loops = new Set(variants.filter(({ workload }) => loopsItself(workload.run)).map(({ name }) => name));
  for (const [variant, executor] of executors) {
    if (loops.has(variant)) continue;
    const problem = (await executor.repeatProblem?.(signal)) ?? null;
    if (problem === null) continue;
    progress.warn(
      `One start can't hold several executions in variant ${JSON.stringify(variant)}: ${problem}. So in every variant, each execution starts its own process or container, and the cost of a start is part of it (batch: { starts: true }).`,
    );
    return true;
  }
  return false;
}

/** Note on variables that are withheld: a workload that misses one does not say so. */
function withheldText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `Variables that workloads don't see here: ${shown}${more}. pass-env lets one through.`;
}
