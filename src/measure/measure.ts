import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { TraceChoice } from '../contracts/tracers.ts';
import type { PlaceFacts, WorkloadFiles } from '../contracts/variant.ts';
import { InputError, messageOf } from '../errors.ts';
import { reap } from '../executors/leftovers/reaper.ts';
import { NO_PIN, pinSelf } from '../executors/pins.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { HostTaken } from '../hosts/connection.ts';
import { type HostOptions, RemoteHost } from '../hosts/host.ts';
import { readPassport } from '../meters/passport.ts';
import { validateMeterNames } from '../meters/registry.ts';
import type { Plan } from '../schedule/plan.ts';
import { drawSeed, makePlan } from '../schedule/randomize.ts';
import { StoreWriter } from '../store/writer.ts';
import { checkOutputFolder, claimOutputFolder, moveAside, removeResult } from '../system/output-folder.ts';
import { raisePriority, restorePriority } from '../system/priority.ts';
import { resultPath } from '../system/result-files.ts';
import { findRevisions } from './checkout/checkouts.ts';
import { foundCredentials } from './checkout/credentials.ts';
import { holdsCredential, recordable } from './concealed.ts';
import { readConditions } from './conditions.ts';
import { checkGuards } from './guards.ts';
import { interimNotes } from './interims.ts';
import { longPlanNotes } from './long-plan.ts';
import { type Machines, openMachines, otherMachines, serviceMachines } from './machines.ts';
import { rememberMeasured } from './measured-here.ts';
import { MeterSet, waitForMeters } from './meter-set.ts';
import { readNoiseFloor } from './noise-floor-file.ts';
import { ObservationBuffer } from './observation-buffer.ts';
import { asksToObserve, observe, observingFailed } from './observe.ts';
import { checkPins } from './pins.ts';
import { type Places, type PlacesRequest, setUpPlaces } from './places.ts';
import type { Progress } from './progress.ts';
import { checkRemoteChannels, checkRemoteMeters, readRemoteConditions } from './remote.ts';
import { isAsRead, readUnfinished, recordedRevisions, sameMeters, type Unfinished } from './resume.ts';
import { type Measurement, Session } from './session.ts';
import { handOverLeft, Vault } from './vault.ts';
import { waitForMachine, whenFree } from './wait-for-machine.ts';
import { allChanges, readWorkloadFiles } from './workload-files.ts';

export interface MeasureRequest extends Omit<Measurement, 'folder'> {
  /** Where the result goes when it is finished, or has ended early. */
  readonly outDir: string;
  /** Go on with the unfinished experiment in `outDir`. */
  readonly resume: boolean;
  /** Nothing is measured: extra runs of the finished experiment in `outDir` are observed. Absent: as the experiment file says. */
  readonly explain?: { readonly rounds?: number | undefined; readonly trace?: TraceChoice | undefined };
  /** Called as soon as containers may carry this id, for whoever has to clean up after a kill. */
  readonly onExperimentId?: (id: string) => void;
  /** An earlier result in `outDir` is removed when this one is there; else it is moved aside. */
  readonly overwrite?: boolean;
  /** Called with the database of what was measured, however that ended, while nobody else can have written to it. */
  readonly onMeasured?: (database: string) => Promise<void>;
}

/**
 * Measures an experiment into `outDir`/experiment.db.
 * Throws InputError when nothing was started; MeasureError, or the signal's reason, when it ended early (what is finished is in the file).
 */
export async function measure(request: MeasureRequest): Promise<void> {
  const { outDir, progress, signal } = request;
  using _told = { [Symbol.dispose]: () => progress.end() };
  for (const line of handOverLeft()) progress.note(line);
  checkOutputFolder(outDir);
  validateMeterNames(request.experiment.meters);
  checkRemoteMeters(request.experiment);
  checkPins(request.experiment);
  const database = resultPath(outDir, 'database');
  if (request.explain && !existsSync(database)) {
    throw new InputError(`There is no experiment.db in ${outDir}, so there is nothing to explain.`, {
      advice: 'Measure first: joulediff run. --out names the folder of its result.',
    });
  }
  if (request.explain && request.experiment.host !== undefined) {
    throw new InputError(
      `Runs on ${request.experiment.host} can't be observed: that is for the machine that joulediff runs on.`,
    );
  }
  if (request.explain && request.experiment.client !== undefined) {
    throw new InputError(
      `Runs with a client on ${request.experiment.client.address} can't be observed: that is for clients on the machine that joulediff runs on.`,
    );
  }
  const resume = request.resume && existsSync(database);
  if (request.resume && !resume) progress.warn(`There is nothing to resume in ${outDir}: a new experiment is started.`);
  const experiment = await findRevisions(request.experiment, signal, resume ? recordedRevisions(database) : undefined);
  const unfinished = resume ? readUnfinished(database, experiment, progress.warn) : null;
  if (request.explain && !unfinished?.complete) {
    throw new InputError(`The experiment in ${outDir} isn't finished: what differs isn't known yet.`, {
      advice: 'Finish it first: joulediff run --resume.',
    });
  }
  const isMeasured = unfinished?.complete ?? false;
  if (isMeasured && !request.explain && !asksToObserve(experiment, database)) {
    return progress.note('Nothing is left to measure: the experiment is complete.');
  }
  const id = unfinished?.id ?? randomUUID();
  const vault = Vault.make({ experimentId: id, experiment, outDir });
  let earlier: string | null = null;
  const begin = () => {
    if (unfinished) vault.adopt();
    else earlier = makeRoom(request);
    claimOutputFolder(outDir);
    progress.note(`Until it ends, the database of this experiment is in ${vault.path}.`);
  };
  try {
    const begun = { ...request, experiment, id, unfinished, begin };
    await (isMeasured ? observeInto(vault, begun) : measureInto(vault, begun));
  } catch (thrown) {
    if (thrown instanceof Overtaken) {
      vault.remove();
      return measure(request);
    }
    if (request.overwrite && earlier !== null) progress.note(`The earlier result is in ${earlier}.`);
    await handOver(vault, request).catch((cause) => {
      // That the result is elsewhere must not be kept back.
      progress.warn(messageOf(thrown));
      throw cause;
    });
    throw thrown;
  }
  await handOver(vault, request);
  if (request.overwrite && earlier !== null) await removeResult(earlier);
}

