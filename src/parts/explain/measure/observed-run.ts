import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Limitation, ObservedGroup } from '../../../contracts/observation.ts';
import type { Added, AroundClient, Tracer } from '../../../contracts/observing.ts';
import { TRACER_WAYS, TRACERS, type TraceChoice, type TracedWay, type TracerName } from '../../../contracts/tracers.ts';
import type { Executor } from '../../../executors/executor.ts';
import { observedGroup } from '../../../executors/leftovers/observed-groups.ts';
import { findUser } from '../../../executors/native/user.ts';
import { linesToFind } from '../../../executors/phases/phase-lines.ts';
import { hostUser } from '../../../executors/registry.ts';
import type { ExtraRunsRequest } from '../../../measure/extra-runs.ts';
import { ObservationBuffer } from '../../../measure/observation-buffer.ts';
import { performRun, type RunOutcome } from '../../../measure/one-run.ts';
import type { ObservedRecord } from '../../../store/observed.ts';
import { nowNs } from '../../../system/clock.ts';
import { makeFolder } from '../../../system/make-folder.ts';
import { logPath } from '../../../system/result-files.ts';
import { bytes as bytesText } from '../../../text/numbers.ts';
import type { BegunTracer, ObserverKind, TracedCommand } from '../observers/observer.ts';
import { tracerKinds } from '../observers/registry.ts';
import { ObserverError } from '../observers/tool.ts';
import { type ObservedTurn, observedRestS } from './observed-plan.ts';

export interface ObserveRequest extends ExtraRunsRequest {
  /** Runs of every variant; absent: five. */
  readonly rounds?: number | undefined;
  /** Tracers of further runs; absent: strace, if system calls can't be counted otherwise. */
  readonly trace?: TraceChoice | undefined;
  /** Other observers, for tests. */
  readonly observers?: readonly ObserverKind[];
}

/** Data of a run, and whether its place must be recreated before the next one. */
export interface OneOutcome {
  readonly record: ObservedRecord;
  readonly isPlaceLost: boolean;
}

interface Performed extends Omit<ObservedTurn, 'way'> {
  /** Total number of rounds of this kind. */
  readonly rounds: number;
  readonly executor: Executor;
  readonly run: number;
  readonly executions: number;
  readonly group: ObservedGroup | null;
  readonly added?: readonly Added[];
  readonly around?: readonly AroundClient[] | undefined;
  readonly under?: { readonly name: TracerName; readonly tracer: Tracer | undefined };
  /** Signal for this run; absent: the request's. */
  readonly signal?: AbortSignal;
}

