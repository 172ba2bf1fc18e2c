import { MeasureError, messageOf } from '../errors.ts';
import type { Executor } from '../executors/executor.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { MOST_EXECUTIONS } from '../schedule/batch.ts';
import type { GiveUp, NextRun, RunQueue } from '../schedule/queue.ts';
import type { StoreWriter } from '../store/writer.ts';
import { nowNs, secondsToNs, sleepUntil } from '../system/clock.ts';
import { logPath } from '../system/result-files.ts';
import type { AccountNotes } from './account-notes.ts';
import type { Batch } from './batch.ts';
import type { Looks } from './looks.ts';
import type { MachineSensors } from './machine-state.ts';
import type { MeterSet } from './meter-set.ts';
import { lastingPeriodS, performRun } from './one-run.ts';
import type { Progress } from './progress.ts';
import type { Recorder } from './recorder.ts';
import { TimeLeft } from './time-left.ts';

export interface SessionSetup {
  readonly experiment: Experiment;
  readonly experimentId: string;
  readonly executors: ReadonlyMap<string, Executor>;
  readonly meters: MeterSet;
  readonly recorder: Recorder;
  readonly store: StoreWriter;
  readonly queue: RunQueue;
  readonly looks: Looks;
  readonly batch: Batch;
  readonly accounts: AccountNotes;
  /** Number of the last execution that is in the database. */
  readonly lastRun: number;
  readonly totalRuns: number;
  readonly outDir: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly sensors: MachineSensors;
}

/** Runs what the queue still holds, one transaction a run. Throws when it has to end early; what is finished is in the database. */
export async function runSession(setup: SessionSetup): Promise<void> {
  const { queue, progress, signal } = setup;
  const timeLeft = new TimeLeft(setup.experiment, lastingPeriodS(setup.meters));
  let run = setup.lastRun;
  let warm = false;
  if (queue.superseded.length > 0) setup.store.exclude(queue.superseded);
  for (let next = nextRun(setup); next !== null; next = nextRun(setup)) {
    signal.throwIfAborted();
    if (!warm && !next.warmup) {
      warm = true;
      timeLeft.lengthen(setup.batch.addedS);
      tellBatch(setup);
    }
    progress.status({
      done: queue.done,
      total: setup.totalRuns,
      block: next.block,
      blocks: setup.experiment.repetitions,
      warmup: next.warmup,
      variant: next.variant,
      remainingS: timeLeft.remainingS(setup.totalRuns - queue.done),
    });
    const startedNs = nowNs();
    await runNext(next, ++run, setup);
    timeLeft.took(nowNs() - startedNs);
    await waitForMeter(setup);
  }
  await closingIdle(setup);
}

/** Between two runs, outside guards and windows: the moment to look at what is there. */
function nextRun({ queue, looks }: SessionSetup): NextRun | null {
  const next = queue.next();
  return looks.endBefore(next) ? null : next;
}

function tellBatch({ experiment, batch, progress }: SessionSetup): void {
  if (experiment.batch !== 'auto') return;
  const { executions, targetS } = batch;
  if (executions === 1) {
    progress.note(`One execution is long enough for the meter (batch: auto, ${targetS} s).`);
    return;
  }
  const short = executions === MOST_EXECUTIONS ? '; more are not made, the window stays shorter' : '';
  progress.note(
    `Every run executes its command ${executions} times, so that its window is ${targetS} s long or more (batch: auto${short}).`,
  );
}

/** A meter that went away may come back; its run is made up for with its block. */
async function waitForMeter({ meters, progress, signal }: SessionSetup): Promise<void> {
  if (!meters.lostSignal.aborted) return;
  progress.warn(`${messageOf(meters.lostSignal.reason)} Waiting up to a minute for it to come back.`);
  await meters.recover(signal);
  progress.note('The meter is back.');
}

async function runNext(next: NextRun, run: number, setup: SessionSetup): Promise<void> {
  const executor = setup.executors.get(next.variant);
  if (!executor) throw new Error(`no executor for ${next.variant}`);
  const executions = next.warmup ? 1 : setup.batch.executions;
  const outcome = await performRun(next, {
    executor,
    meters: setup.meters,
    recorder: setup.recorder,
    restS: setup.experiment.restS,
    guardS: setup.experiment.guardS,
    sensors: setup.sensors,
    executions,
    context: {
      experimentId: setup.experimentId,
      runId: run,
      logFile: logPath(setup.outDir, run, next.variant),
      phaseLines: setup.experiment.phases,
      signal: AbortSignal.any([setup.signal, setup.meters.lostSignal]),
    },
  });
  const { execution, ...record } = outcome;
  const problem = outcome.account?.phaseProblem ?? null;
  if (problem !== null) {
    setup.recorder.event({ tNs: outcome.endNs, kind: 'note', detail: `run ${run} has no phases: ${problem}` });
  }
  const finished = { run, planned: next.run, attempt: next.attempt, status: outcome.status, cause: outcome.cause };
  const { superseded, giveUp } = setup.queue.finish(finished);
  setup.store.addRun(
    {
      ...record,
      ...finished,
      position: next.position,
      executions,
      exitCode: execution?.exitCode ?? null,
      signal: execution?.signal ?? null,
      outputTail: outcome.status === 'failed' ? (execution?.outputTail ?? null) : null,
    },
    setup.recorder.take(),
    superseded,
  );
  setup.accounts.tell(next.variant, outcome.account);
  if (outcome.cause !== null && outcome.cause !== 'stopped') {
    setup.progress.warn(
      `Run ${run} (${next.variant}) is ${outcome.status}: ${outcome.reason}.${quoted(execution?.outputTail)}`,
    );
  }
  setup.batch.took({ ...outcome, variant: next.variant });
  if (giveUp !== null) throw gaveUp(giveUp);
}

function gaveUp(why: GiveUp): MeasureError {
  switch (why.kind) {
    case 'failed-twice':
      return new MeasureError(
        `The workload failed twice in variant "${why.variant}" (runs ${why.runs.join(' and ')}).`,
        { advice: 'Their output is in the folder logs of the result; everything measured so far is kept.' },
      );
    case 'too-many-attempts':
      return new MeasureError(`Block ${why.block} had an invalid run in each of ${why.attempts} attempts.`, {
        advice:
          'Look at the reasons in runs.csv: a meter that loses readings is often a bad cable, hub or a busy machine.',
      });
  }
}

/** The last run needs idle on both sides too. */
async function closingIdle(setup: SessionSetup): Promise<void> {
  const startNs = nowNs();
  await sleepUntil(startNs + secondsToNs(setup.experiment.restS), setup.signal);
  setup.meters.mark();
  setup.store.addIdle(startNs, nowNs(), setup.recorder.take());
}

function quoted(tail: string | undefined): string {
  const lines = (tail ?? '').trimEnd().split('\n').slice(-5);
  return lines.join('') === '' ? '' : `\n${lines.map((line) => `    ${line}`).join('\n')}`;
}
