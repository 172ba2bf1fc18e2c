import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { InputError, messageOf } from '../errors.ts';
import { reap } from '../executors/leftovers/reaper.ts';
import { isOnHost } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { readPassport } from '../meters/passport.ts';
import { validateMeterNames } from '../meters/registry.ts';
import type { Plan } from '../schedule/plan.ts';
import { drawSeed, makePlan } from '../schedule/randomize.ts';
import { withStore } from '../store/reader.ts';
import { StoreWriter } from '../store/writer.ts';
import { checkOutputFolder, claimOutputFolder, moveAside, removeResult } from '../system/output-folder.ts';
import { resultPath } from '../system/result-files.ts';
import type { Targets } from '../tuning/targets.ts';
import { findBenchmarks, withRecordedBenchmarks } from './benchmarks.ts';
import { findRevisions } from './checkout/checkouts.ts';
import { foundCredentials } from './checkout/credentials.ts';
import { holdsCredential, recordable, recordableMeter } from './concealed.ts';
import { readConditions } from './conditions.ts';
import type { ExtraRuns } from './extra-runs.ts';
import { checkGuards } from './guards.ts';
import { interimNotes } from './interims.ts';
import { calibrationNotes, longPlanNotes } from './long-plan.ts';
import { rememberMeasured } from './measured-here.ts';
import { MeterSet, waitForMeters } from './meter-set.ts';
import { readNoiseFloor } from './noise-floor-file.ts';
import { ObservationBuffer } from './observation-buffer.ts';
import { checkPins } from './pins.ts';
import type { Places } from './places.ts';
import { Prepared } from './prepared.ts';
import type { Progress } from './progress.ts';
import { checkRemoteChannels, checkRemoteMeters, readRemoteConditions } from './remote.ts';
import { meterPauses, restNote } from './rests.ts';
import { isAsRead, readUnfinished, recordedRevisions, sameMeters, type Unfinished } from './resume.ts';
import { type Measurement, Session } from './session.ts';
import { handOverLeft, Vault } from './vault.ts';
import { nameForOthers, waitForMachine } from './wait-for-machine.ts';
import { allChanges, readWorkloadFiles } from './workload-files.ts';