/** Another joulediff went on with the experiment while this one waited for the machine: what was read of it is out of date. */
class Overtaken extends Error {}

interface Begun extends MeasureRequest {
  readonly id: string;
  readonly unfinished: Unfinished | null;
  /** Called once, when nothing is in the way of measuring any more. */
  begin(): void;
}

async function measureInto(vault: Vault, request: Begun): Promise<void> {
  const { experiment, id, unfinished, progress, signal } = request;
  // From here on everything is let go of at the end, in reverse order, however it ends.
  const what = `the experiment ${JSON.stringify(experiment.name)}`;
  const plan = unfinished?.plan ?? makePlan(experiment, experiment.seed ?? drawSeed());
  using _lock = await waitForMachine({ what, waitS: experiment.waitForMachineS ?? 0, progress, signal });
  if (unfinished && !isAsRead(resultPath(request.outDir, 'database'), unfinished)) throw new Overtaken();
  for (const line of await reap({ needed: neededBy(unfinished) })) progress.note(line);
  await using meters = await MeterSet.open(experiment.meters);
  if (meters.chosen !== null) progress.note(meters.chosen);
  for (const line of longPlanNotes(experiment, plan.runs)) progress.warn(line);
  for (const line of interimNotes(experiment.looks ?? [])) progress.note(line);
  checkRemoteChannels(experiment, meters.infos);
  checkGuards(experiment, meters.infos);
  if (unfinished) sameMeters(unfinished, meters.infos);
  raisePriority(experiment.pins?.joulediff?.nice ?? undefined);
  using _priority = { [Symbol.dispose]: restorePriority };
  using _pinned = pinSelf(experiment.pins?.joulediff ?? NO_PIN);
  request.onExperimentId?.(id);
  const credentials = await foundCredentials(experiment.directory, process.env, { signal });
  if (credentials !== null) progress.warn(credentials);
  if (holdsCredential(experiment)) progress.warn(CREDENTIAL_IN_COMMAND);
  const withEngine = experiment.variants.some(({ kind }) => kind !== 'native');
  await using host =
    experiment.host === undefined ? null : await openHost(experiment.host, what, request, { withEngine });
  await using others = await openOthers(what, request);
  const setup = { experiment, progress, signal, folder: vault.path, recorded: unfinished?.facts ?? null };
  await using places = await setUpPlaces(id, { ...setup, host: host ?? undefined, ...hostsOf(experiment, others) });
  const conditions = host === null ? await readConditions() : await readRemoteConditions(host);
  const files = await readWorkloadFiles(experiment, signal);
  if (unfinished?.files) tellChanges(unfinished.files, files, progress);
  const buffer = new ObservationBuffer(meters.channels);
  await meters.start(buffer);
  await waitForMeters(meters, { progress, signal });
  signal.throwIfAborted();
  request.begin();
  const store = unfinished
    ? StoreWriter.resume(vault.database)
    : createStore(vault.database, {
        id,
        experiment,
        plan,
        facts: places.facts,
        surroundings: places.surroundings,
        meters,
      });
  const { executors, ownStarts, hooks } = places;
  if (!unfinished) rememberMeasured(vault.database);
  const parts = { id, plan, unfinished, conditions, files, executors, ownStarts, hooks, meters, buffer, store };
  await new Session({ experiment, folder: vault.path, signal, progress }, parts).run();
  signal.throwIfAborted();
  if (!asksToObserve(experiment, vault.database)) return;
  await observe({ ...setup, id, seed: plan.seed, places, trace: experiment.trace }).catch((thrown: unknown) => {
    signal.throwIfAborted();
    progress.warn(observingFailed(thrown));
  });
}

