import { type Allocation, allocate, cutTo, summarizeWarmUp } from '../analysis/allocation.ts';
import { analyzeInterim, soFar } from '../analysis/analyze-interim.ts';
import { ASSUMED_MACHINE } from '../analysis/smallest-visible.ts';
import type { MeterInfo } from '../contracts/reading.ts';
import type { Metric, WorkloadFiles } from '../contracts/variant.ts';
import { messageOf, Stopped } from '../errors.ts';
import type { Executor } from '../executors/executor.ts';
import { PlaceLostError } from '../executors/failures.ts';
import { linesToFind } from '../executors/phases/phase-lines.ts';
import { loopsItself } from '../executors/repeat.ts';
import { ownBatch } from '../experiment/batches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { mergeMetrics } from '../experiment/metrics.ts';
import { benchmarksByVariant } from '../experiment/suite.ts';
import type { Conditions } from '../findings/conditions.ts';
import { Batch, windowTargetS } from '../schedule/batch.ts';
import { blocksWithin, type InterimPlan, interimPlan } from '../schedule/interims.ts';
import type { Plan } from '../schedule/plan.ts';
import { type GiveUp, type NextRun, RunQueue } from '../schedule/queue.ts';
import { repeatOrder } from '../schedule/randomize.ts';
import { withStore } from '../store/reader.ts';
import type { InterimRecord, SessionEnd } from '../store/records.ts';
import type { StoreWriter } from '../store/writer.ts';
import { nowNs, nsToSeconds, SuspendWatch, secondsToNs, sleepUntil } from '../system/clock.ts';
import { logPath, resultPath, serviceLog } from '../system/result-files.ts';
import { durationText } from '../text/numbers.ts';
import { listed, plural } from '../text/plain.ts';
import type { Hooks } from './hooks.ts';
import { IncidentWatch } from './incidents.ts';
import { blocksForVerdict, Interims } from './interims.ts';
import { Logs } from './logs.ts';
import { MachineCounters } from './machine-counters.ts';
import { MachineSensors } from './machine-state.ts';
import { type MeterSet, waitForMeters } from './meter-set.ts';
import type { ObservationBuffer } from './observation-buffer.ts';
import { lastingPeriodS, performRun, type RunOutcome } from './one-run.ts';
import { type Progress, RemainingTime } from './progress.ts';
import { QuietWatch } from './quiet.ts';
import { Rests } from './rests.ts';
import type { Unfinished } from './resume.ts';
import {
  allocationText,
  badRunText,
  batchNote,
  giveUpError,
  RunNotes,
  scatterText,
  soFarText,
  startsNote,
} from './session-notes.ts';
import { checkSentFiles } from './workload-files.ts';

/** What is measured, where it is kept, and who is informed. */
export interface Measurement {
  readonly experiment: Experiment;
  /** Private folder of the database and the logs. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export interface SessionParts {
  readonly id: string;
  readonly plan: Plan;
  /** Recorded state of an experiment that is resumed; null: it begins. */
  readonly unfinished: Unfinished | null;
  readonly conditions: Conditions;
  readonly files: WorkloadFiles;
  readonly executors: ReadonlyMap<string, Executor>;
  /** Whether each execution of a window is a start of its place. */
  readonly ownStarts: boolean;
  readonly hooks: Hooks;
  readonly meters: MeterSet;
  /** Takes the readings of the meters. */
  readonly buffer: ObservationBuffer;
  /** Closed when the session ends. */
  readonly store: StoreWriter;
}

/** One stretch of measuring: runs what the queue still holds. */
export class Session {
  readonly #measurement: Measurement;
  readonly #parts: SessionParts;
  readonly #queue: RunQueue;
  /** The benchmark of each variant, by the variant's name; empty: the experiment has no suite. */
  readonly #benchmarks: ReadonlyMap<string, string>;
  /** Variants whose command repeats itself. */
  readonly #loops: ReadonlySet<string>;
  /** Benchmarks that an interim analysis has settled, so that they are not run any more. */
  readonly #settled: Set<string>;
  readonly #interims: Interims;
  readonly #batch: Batch;
  readonly #remaining: RemainingTime;
  readonly #sensors = new MachineSensors();
  readonly #counters = new MachineCounters();
  readonly #incidents = new IncidentWatch();
  readonly #quiet: QuietWatch | null;
  readonly #rests: Rests | null;
  readonly #notes: RunNotes;
  readonly #logs: Logs;
  /** Number of blocks of the plan, without the warm-up. */
  #blocks: number;
  readonly #beganNs = nowNs();
  #lastRun: number;
  #shown: { readonly block: number; readonly text: string | null } = { block: 0, text: null };
  /** The last block, with its attempt. */
  #lastBlock = '';
  #warm = false;