export interface MeasureRequest extends Omit<Measurement, 'folder'> {
  /** Folder for the result, once it is finished or has ended early. */
  readonly outDir: string;
  /** Whether to go on with the unfinished experiment in `outDir`. */
  readonly resume: boolean;
  /** Adds runs after the blocks, if the experiment file asks for them; absent: this build has no part that does so. */
  readonly extraRuns?: ExtraRuns | undefined;
  /** Nothing is measured: `extraRuns` are added to the finished experiment in `outDir`. */
  readonly onlyExtraRuns?: boolean | undefined;
  /** Called as soon as containers may carry this id, for whoever has to clean up after a kill. */
  readonly onExperimentId?: (id: string) => void;
  /** Machine settings that `quiet` changes; absent: this machine's own. */
  readonly targets?: Targets;
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
  const { outDir, progress, signal, extraRuns } = request;
  const only = request.onlyExtraRuns === true ? extraRuns : undefined;
  using _reported = { [Symbol.dispose]: () => progress.end() };
  const left = handOverLeft();
  for (const line of left) progress.note(line);
  const hasEarlier = checkOutputFolder(outDir);
  validateMeterNames(request.experiment.meters);
  checkRemoteMeters(request.experiment);
  checkPins(request.experiment);
  const database = resultPath(outDir, 'database');
  if (request.experiment.explain !== undefined && extraRuns === undefined) progress.warn(NO_EXTRA_RUNS);
  if (only && !existsSync(database)) {
    throw new InputError(`There is no experiment.db in ${outDir}, so there is nothing that runs could be added to.`, {
      advice: 'Measure first: joulediff run. --out names the folder of its result.',
    });
  }
  const resume = request.resume && existsSync(database);
  if (request.resume && !resume) progress.warn(`There is nothing to resume in ${outDir}: a new experiment is started.`);
  if (hasEarlier && !resume && request.experiment.directory === outDir) {
    throw new InputError(
      `${outDir} is the folder of the experiment, and would be moved with the earlier result there.`,
      {
        advice: 'Give another folder with --out.',
      },
    );
  }
  const suite = resume ? withStore(database, (reader) => reader.definition().suite) : undefined;
  const given = withRecordedBenchmarks(request.experiment, suite);
  const experiment = await findRevisions(given, signal, resume ? recordedRevisions(database) : undefined);
  const unfinished = resume ? readUnfinished(database, experiment, progress.warn, only !== undefined) : null;
  if (only && !unfinished?.complete) {
    throw new InputError(`The experiment in ${outDir} isn't finished: what differs isn't known yet.`, {
      advice: 'To finish it, give the command that began it again, with --resume.',
    });
  }
  const isMeasured = unfinished?.complete ?? false;
  const extra = isMeasured ? (only ?? asked(extraRuns, experiment, database)) : undefined;
  if (isMeasured && extra === undefined) {
    return progress.note('Nothing is left to measure: the experiment is complete.');
  }
  const id = unfinished?.id ?? randomUUID();
  const vault = Vault.make({ experimentId: id, experiment, outDir });
  // The machine is released only when the result is where the next process looks for it.
  using machine = new DisposableStack();
  let earlier: string | null = null;
  const begin = () => {
    if (unfinished) vault.adopt();
    else earlier = makeRoom(request);
    claimOutputFolder(outDir);
    progress.note(`Recording to ${vault.path}.`);
  };
  try {
    const { waitForMachineS: waitS = 0 } = experiment;
    machine.use(await waitForMachine({ what: nameForOthers(experiment), waitS, progress, signal }));
    for (const line of handOverLeft()) if (!left.includes(line)) progress.note(line);
    if (request.resume && !isAsRead(database, unfinished)) {
      vault.remove();
      machine.dispose();
      return measure(request);
    }
    // What the unfinished experiment's places name must not be cleared away before it is used again.
    for (const line of await reap({ needed: [...(unfinished?.facts.values() ?? [])] })) progress.note(line);
    const begun = { ...request, experiment, id, unfinished, begin };
    await (extra === undefined ? measureInto(vault, begun) : addExtraRuns(vault, begun, extra));
  } catch (thrown) {
    if (request.overwrite && earlier !== null) progress.note(`The earlier result is in ${earlier}.`);
    await handOver(vault, request).catch((cause) => {
      // That the result is somewhere else than asked for must be said.
      progress.warn(messageOf(thrown));
      throw cause;
    });
    throw thrown;
  }
  await handOver(vault, request);
  if (request.overwrite && earlier !== null) await removeResult(earlier);
}

/** The extra runs, if the experiment file asks for them. */
const asked = (extraRuns: ExtraRuns | undefined, experiment: Experiment, database: string): ExtraRuns | undefined =>
  extraRuns?.areAsked(experiment, database) === true ? extraRuns : undefined;

interface Begun extends MeasureRequest {
  readonly id: string;
  readonly unfinished: Unfinished | null;
  /** Called once, when nothing prevents measuring any more. */
  begin(): void;
}