/** What is known of its places: what they were made from must not be cleared away before they are made again. */
const neededBy = (unfinished: Unfinished | null): readonly PlaceFacts[] => [...(unfinished?.facts.values() ?? [])];

/** Reserves it, too: whoever measures there, or from elsewhere, is waited for as on this machine. */
function openHost(
  address: string,
  what: string,
  { experiment, progress, signal }: MeasureRequest,
  options: HostOptions = {},
): Promise<RemoteHost> {
  const from = `${what}, measured from ${hostname()}`;
  return whenFree({
    waitS: experiment.waitForMachineS ?? 0,
    progress,
    signal,
    machine: address,
    // Each look is a connection, which that machine has to do something for: somebody measures there.
    everyS: 60,
    take: () => RemoteHost.open(address, signal, (line) => progress.note(line), { ...options, what: from }),
    holderOf: (thrown) => (thrown instanceof HostTaken ? thrown.holder : null),
    takenError: (_, thrown) => thrown,
  });
}

/** Machines of the client and of services. */
const openOthers = (what: string, request: MeasureRequest): Promise<Machines> =>
  openMachines(otherMachines(request.experiment), (address) => openHost(address, what, request));

function hostsOf(
  { client, services }: Experiment,
  { all }: Machines,
): Pick<PlacesRequest, 'clientHost' | 'serviceHosts'> {
  const ofServices = serviceMachines(services).map((address): [string, RemoteHost] => [
    address,
    all.get(address) as RemoteHost,
  ]);
  return { clientHost: client && all.get(client.address), serviceHosts: new Map(ofServices) };
}

/** Extra runs of an experiment whose blocks are all there. */
async function observeInto(vault: Vault, request: Begun): Promise<void> {
  const { experiment, id, unfinished, progress, signal } = request;
  const what = `the experiment ${JSON.stringify(experiment.name)}`;
  using _lock = await waitForMachine({ what, waitS: experiment.waitForMachineS ?? 0, progress, signal });
  if (unfinished && !isAsRead(resultPath(request.outDir, 'database'), unfinished)) throw new Overtaken();
  for (const line of await reap({ needed: neededBy(unfinished) })) progress.note(line);
  raisePriority(experiment.pins?.joulediff?.nice ?? undefined);
  using _priority = { [Symbol.dispose]: restorePriority };
  using _pinned = pinSelf(experiment.pins?.joulediff ?? NO_PIN);
  request.onExperimentId?.(id);
  const setup = { experiment, progress, signal, folder: vault.path, recorded: unfinished?.facts ?? null };
  await using others = await openOthers(what, request);
  await using places = await setUpPlaces(id, { ...setup, ...hostsOf(experiment, others) });
  signal.throwIfAborted();
  request.begin();
  await observe({
    ...setup,
    id,
    seed: unfinished?.plan.seed ?? 0,
    places,
    ...request.explain,
    trace: request.explain?.trace ?? experiment.trace,
  });
}

async function handOver(vault: Vault, { outDir, progress, onMeasured }: MeasureRequest): Promise<void> {
  if (vault.isEmpty) return vault.remove();
  try {
    const aside = vault.clear();
    if (aside !== null) progress.warn(`Another experiment.db was put into ${outDir} meanwhile: it is in ${aside} now.`);
    await onMeasured?.(vault.database);
  } finally {
    vault.handOver();
  }
}

/** Moves an earlier result out of the way, says so, and gives where it is; null: there is none. */
function makeRoom({ outDir, overwrite = false, progress }: MeasureRequest): string | null {
  if (!checkOutputFolder(outDir)) return null;
  const earlier = moveAside(outDir);
  if (!overwrite) progress.note(`The earlier result in ${outDir} was moved to ${earlier}.`);
  return earlier;
}

const CREDENTIAL_IN_COMMAND =
  'A command holds what looks like a credential: it is *** in the result, but every user of this machine can see it among the processes. Let the command take it from a variable that pass-env names.';

interface StoreSetup {
  readonly id: string;
  readonly experiment: Experiment;
  readonly plan: Plan;
  readonly facts: ReadonlyMap<string, PlaceFacts>;
  readonly surroundings: Places['surroundings'];
  readonly meters: MeterSet;
}

function createStore(database: string, { meters, ...setup }: StoreSetup): StoreWriter {
  const [primary] = meters.infos;
  return StoreWriter.create(database, {
    ...setup,
    experiment: recordable(setup.experiment, setup.id),
    startedAt: new Date().toISOString(),
    meters: meters.infos.map((info, i) => ({ ...info, name: meters.names[i] as string, passport: readPassport(info) })),
    noiseFloor: primary ? readNoiseFloor(setup.experiment, primary) : null,
  });
}

/** A cause of failure may have been mended meanwhile, so it goes on; but the runs of before and after are not of the same files. */
function tellChanges(before: WorkloadFiles, now: WorkloadFiles, progress: Progress): void {
  const changed = allChanges(before, now);
  if (changed.length === 0) return;
  progress.warn(
    `The workload's files are not those that the experiment was started with: ${changed.join(', ')} changed. If that changes what is measured, start anew without --resume.`,
  );
}
