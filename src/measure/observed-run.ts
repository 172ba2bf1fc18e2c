import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor } from '../executors/executor.ts';
import { ANY_LINE } from '../executors/phases/phase-lines.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Added, AroundClient, Lack, ObservedGroup, ObserverKind, Tracer } from '../observers/observer.ts';
import { strace } from '../observers/strace/strace.ts';
import { ObserverError } from '../observers/tool.ts';
import type { ObservedRecord } from '../store/observed.ts';
import { nowNs } from '../system/clock.ts';
import { logPath } from '../system/result-files.ts';
import { ObservationBuffer } from './observation-buffer.ts';
import { performRun, type RunOutcome } from './one-run.ts';
import type { Places } from './places.ts';
import type { Progress } from './progress.ts';

/** Enough for what ran before to settle: nothing of it is an energy. */
const REST_S = 1;
/** Idle seconds before an extra run; there is no guard. */
export const observedRestS = ({ restS }: Pick<Experiment, 'restS'>): number => Math.min(REST_S, restS);

export interface ObserveRequest {
  readonly id: string;
  readonly experiment: Experiment;
  readonly seed: number;
  /** Private folder of the database and the logs. */
  readonly folder: string;
  readonly places: Pick<Places, 'executors' | 'hooks' | 'ownStarts'>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Runs of every variant; absent: five. */
  readonly rounds?: number | undefined;
  /** Whether more runs follow under a tracer; absent: where system calls can't be counted otherwise. */
  readonly trace?: boolean | undefined;
  /** Others for tests. */
  readonly observers?: readonly ObserverKind[];
}

/** An extra run that is still to be observed. */
export interface ObservedTurn {
  readonly round: number;
  readonly variant: string;
  readonly way: ObservedRecord['way'];
}

/** What was seen, and whether the place of the run has to be made again before the next one. */
export interface OneOutcome {
  readonly record: ObservedRecord;
  readonly isPlaceLost: boolean;
}

interface Performed extends Omit<ObservedTurn, 'way'> {
  /** Of all of its way. */
  readonly rounds: number;
  readonly executor: Executor;
  readonly run: number;
  readonly executions: number;
  readonly group: ObservedGroup | null;
  readonly added?: readonly Added[];
  readonly around?: readonly AroundClient[];
  readonly tracer?: Tracer;
  /** Others than the request's. */
  readonly signal?: AbortSignal;
}

/** One extra run, with nothing around it that is for energies. */
export function performObserved(
  { progress, experiment, folder, id, places, signal }: ObserveRequest,
  { executor, variant, round, rounds, run, executions, group, added, around, tracer, signal: own = signal }: Performed,
): Promise<RunOutcome> {
  const under = tracer === undefined ? '' : ' under strace';
  progress.note(`Observing variant ${JSON.stringify(variant)}${under}, round ${round} of ${rounds}.`);
  const context = {
    experimentId: id,
    runId: run,
    logFile: logPath(folder, run, `observed-${variant}`),
    phaseLines: experiment.phases === 'auto' ? [ANY_LINE] : experiment.phases,
    outputToDisk: experiment.output === 'file',
    executions,
    ownStarts: places.ownStarts,
    observed: group ?? undefined,
    added,
    around,
    tracer,
    signal: own,
  };
  const meters = { channels: [], mark() {}, lostSignal: new AbortController().signal };
  const next = { run: 0, block: round, attempt: 1, position: 1, variant, warmup: false };
  return performRun(next, {
    executor,
    meters,
    buffer: new ObservationBuffer([]),
    restS: observedRestS(experiment),
    guardS: 0,
    context,
  });
}

/** A traced run may take so many times what the workload usually does, */
const MOST_STRETCH = 100;
/** and so long however short that is, but never longer than this: nobody waits a day for a table. */
const LEAST_S = 120;
const MOST_S = 3600;

interface TracedTurn extends ObservedTurn {
  readonly rounds: number;
  readonly run: number;
  readonly scratch: string;
  /** What one execution takes otherwise. */
  readonly usualS: number;
  /** Another for tests. */
  readonly leastS?: number;
}

/** One execution of the command under a tracer, which is ended when it takes too long. */
export async function traceOne(
  request: ObserveRequest,
  { round, rounds, variant, run, scratch, usualS, way, leastS = LEAST_S }: TracedTurn,
): Promise<OneOutcome> {
  const { places, signal } = request;
  const own = join(scratch, String(run));
  mkdirSync(own, { recursive: true });
  const mostS = Math.min(MOST_S, Math.max(leastS, MOST_STRETCH * usualS));
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error(`it took longer than ${mostS.toFixed(0)} s under strace`)),
    1000 * mostS,
  );
  try {
    const begun = await strace.begin(own).catch((thrown: unknown) => lackOf(thrown));
    if (typeof begun === 'string') {
      const times = { startNs: nowNs(), endNs: nowNs() };
      const by = [{ name: strace.name, failure: begun }];
      const record = { round, variant, way, ...times, executions: 1, by, marks: [], counts: [], samples: [] };
      return { record: { ...record, status: 'failed', reason: 'strace could not be begun' }, isPlaceLost: false };
    }
    const { tracer, end } = begun;
    const outcome = await performObserved(request, {
      ...{
        executor: places.executors.get(variant) as Executor,
        variant,
        round,
        run,
        rounds,
        executions: 1,
        group: null,
        tracer,
      },
      signal: AbortSignal.any([signal, late.signal]),
    });
    const { startNs, endNs, status, reason, telemetry } = outcome;
    const base = { round, variant, startNs, endNs, executions: 1, way, marks: telemetry?.marks ?? [], samples: [] };
    const isPlaceLost = outcome.cause === 'place-lost';
    try {
      const seen = end({ startNs, endNs });
      if (status === 'ok') {
        const by = [{ name: strace.name, failure: null }];
        return { record: { ...base, by, counts: seen.counts, status, reason: null }, isPlaceLost };
      }
    } catch (thrown) {
      lackOf(thrown);
      const failure: Lack = late.signal.aborted ? 'too-slow' : status === 'ok' ? 'unreadable' : 'no-tracing';
      return { record: failed(failure), isPlaceLost };
    }
    return { record: failed(late.signal.aborted ? 'too-slow' : 'ended'), isPlaceLost };

    function failed(failure: Lack): ObservedRecord {
      const told = reason ?? 'strace left no table of its calls';
      return { ...base, by: [{ name: strace.name, failure }], counts: [], status: 'failed', reason: told };
    }
  } finally {
    clearTimeout(timer);
    rmSync(own, { recursive: true, force: true });
  }
}

export function lackOf(thrown: unknown): Lack {
  if (thrown instanceof ObserverError) return thrown.lack;
  throw thrown;
}