/** Measures what is left of the plan. Releases everything at its end, in reverse order, however it ends. */
async function measureInto(vault: Vault, begun: Begun): Promise<void> {
  const { id, unfinished, progress, signal, extraRuns } = begun;
  await using prepared = new Prepared({ ...begun, folder: vault.path });
  const request = { ...begun, experiment: await findBenchmarks(begun.experiment, { ...begun, experimentId: id }) };
  prepared.experiment = request.experiment;
  const plan = unfinished?.plan ?? makePlan(request.experiment, request.experiment.seed ?? drawSeed());
  const meters = prepared.use(await MeterSet.open(request.experiment.meters));
  const experiment = { ...meterPauses(request.experiment, meters.infos), ...unfinished?.pauses };
  if (meters.chosen !== null) progress.note(meters.chosen);
  for (const line of [...longPlanNotes(experiment, plan.runs), ...calibrationNotes(experiment)]) progress.warn(line);
  for (const line of [restNote(experiment, meters.infos), ...interimNotes(experiment)]) if (line) progress.note(line);
  checkRemoteChannels(experiment, meters.infos);
  checkGuards(experiment, meters.infos, unfinished !== null);
  if (unfinished) sameMeters(unfinished, meters.infos);
  prepared.settle();
  await tellCredentials(request);
  const places = await prepared.places({ withEngine: !experiment.variants.every(isOnHost) });
  const conditions =
    prepared.host === null ? await readConditions(prepared.made) : await readRemoteConditions(prepared.host);
  const files = await readWorkloadFiles(experiment, signal);
  if (unfinished?.files) tellChanges(allChanges(unfinished.files, files, experiment), progress);
  const buffer = new ObservationBuffer(meters.channels);
  await meters.start(buffer);
  await waitForMeters(meters, { progress, signal });
  signal.throwIfAborted();
  request.begin();
  const { executors, ownStarts, hooks, facts, surroundings } = places;
  using store = unfinished
    ? StoreWriter.resume(vault.database)
    : createStore(vault.database, { id, experiment, plan, facts, surroundings, meters });
  if (!unfinished) rememberMeasured(vault.database);
  const parts = { id, plan, unfinished, conditions, files, executors, ownStarts, hooks, meters, buffer, store };
  await new Session({ experiment, folder: vault.path, signal, progress }, parts).run();
  signal.throwIfAborted();
  if (extraRuns?.areAsked(experiment, vault.database) !== true) return;
  await extraRuns
    .perform({ experiment, progress, signal, folder: vault.path, id, seed: plan.seed, places })
    .catch((thrown: unknown) => {
      signal.throwIfAborted();
      progress.warn(extraRuns.failureText(thrown));
    });
}

async function tellCredentials({ experiment, progress, signal }: Begun): Promise<void> {
  const credentials = await foundCredentials(experiment.directory, process.env, { signal });
  if (credentials !== null) progress.warn(credentials);
  if (holdsCredential(experiment)) progress.warn(CREDENTIAL_IN_COMMAND);
}

/** Extra runs of an experiment whose blocks are all there. */
async function addExtraRuns(vault: Vault, request: Begun, extraRuns: ExtraRuns): Promise<void> {
  const { experiment, id, unfinished, progress, signal } = request;
  await using prepared = new Prepared({ ...request, folder: vault.path });
  prepared.settle();
  const places = await prepared.places();
  signal.throwIfAborted();
  request.begin();
  const seed = unfinished?.plan.seed ?? 0;
  await extraRuns.perform({ experiment, progress, signal, folder: vault.path, id, seed, places });
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

const NO_EXTRA_RUNS =
  'explain: asks for extra runs that are observed; this build of joulediff has no part that makes them, so there will be none.';

const CREDENTIAL_IN_COMMAND =
  'A command holds what looks like a credential: it is *** in the result, but every user of this machine can see it among the processes. Let the command take it from a variable that pass-env names.';

interface StoreSetup extends Pick<Places, 'facts' | 'surroundings'> {
  readonly id: string;
  readonly experiment: Experiment;
  readonly plan: Plan;
  readonly meters: MeterSet;
}

function createStore(database: string, { meters, ...setup }: StoreSetup): StoreWriter {
  const [primary] = meters.infos;
  return StoreWriter.create(database, {
    ...setup,
    experiment: recordable(setup.experiment, setup.id),
    startedAt: new Date().toISOString(),
    meters: meters.infos.map((info, i) =>
      recordableMeter({ ...info, name: meters.names[i] as string, passport: readPassport(info) }),
    ),
    noiseFloor: primary ? readNoiseFloor(setup.experiment, primary) : null,
  });
}

/** Warns of files that changed since the first session: going on is right if a failure was mended, but the runs are not all of the same files. */
function tellChanges(changed: readonly string[], progress: Progress): void {
  if (changed.length === 0) return;
  progress.warn(
    `The workload's files are not those that the experiment was started with: ${changed.join(', ')} changed. If that changes what is measured, start anew without --resume.`,
  );
}
