import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { takeLook } from '../analysis/take-look.ts';
import { InputError, messageOf, Stopped } from '../errors.ts';
import { findRevisions } from '../executors/checkout/checkouts.ts';
import type { PlaceFacts } from '../executors/executor.ts';
import { reap } from '../executors/leftovers/reaper.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { neededGuardS } from '../meters/passport/advice.ts';
import { readPassport } from '../meters/passport/store.ts';
import { validateMeterNames } from '../meters/registry.ts';
import { windowTargetS } from '../schedule/batch.ts';
import type { Plan } from '../schedule/plan.ts';
import { RunQueue } from '../schedule/queue.ts';
import { drawSeed, makePlan, repeatOrder } from '../schedule/randomize.ts';
import { withStore } from '../store/reader.ts';
import type { LookRecord, SessionEnd } from '../store/records.ts';
import { StoreWriter } from '../store/writer.ts';
import { nowNs } from '../system/clock.ts';
import { raisePriority, restorePriority } from '../system/priority.ts';
import { checkOutputFolder, claimOutputFolder, resultPath } from '../system/result-files.ts';
import { AccountNotes } from './account-notes.ts';
import { Batch } from './batch.ts';
import { readConditions } from './conditions.ts';
import { lockMachine } from './lock.ts';
import { Looks, lookNotes } from './looks.ts';
import { MachineSensors } from './machine-state.ts';
import { MeterSet } from './meter-set.ts';
import { readNoiseFloor } from './noise-floor-file.ts';
import { type Places, setUpPlaces } from './places.ts';
import type { Progress } from './progress.ts';
import { Recorder } from './recorder.ts';
import { readUnfinished, recordedRevisions, sameMeters, type Unfinished } from './resume.ts';
import { runSession } from './session.ts';

export interface MeasureRequest {
  readonly experiment: Experiment;
  readonly outDir: string;
  /** Go on with the unfinished experiment in `outDir`. */
  readonly resume: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Called as soon as containers may carry this id, for whoever has to clean up after a kill. */
  readonly onExperimentId?: (id: string) => void;
}

/**
 * Measures an experiment into `outDir`/experiment.db.
 * Throws InputError when nothing was started; MeasureError, or the signal's reason, when it ended early (what is finished is in the file).
 */
export async function measure(request: MeasureRequest): Promise<void> {
  const { outDir, progress, signal } = request;
  checkOutputFolder(outDir);
  validateMeterNames(request.experiment.meters);
  const resume = request.resume && existsSync(resultPath(outDir, 'database'));
  const experiment = await findRevisions(request.experiment, signal, resume ? recordedRevisions(outDir) : undefined);
  const unfinished = resume ? readUnfinished(outDir, experiment) : null;
  if (unfinished?.complete) return progress.note('Nothing is left to measure: the experiment is complete.');
  const unlock = await lockMachine();
  let meters: MeterSet | null = null;
  try {
    for (const line of await reap({})) progress.note(line);
    meters = await MeterSet.open(experiment.meters);
    if (meters.chosen !== null) progress.note(meters.chosen);
    for (const line of lookNotes(experiment.looks ?? [])) progress.note(line);
    checkGuard(experiment, meters);
    checkPassports(experiment, meters);
    if (unfinished) sameMeters(unfinished, meters.infos);
    raisePriority();
    await measureWith(meters, unfinished, { ...request, experiment });
  } finally {
    restorePriority();
    await meters?.stop();
    unlock();
  }
  signal.throwIfAborted();
}

async function measureWith(meters: MeterSet, unfinished: Unfinished | null, request: MeasureRequest): Promise<void> {
  const id = unfinished?.id ?? randomUUID();
  request.onExperimentId?.(id);
  const places = await setUpPlaces(id, request);
  try {
    await measureIn(places, id, meters, unfinished, request);
  } finally {
    places.leave();
  }
}