/** Makes one extra run, without rests and guards for energies. */
export function performObserved(
  { progress, experiment, folder, id, places, signal }: ObserveRequest,
  { executor, variant, round, rounds, run, executions, group, added, around, under, signal: own = signal }: Performed,
): Promise<RunOutcome> {
  const how = under === undefined ? '' : ` under ${under.name}`;
  progress.note(`Observing variant ${JSON.stringify(variant)}${how}, round ${round} of ${rounds}.`);
  const context = {
    experimentId: id,
    runId: run,
    logFile: logPath(folder, run, `observed-${variant}`),
    phaseLines: linesToFind(experiment.phases),
    outputToDisk: experiment.output === 'file',
    executions,
    ownStarts: places.ownStarts,
    observed: group ?? undefined,
    added,
    around,
    tracer: under?.tracer,
    signal: own,
    stop: signal,
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

/** Maximum duration of a traced run, in multiples of the workload's usual duration, */
const MAX_STRETCH = 100;
/** but at least MIN_S, and never longer than the maximum below, seconds. */
const MIN_S = 120;
const MAX_S = 3600;

interface TracedTurn extends ObservedTurn {
  readonly way: TracedWay;
  readonly rounds: number;
  readonly run: number;
  readonly scratch: string;
  /** Usual duration of one execution, seconds. */
  readonly usualS: number;
  /** Other minimum, for tests. */
  readonly leastS?: number;
  readonly mostBytes?: number;
}

/** Runs one execution under a tracer, and ends it when it takes too long or writes too much. */
export async function traceOne(request: ObserveRequest, turn: TracedTurn): Promise<OneOutcome> {
  const { round, rounds, variant, run, scratch, way } = turn;
  const { places, signal } = request;
  const own = join(scratch, String(run));
  makeFolder(own);
  const name = TRACERS.find((one) => TRACER_WAYS[one] === way) as TracerName;
  let begun: BegunTracer | null = null;
  const base = { round, variant, executions: 1, way };
  const kind = tracerKinds[name];
  // A command that is only started under a tracer keeps its usual control group.
  using made = kind.places === 'services' ? observedGroup() : null;
  const group = made?.group ?? null;
  try {
    const started = await kind
      .begin(own, commandOf(request, variant), group)
      .catch((thrown: unknown) => toLimitation(thrown));
    if (typeof started === 'string') {
      const times = { startNs: nowNs(), endNs: nowNs(), marks: [], counts: [], samples: [] };
      const reason = CANNOT_BEGIN[started] ?? `${name} could not be begun`;
      return {
        record: { ...base, ...times, by: [{ name, failure: started }], status: 'failed', reason },
        isPlaceLost: false,
      };
    }
    begun = started;
    using bounds = boundsOf(begun, name, turn);
    const outcome = await performObserved(request, {
      variant,
      round,
      run,
      rounds,
      executions: 1,
      group,
      around: begun.around && [begun.around],
      under: { name, tracer: begun.tracer },
      executor: places.executors.get(variant) as Executor,
      signal: AbortSignal.any([signal, bounds.signal]),
    });
    const { startNs, endNs, status, reason, telemetry } = outcome;
    const of = { ...base, startNs, endNs, marks: telemetry?.marks ?? [], samples: [] };
    const isPlaceLost = outcome.cause === 'place-lost';
    const failed = (failure: Limitation): OneOutcome => {
      const reported = reason ?? `${name} left no table of its calls`;
      return {
        record: { ...of, by: [{ name, failure }], counts: [], status: 'failed', reason: reported },
        isPlaceLost,
      };
    };
    if (bounds.reached() !== null) return failed(bounds.reached() as Limitation);
    try {
      const { counts } = await begun.end({ startNs, endNs });
      if (status !== 'ok') return failed('ended');
      return { record: { ...of, by: [{ name, failure: null }], counts, status, reason: null }, isPlaceLost };
    } catch (thrown) {
      const limitation = toLimitation(thrown);
      return failed(status === 'ok' ? limitation : 'no-tracing');
    }
  } finally {
    await begun?.leave?.();
    rmSync(own, { recursive: true, force: true });
  }
}

/** Why a traced run can't start, for limitations with a more precise message. */
const CANNOT_BEGIN: Readonly<Partial<Record<Limitation, string>>> = {
  static: 'its program is linked statically, and calls no library that uftrace could see',
  'not-glibc': 'its program has another C library, or is for another processor, than uftrace',
  'other-user': 'it runs as another user, and uftrace traces only programs of its own',
};

/** Command of a variant on the host; unknown if the program is in a checkout. */
function commandOf({ experiment }: ObserveRequest, name: string): TracedCommand {
  const variant = experiment.variants.find((one) => one.name === name);
  const user = variant && hostUser(variant);
  const { run = '', workdir = null, env = {} } = variant?.workload ?? {};
  return {
    command: variant?.revision === undefined ? run : null,
    directory: resolve(experiment.directory, workdir ?? '.'),
    path: env.PATH ?? process.env.PATH ?? '',
    isOther: user !== undefined && findUser(user) !== null,
  };
}

const POLL_MS = 100;

interface Bounds extends Disposable {
  readonly signal: AbortSignal;
  /** The exhausted limit, time or space; null: none. */
  reached(): Limitation | null;
}

function boundsOf({ room }: BegunTracer, name: TracerName, { usualS, leastS = MIN_S, mostBytes }: TracedTurn): Bounds {
  const mostS = Math.min(MAX_S, Math.max(leastS, MAX_STRETCH * usualS));
  const bytes = mostBytes ?? room?.bytes ?? Number.POSITIVE_INFINITY;
  const stopper = new AbortController();
  let reached: Limitation | null = null;
  const stop = (limitation: Limitation, reason: string): void => {
    if (reached !== null) return;
    reached = limitation;
    stopper.abort(new Error(reason));
  };
  const late = setTimeout(
    () => stop('too-slow', `it took longer than ${mostS.toFixed(0)} s under ${name}`),
    1000 * mostS,
  );
  const poll = (): void => {
    if (room === undefined || room.used() <= bytes) return;
    stop('wrote-too-much', `${name} wrote more than ${bytesText(bytes)} of it`);
  };
  const polling = room === undefined ? undefined : setInterval(poll, POLL_MS);
  return {
    signal: stopper.signal,
    reached: () => reached,
    [Symbol.dispose]() {
      clearTimeout(late);
      clearInterval(polling);
    },
  };
}

export function toLimitation(thrown: unknown): Limitation {
  if (thrown instanceof ObserverError) return thrown.limitation;
  throw thrown;
}