  constructor(measurement: Measurement, parts: SessionParts) {
    const { experiment, progress } = measurement;
    const { plan, unfinished, meters, buffer, ownStarts } = parts;
    const recorded = unfinished?.runs ?? [];
    this.#measurement = measurement;
    this.#parts = parts;
    this.#benchmarks = benchmarksByVariant(experiment.suite);
    const loops = new Set(
      experiment.variants.filter(({ workload }) => loopsItself(workload.run)).map(({ name }) => name),
    );
    this.#loops = loops;
    const groupOf = (variant: string): string => this.#benchmarks.get(variant) ?? '';
    const own = new Map(
      experiment.variants.map(({ name, workload }) => [groupOf(name), ownBatch(experiment, workload)] as const),
    );
    this.#queue = new RunQueue(
      plan.runs,
      recorded,
      (block, attempt, variants) => repeatOrder(plan.seed, block, attempt, variants),
      this.#benchmarks,
    );
    this.#blocks = Math.max(...plan.runs.map(({ block }) => block));
    // What an earlier session settled has no run in the last block.
    const open = new Set(
      plan.runs.filter(({ block }) => block === this.#blocks).map(({ variant }) => groupOf(variant)),
    );
    this.#settled = new Set([...this.#benchmarks.values()].filter((name) => !open.has(name)));
    this.#interims = new Interims({
      plan: interimPlan(experiment, this.#blocks),
      taken: unfinished?.looks ?? [],
      take: (interims, look) => this.#analyzeInterim(interims, look),
      progress,
    });
    this.#batch = new Batch(
      { executions: experiment.batch, ownStarts },
      windowTargetS(meters.infos[0]?.channels ?? [], experiment.batchWindowS),
      recorded.map((run) => ({ ...run, startUpS: unfinished?.places.get(run.run)?.startUpS ?? null })),
      { groupOf, loopsItself: (variant) => loops.has(variant), executionsOf: (group) => own.get(group) },
    );
    const { onNoise } = experiment;
    this.#quiet = onNoise === undefined ? null : new QuietWatch(onNoise, unfinished?.quietInspections ?? []);
    this.#rests = Rests.of({ experiment, primary: meters.infos[0] as MeterInfo, buffer });
    this.#notes = new RunNotes(progress);
    this.#logs = new Logs(experiment.logs);
    buffer.onSample = () => this.#counters.readProcessors();
    this.#remaining = new RemainingTime(experiment, lastingPeriodS(meters));
    this.#lastRun = Math.max(0, ...recorded.map(({ run }) => run));
  }

  /** Measures; one transaction per run. Throws when it ends early: the finished runs are in the database, and why it ended. */
  async run(): Promise<void> {
    const { progress } = this.#measurement;
    const { conditions, files, store, buffer } = this.#parts;
    let end: SessionEnd = { kind: 'complete' };
    try {
      store.beginSession(new Date().toISOString(), nowNs(), conditions, files);
      store.exclude(this.#queue.superseded);
      for (let next = this.#next(); next !== null; next = this.#next()) await this.#runOne(next);
      await this.#closingIdle();
    } catch (thrown) {
      end = endOf(thrown);
      throw thrown;
    } finally {
      progress.end();
      this.#incidents[Symbol.dispose]();
      store.close(new Date().toISOString(), end, buffer.take());
    }
  }

  /** Between two runs, outside guards and windows: the moment to look at what is there. */
  #next(): NextRun | null {
    const next = this.#queue.next();
    // Benchmarks that an analysis has settled are not run any more.
    return this.#interims.endBefore(next) ? null : this.#queue.next();
  }

  #analyzeInterim(plan: InterimPlan, look: number): InterimRecord {
    const { folder } = this.#measurement;
    const { record, settled } = withStore(resultPath(folder, 'database'), (reader) =>
      analyzeInterim(reader, plan, look),
    );
    // Settled benchmarks are taken out of the plan; its remaining blocks are for those that are still open.
    const left = record.because === null ? settled.filter((name) => !this.#settled.has(name)) : [];
    const cells = [...this.#benchmarks].flatMap(([variant, benchmark]) => (left.includes(benchmark) ? [variant] : []));
    this.#parts.store.addInterim(record, cells);
    for (const name of left) {
      this.#settled.add(name);
      this.#queue.limitGroup(name, record.blocks);
    }
    if (left.length > 0) this.#measurement.progress.note(`Settled, so not run again: ${listed(left)}.`);
    return record;
  }

  async #runOne(next: NextRun): Promise<void> {
    const { experiment, progress, signal } = this.#measurement;
    signal.throwIfAborted();
    if (!next.warmup && !this.#warm) {
      this.#warm = true;
      this.#allocate();
      if (experiment.batch === 'auto') progress.note(batchNote(this.#batch));
      if (this.#batch.range[1] > 1 && experiment.suite === undefined) progress.note(startsNote(this.#parts.ownStarts));
    }
    const block = `${next.block} ${next.attempt}`;
    let hookNs = 0n;
    if (block !== this.#lastBlock) {
      this.#lastBlock = block;
      const fromNs = nowNs();
      await this.#parts.hooks.beforeBlock(signal).catch(async (thrown: unknown) => {
        if (!(thrown instanceof PlaceLostError)) throw thrown;
        await this.#recover(...this.#parts.executors.keys());
        await this.#parts.hooks.beforeBlock(signal);
      });
      hookNs = nowNs() - fromNs;
      await this.#inspectQuiet(next);
    }
    this.#showStatus(next);
    const startedNs = nowNs() - hookNs;
    const run = ++this.#lastRun;
    const executions = next.warmup
      ? this.#batch.warmupExecutions(next.variant)
      : this.#batch.executionsOf(next.variant);
    const outcome = await this.#perform(next, run, executions);
    const giveUp = this.#record(next, run, executions, outcome);
    const startUpS = outcome.execution?.startUpS ?? null;
    this.#batch.observe({ ...outcome, variant: next.variant, executions, startUpS });
    if (giveUp !== null) throw giveUpError(giveUp, this.#measurement.experiment, outcome.execution?.exitCode);
    this.#remaining.observe(nowNs() - startedNs);
    if (outcome.cause === 'place-lost') await this.#recover(next.variant);
    await waitForMeters(this.#parts.meters, this.#measurement);
  }

  /** Waits for the places of variants that are lost; one that comes back is sent the files again. */
  async #recover(...variants: readonly string[]): Promise<void> {
    const { experiment, signal } = this.#measurement;
    for (const variant of variants) await this.#parts.executors.get(variant)?.recover?.(signal);
    await checkSentFiles(experiment, this.#parts.files, signal);
  }

  /**
   * Applies what the warm-up shows: how many executions a window holds, where a width or a time is wanted, and how many blocks fit into the time.
   * Where an earlier session has already compared blocks, both are fixed.
   */
  #allocate(): void {
    const { experiment, folder, progress } = this.#measurement;
    const { auto, batch, batchWindowS } = experiment;
    const isSettled = (this.#parts.unfinished?.runs ?? []).some(({ block }) => block > 0);
    if (auto === undefined || isSettled || (auto.withinS ?? auto.wantPercent) === undefined) {
      this.#remaining.lengthen(this.#batch.addedS);
      return;
    }
    const leftS =
      auto.withinS === undefined
        ? Number.POSITIVE_INFINITY
        : auto.withinS - nsToSeconds(nowNs() - this.#beganNs) - experiment.restS;
    const isFree = batch === 'auto' && batchWindowS === undefined && !experiment.suite && this.#loops.size === 0;
    const seen = withStore(resultPath(folder, 'database'), summarizeWarmUp);
    let expected: Allocation | null = null;
    const [info] = this.#parts.meters.infos;
    const [channel] = info?.channels ?? [];
    if (seen !== null && info && channel) {
      const { restS, guardS } = experiment;
      const found = allocate({
        ...ASSUMED_MACHINE,
        ...seen,
        channel: { ...channel, meter: { accuracy: info.accuracy } },
        variants: this.#parts.executors.size,
        // What the warm-up's runs took beside their windows: rests as they were, containers and whatever prepares a run.
        restS: Math.max(restS, this.#remaining.runS - seen.windowS - guardS),
        guardS,
        executions: isFree ? null : this.#batch.range[0],
        wantPercent: auto.wantPercent,
        leftS,
        leastBlocks: auto.least,
        mostBlocks: this.#blocks,
      });
      if (found !== null && isFree) this.#batch.settle(found.executions);
      expected = found;
    }
    this.#remaining.lengthen(this.#batch.addedS);
    if (auto.withinS !== undefined) this.#limitBlocks(auto.withinS, leftS);
    if (seen === null || expected === null) return;
    const { text, isReached } = allocationText(cutTo(this.#blocks, expected), auto);
    const line = `${text} ${scatterText(seen)}`;
    if (isReached === false) progress.warn(line);
    else progress.note(line);
  }

  #limitBlocks(withinS: number, leftS: number): void {
    const { experiment, progress } = this.#measurement;
    const blockS = this.#remaining.runS * this.#parts.executors.size;
    const fitting = blocksWithin(leftS, blockS);
    const needed = blocksForVerdict(experiment);
    const blocks = Math.min(this.#blocks, Math.max(needed, fitting));
    if (fitting < needed) {
      progress.warn(
        `Only ${plural(fitting, 'block')} of ${durationText(blockS)} would fit into ${durationText(withinS)}; a verdict takes ${needed}, so ${blocks} are measured.`,
      );
    }
    this.#blocks = blocks;
    this.#queue.limit(blocks);
    this.#parts.store.limitPlan(blocks);
    this.#interims.replan(interimPlan(experiment, blocks));
  }

  /** Inspects the machine before the first run of a block, after the hook: to wait between two blocks changes no order of runs. */
  async #inspectQuiet({ block, warmup }: NextRun): Promise<void> {
    if (this.#quiet === null) return;
    const { progress, signal } = this.#measurement;
    const { inspection, error } = await this.#quiet.before({ block, warmup, signal, progress });
    this.#parts.store.addQuietInspection(inspection, this.#parts.buffer.take());
    if (error !== null) throw error;
    await waitForMeters(this.#parts.meters, this.#measurement);
  }

  async #perform(next: NextRun, run: number, executions: number): Promise<RunOutcome> {
    const { experiment, folder, signal } = this.#measurement;
    const { id, executors, meters, buffer } = this.#parts;
    const executor = executors.get(next.variant);
    if (!executor) throw new Error(`no executor for ${next.variant}`);
    const { restS, guardS, phases } = experiment;
    const context = {
      experimentId: id,
      runId: run,
      logFile: logPath(folder, run, next.variant),
      phaseLines: linesToFind(phases),
      outputToDisk: experiment.output === 'file',
      executions,
      ownStarts: this.#startsOf(next.variant, 2) > 1,
      signal: AbortSignal.any([signal, meters.lostSignal]),
      stop: signal,
    };
    const outcome = await performRun(next, {
      executor,
      meters,
      buffer,
      restS,
      ...(this.#rests && { rests: this.#rests }),
      guardS,
      context,
      // All three read this machine, so they are left out where another one is measured.
      ...(experiment.host === undefined && {
        sensors: this.#sensors,
        incidents: this.#incidents,
        counters: this.#counters,
      }),
      metrics: this.#metricsFor(next.variant),
    });
    this.#logs.ended(context.logFile);
    for (const { name } of experiment.services ?? []) this.#logs.ended(serviceLog(context.logFile, name));
    return outcome;
  }

  /** Number of starts in a window: one for a command that repeats itself, whatever other commands need. */
  #startsOf(variant: string, executions: number): number {
    return this.#parts.ownStarts && !this.#loops.has(variant) ? executions : 1;
  }

  #metricsFor(variant: string): readonly Metric[] {
    const { experiment } = this.#measurement;
    return mergeMetrics(experiment, experiment.variants.find(({ name }) => name === variant)?.workload ?? {});
  }

  /** Writes the run and what it means for its block; gives why the block can't be repeated, where it should be. */
  #record(next: NextRun, run: number, executions: number, outcome: RunOutcome): GiveUp | null {
    const { buffer, store } = this.#parts;
    const { execution, leftByPrepare, telemetry, ...record } = outcome;
    const { status, cause } = outcome;
    const finished = { run, planned: next.run, attempt: next.attempt, status, cause };
    const { superseded, giveUp, dropped } = this.#queue.finish(finished);
    if (dropped !== null) {
      this.#measurement.progress.warn(
        `Benchmark ${JSON.stringify(dropped)} is given up, since run ${run} ${status === 'failed' ? 'failed' : 'is invalid'} again: ${outcome.reason}. The others go on.`,
      );
    }
    const problem = telemetry?.phaseProblem ?? null;
    if (problem !== null) {
      buffer.event({ tNs: outcome.endNs, kind: 'note', detail: `run ${run} has no phases: ${problem}` });
    }
    store.addRun(
      {
        ...record,
        ...finished,
        telemetry,
        clock: execution?.clock,
        place: execution && {
          starts: this.#startsOf(next.variant, executions),
          startUpS: execution.startUpS,
          preparedNames: leftByPrepare?.names ?? [],
          preparedRunOn: leftByPrepare?.runOn ?? false,
          limitUnseen: execution.limitUnseen ?? false,
        },
        position: next.position,
        executions,
        exitCode: execution?.exitCode ?? null,
        signal: execution?.signal ?? null,
        outputTail: status === 'failed' ? (execution?.outputTail ?? null) : null,
      },
      buffer.take(),
      superseded,
    );
    this.#notes.note(next.variant, telemetry);
    if (status === 'ok' || status === 'warmup') {
      this.#notes.notPrinted(next.variant, run, this.#metricsFor(next.variant), outcome);
    }
    this.#notes.unread(next.variant, run, outcome.unread);
    if (leftByPrepare !== null) this.#notes.left(next.variant, leftByPrepare);
    if (cause !== null && cause !== 'stopped') {
      this.#measurement.progress.warn(badRunText(run, next.variant, outcome));
    }
    return giveUp;
  }

  /** Stays idle at the end: the last run needs idle readings on both sides, too. */
  async #closingIdle(): Promise<void> {
    const { experiment, signal } = this.#measurement;
    const { meters, store, buffer } = this.#parts;
    const watch = new SuspendWatch();
    const startNs = nowNs();
    await sleepUntil(startNs + secondsToNs(experiment.restS), signal);
    meters.mark();
    if (watch.suspendedS() > 0) return;
    store.addIdle(startNs, nowNs(), buffer.take());
  }

  /** The interim result, computed anew with each block. */
  #soFar(block: number): string | null {
    const { experiment, folder, progress } = this.#measurement;
    if (experiment.auto === undefined || block === this.#shown.block) return this.#shown.text;
    const text = soFarText(withStore(resultPath(folder, 'database'), soFar));
    if (this.#shown.text === null && text !== null) progress.note(`So far: ${text}.`);
    this.#shown = { block, text };
    return text;
  }

  #showStatus({ block, warmup, variant }: NextRun): void {
    const { experiment, progress } = this.#measurement;
    const { done } = this.#queue;
    // Until the number of blocks that fit into the time is known, the smallest one takes its place.
    const isOpen = experiment.auto?.withinS !== undefined && !this.#warm;
    const fewest = (experiment.warmup.runs + (experiment.auto?.least ?? 0)) * this.#parts.executors.size;
    const total = isOpen ? fewest : this.#queue.total;
    const calibrating = experiment.batch === 'auto' && !this.#warm;
    const remainingS = calibrating ? null : this.#remaining.estimateS(total - done);
    const soFar = warmup ? null : this.#soFar(block);
    progress.status({ done, total, block, blocks: this.#blocks, warmup, variant, remainingS, calibrating, soFar });
  }
}

function endOf(thrown: unknown): SessionEnd {
  if (thrown instanceof Stopped) return { kind: 'stopped', signal: thrown.signalName };
  return { kind: 'failed', message: messageOf(thrown) };
}