async function measureIn(
  { executors, facts }: Places,
  id: string,
  meters: MeterSet,
  unfinished: Unfinished | null,
  request: MeasureRequest,
): Promise<void> {
  const { experiment, outDir, progress, signal } = request;
  const recorder = new Recorder();
  const conditions = await readConditions();
  const plan = unfinished?.plan ?? makePlan(experiment, experiment.seed ?? drawSeed());
  recorder.follow(meters.channels);
  await meters.start(recorder);
  signal.throwIfAborted();
  const store = unfinished
    ? StoreWriter.resume(resultPath(outDir, 'database'))
    : createStore(id, facts, meters, plan, request);
  let end: SessionEnd = { kind: 'complete' };
  try {
    store.beginSession(new Date().toISOString(), nowNs(), conditions);
    await runSession({
      experiment,
      experimentId: id,
      executors,
      meters,
      recorder,
      store,
      queue: new RunQueue(plan.runs, unfinished?.runs ?? [], (block, attempt, variants) =>
        repeatOrder(plan.seed, block, attempt, variants),
      ),
      looks: new Looks({
        planned: experiment.looks ?? [],
        taken: unfinished?.looks ?? [],
        take: (look) => takeAndRecord(look, store, request),
        progress,
      }),
      accounts: new AccountNotes(progress),
      batch: new Batch(experiment.batch, windowTargetS(meters.infos[0]?.channels ?? []), unfinished?.runs ?? []),
      lastRun: unfinished?.lastRun ?? 0,
      totalRuns: plan.runs.length,
      outDir,
      progress,
      signal,
      sensors: new MachineSensors(),
    });
  } catch (thrown) {
    end = endOf(thrown);
    throw thrown;
  } finally {
    progress.end();
    store.close(new Date().toISOString(), end, recorder.take());
  }
}

function endOf(thrown: unknown): SessionEnd {
  if (thrown instanceof Stopped) return { kind: 'stopped', signal: thrown.signalName };
  return { kind: 'failed', message: messageOf(thrown) };
}

function takeAndRecord(look: number, store: StoreWriter, { experiment, outDir }: MeasureRequest): LookRecord {
  const taken = withStore(resultPath(outDir, 'database'), (reader) => takeLook(reader, experiment.looks ?? [], look));
  store.addLook(taken);
  return taken;
}

function createStore(
  id: string,
  facts: ReadonlyMap<string, PlaceFacts>,
  meters: MeterSet,
  plan: Plan,
  { experiment, outDir }: MeasureRequest,
): StoreWriter {
  claimOutputFolder(outDir);
  const startedAt = new Date().toISOString();
  return StoreWriter.create(resultPath(outDir, 'database'), {
    id,
    startedAt,
    experiment,
    plan,
    facts,
    meters: meters.infos.map((info) => ({ ...info, passport: readPassport(info) })),
    noiseFloor: meters.infos[0] ? readNoiseFloor(experiment, meters.infos[0]) : null,
  });
}

/** What `meter check` found on this very machine is more than what the type of the meter promises. */
function checkPassports(experiment: Experiment, { infos }: MeterSet): void {
  for (const info of infos) {
    const passport = readPassport(info);
    const needed = passport && neededGuardS(passport);
    if (needed === null || experiment.guardS >= needed) continue;
    throw new InputError(
      `guard: ${experiment.guardS} s is too short for this ${info.type}: its check on ${passport?.when.slice(0, 10)} found that it needs ${needed} s.`,
      {
        advice: `Set guard to ${needed}s or more, and rest to at least as much; or check the meter anew with joulediff meter check.`,
      },
    );
  }
}

function checkGuard(experiment: Experiment, { infos }: MeterSet): void {
  for (const info of infos) {
    if (experiment.guardS >= info.minimumGuardS) continue;
    const guard = info.minimumGuardS;
    throw new InputError(
      `guard: ${experiment.guardS} s is too short for ${info.type}, which needs ${guard} s to show a change of power in full.`,
      { advice: `Set guard to ${guard}s or more, and rest to at least as much.` },
    );
  }
}
