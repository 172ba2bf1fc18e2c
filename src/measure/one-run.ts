import { setImmediate as takeTurn } from 'node:timers/promises';
import type { Execution, LeftRunning, PreparedProcesses, RunTelemetry, ServiceRun } from '../contracts/execution.ts';
import type { ChannelInfo } from '../contracts/reading.ts';
import type { Metric } from '../contracts/variant.ts';
import { JoulediffError, MeasureError, messageOf, withoutFullStop } from '../errors.ts';
import type { Executor, PreparedRun, RunContext } from '../executors/executor.ts';
import { PlaceLostError } from '../executors/failures.ts';
import { sizeOf } from '../executors/output-tail.ts';
import { ServiceError, type ServiceProblem } from '../executors/services/failures.ts';
import type { Counted } from '../findings/resources.ts';
import { limitText } from '../processes/limits.ts';
import { LONGEST_HOLD_PERIODS } from '../sampling/sample-clock.ts';
import type { RestEnd, RunCause, RunStatus } from '../schedule/outcome.ts';
import type { NextRun } from '../schedule/queue.ts';
import type { MachineState, MetricValue, ProcessorReading, RunIncidents, UnreadChannel } from '../store/records.ts';
import { nowNs, nsToSeconds, StallWatch, SuspendWatch, secondsToNs, sleepUntil } from '../system/clock.ts';
import { HookError } from './hooks.ts';
import type { IncidentWatch } from './incidents.ts';
import { type MachineCounters, SHORTEST_IDLE_S } from './machine-counters.ts';
import type { MachineSensors } from './machine-state.ts';
import type { MeterSet } from './meter-set.ts';
import { type RefusedNumber, readMetrics } from './metrics.ts';
import type { ObservationBuffer } from './observation-buffer.ts';
import type { Rests } from './rests.ts';

export interface OneRunSetup {
  readonly executor: Executor;
  readonly meters: Pick<MeterSet, 'channels' | 'mark' | 'lostSignal'>;
  readonly buffer: ObservationBuffer;
  readonly restS: number;
  /** Decides when a rest ends, after `restS` at least; absent: every rest lasts `restS`. */
  readonly rests?: Pick<Rests, 'untilSettled'>;
  readonly guardS: number;
  /** Absent: incidents on the machine are not looked for. */
  readonly incidents?: Pick<IncidentWatch, 'begin' | 'end'>;
  /** Absent: the state of the machine is not read. */
  readonly sensors?: Pick<MachineSensors, 'begin' | 'read'>;
  /** Absent: what the machine does in the window is not counted. */
  readonly counters?: Pick<MachineCounters, 'rest' | 'begin' | 'end' | 'idle' | 'processors'>;
  /** Numbers to find in the output; absent: none. */
  readonly metrics?: readonly Metric[];
  readonly context: RunContext;
}

/** How a run went, with its moments on CLOCK_MONOTONIC. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly cause: RunCause | null;
  readonly reason: string | null;
  readonly restStartNs: bigint;
  /** How the rest ended; null: it had a given length, or was cut short. */
  readonly restEnd: RestEnd | null;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly guardEndNs: bigint;
  readonly execution: Execution | null;
  /** Secondary channels without energy in this run, although it is good on the primary channel. */
  readonly unread: readonly UnreadChannel[];
  /** What `prepare` left running; null: nothing, or it can't be told. */
  readonly leftByPrepare: PreparedProcesses | null;
  /** State of the machine at the end of the rest; null: the run did not get there. */
  readonly machine: MachineState | null;
  /** Incidents from before the guards until after them; null: they were not looked for. */
  readonly incidents: RunIncidents | null;
  /** What the whole machine did in the window, and while idle on both sides of it. */
  readonly counters: readonly Counted[];
  /** Times of the machine's processors through the window; empty: they were not read. */
  readonly processors: readonly ProcessorReading[];
  /** Values of metrics found in the output. */
  readonly metrics: readonly MetricValue[];
  /** Numbers that may be in another unit than their metric's. */
  readonly refusedMetrics: readonly RefusedNumber[];
  /** Services of the run, as far as they were started. */
  readonly services: readonly ServiceRun[];
  /** Phases and resources; null: the run was stopped, or its place gives none. */
  readonly telemetry: RunTelemetry | null;
}

/** Longest period of the channels that report late: after the guard, the machine stays idle for that time. */
export function lastingPeriodS({ channels }: Pick<MeterSet, 'channels'>): number {
  const periods = channels.filter((c) => c.integration === 'guard');
  return Math.max(0, ...periods.map((c) => c.samplingPeriodS));
}

/**
 * One run: place made and prepared · rest, its last part the guard · window · guard · cleaned up. Between preparation
 * and clean-up nothing happens but the workload. A run that could not be started counts as failed, with an empty window.
 */
export async function performRun(next: NextRun, setup: OneRunSetup): Promise<RunOutcome> {
  const { signal } = setup.context;
  let prepared: PreparedRun | null = null;
  let execution: Execution | null = null;
  let failure: Failure | null = null;
  let rested: Rested = { machine: null, restEnd: null };
  let incidents: RunIncidents | null = null;
  let counters: readonly Counted[] = [];
  let suspendedS = 0;
  let stalledS = 0;
  let telemetry: RunTelemetry | null = null;
  let printedBefore = 0;
  let printedTo: number | null = null;
  let restStartNs = nowNs();
  let restEndNs: bigint | null = null;
  let guardEndNs = restStartNs;
  const watch = new SuspendWatch();
  try {
    signal.throwIfAborted();
    const onPrinted = () => {
      printedTo ??= sizeOf(setup.context.logFile);
    };
    prepared = await setup.executor.prepare({ ...setup.context, onPrinted });
    printedTo = null;
    printedBefore = sizeOf(setup.context.logFile);
    restStartNs = nowNs();
    rested = await rest(restStartNs, setup);
    restEndNs = nowNs();
    setup.counters?.begin();
    const stall = new StallWatch();
    execution = await prepared.execute({ onEdge: () => setup.meters.mark() }).finally(() => {
      stalledS = stall.end();
    });
    counters = setup.counters?.end() ?? [];
    const guardedNs = execution.endNs + secondsToNs(setup.guardS + lastingPeriodS(setup.meters));
    await sleepUntil(afterIdleness(guardedNs, setup.guardS, setup.counters), signal);
    counters = [...counters, ...(setup.counters?.idle() ?? [])];
    execution = (await prepared.settle?.(execution)) ?? execution;
    checkClock(execution, setup.guardS);
  } catch (thrown) {
    if (!signal.aborted) failure = toFailure(thrown);
  } finally {
    guardEndNs = nowNs();
    if (execution !== null) incidents = setup.incidents?.end() ?? null;
    suspendedS = watch.suspendedS();
    if (execution !== null && !signal.aborted) telemetry = (await prepared?.telemetry?.()) ?? null;
    const atEnd = await dispose(prepared, setup.context);
    // An error at the end, such as a service's death, is the reason, but not after a lost place; a hook's only where nothing failed before.
    if (failure === null || (failure.cause !== 'place-lost' && atEnd?.cause !== 'hook')) failure = atEnd ?? failure;
  }
  // Readings that came while this process got no time are still in its pipes: they are taken before any counts as missing.
  await takeTurn();
  const spent = momentsOf({ restStartNs, restEndNs: restEndNs ?? guardEndNs, guardEndNs }, execution);
  // A failed preparation was no rest. Nor was a suspension: one reading of a counter, which goes on meanwhile, may hold the energy of a night.
  const moments = prepared === null || suspendedS > 0 ? { ...spent, restStartNs: spent.startNs } : spent;
  const judged = judge(next, setup, { execution, failure, suspendedS, stalledS }, moments);
  const unread = unreadChannels(judged, setup, moments);
  const leftByPrepare = prepared?.leftByPrepare ?? null;
  const services = prepared?.services ?? [];
  const printed = { logFile: setup.context.logFile, fromByte: printedBefore, toByte: printedTo };
  const { values: metrics, refused: refusedMetrics } = readMetrics(
    printed,
    execution === null ? [] : (setup.metrics ?? []),
    setup.context.executions,
  );
  return {
    ...judged,
    ...moments,
    ...rested,
    execution,
    unread,
    leftByPrepare,
    incidents,
    telemetry,
    counters,
    processors: counters.length === 0 ? [] : (setup.counters?.processors() ?? []),
    services,
    metrics,
    refusedMetrics,
  };
}

/** Throws MeasureError where the window's edges are too uncertain: energy above idle is summed from guard to guard, and they must not reach there. */
function checkClock({ clock }: Execution, guardS: number): void {
  if (clock === undefined || clock.edgeS <= MAX_EDGE * guardS) return;
  throw new MeasureError(
    `The clock of the machine that timed the window is known to ${(1000 * clock.edgeS).toFixed(0)} ms only, which is too much for a guard of ${guardS} s.`,
    { advice: 'Give a longer guard. Over a network, one that answers sooner helps.' },
  );
}

/** Share of the guard by which an edge of the window may be uncertain. */
const MAX_EDGE = 0.25;

/** Rests. The load is measured in the later half: in the first one, the place that was just made may still be busy. */
async function rest(
  restStartNs: bigint,
  { restS, rests, sensors, incidents, counters, context }: OneRunSetup,
): Promise<Rested> {
  incidents?.begin();
  await sleepUntil(restStartNs + secondsToNs(restS / 2), context.signal);
  sensors?.begin();
  counters?.rest();
  if (rests !== undefined) {
    const restEnd = await rests.untilSettled(restStartNs, context.signal);
    return { machine: sensors?.read() ?? null, restEnd };
  }
  await sleepUntil(afterIdleness(restStartNs + secondsToNs(restS), restS / 2, counters), context.signal);
  return { machine: sensors?.read() ?? null, restEnd: null };
}

type Rested = Pick<RunOutcome, 'machine' | 'restEnd'>;

/**
 * End of a pause that was to last `pauseS`, or later where this process is late: a shorter idle stretch would show too few context switches. A pause
 * that is too short for that by itself is not made longer.
 */
function afterIdleness(endNs: bigint, pauseS: number, counters: OneRunSetup['counters']): bigint {
  const earliestNs = nowNs() + secondsToNs(SHORTEST_IDLE_S);
  return counters === undefined || pauseS < SHORTEST_IDLE_S || endNs > earliestNs ? endNs : earliestNs;
}

async function dispose(prepared: PreparedRun | null, { signal, stop = signal }: RunContext): Promise<Failure | null> {
  try {
    await prepared?.dispose();
    return null;
  } catch (thrown) {
    return stop.aborted || thrown === signal.reason ? null : toFailure(thrown);
  }
}

/** An error of the place, not of the workload in it. */
interface Failure {
  readonly cause: 'place' | 'place-lost' | 'hook' | ServiceProblem;
  readonly sentence: string;
}

function toFailure(thrown: unknown): Failure {
  const sentence = formatSentence(thrown);
  if (thrown instanceof ServiceError) return { cause: thrown.problem, sentence };
  if (thrown instanceof HookError) return { cause: 'hook', sentence };
  return { cause: thrown instanceof PlaceLostError ? 'place-lost' : 'place', sentence };
}

/** Longest time that joulediff may not run in a window, seconds. What happens while a process is stopped is stamped only when it goes on. */
const LONGEST_STALL_S = 1;

type Moments = Pick<RunOutcome, 'restStartNs' | 'startNs' | 'endNs' | 'guardEndNs'>;

/** Without an execution, the window is empty and lies at the end of the rest: what ran after it is idleness of no run. */
function momentsOf(
  { restStartNs, restEndNs, guardEndNs }: Pick<Moments, 'restStartNs' | 'guardEndNs'> & { readonly restEndNs: bigint },
  execution: Execution | null,
): Moments {
  const { startNs, endNs } = execution ?? { startNs: restEndNs, endNs: restEndNs };
  return { restStartNs, startNs, endNs, guardEndNs };
}

interface Happened {
  readonly execution: Execution | null;
  readonly failure: Failure | null;
  /** How long the machine was suspended between the start of the preparation and the end of the guard, seconds. */
  readonly suspendedS: number;
  /** Longest time in the window in which joulediff did not run, seconds. */
  readonly stalledS: number;
}

type Judgement = Pick<RunOutcome, 'status' | 'cause' | 'reason'>;

/** Whether a run is good, for reasons that do not depend on its energy. */
function judge(
  next: NextRun,
  setup: OneRunSetup,
  { execution, failure, suspendedS, stalledS }: Happened,
  moments: Moments,
): Judgement {
  const { signal } = setup.context;
  const failed = (cause: RunCause, reason: string): Judgement => ({ status: 'failed', cause, reason });
  if (signal.aborted) {
    const cause = signal.reason === setup.meters.lostSignal.reason ? 'meter-lost' : 'stopped';
    const atEnd = failure === null ? '' : `; ${withoutFullStop(failure.sentence)}`;
    return { status: 'invalid', cause, reason: `${withoutFullStop(messageOf(signal.reason))}${atEnd}` };
  }
  // This comes first: an engine that stops ends the workload, too.
  if (failure?.cause === 'place-lost') {
    return { status: 'invalid', cause: failure.cause, reason: withoutFullStop(failure.sentence) };
  }
  if (suspendedS > 0) {
    const reason = `the machine was suspended for ${suspendedS.toFixed(suspendedS < 10 ? 1 : 0)} s`;
    return { status: 'invalid', cause: 'suspended', reason };
  }
  if (stalledS > LONGEST_STALL_S) {
    const reason = `joulediff did not run for ${stalledS.toFixed(1)} s of its window, and may have seen its end too late`;
    return { status: 'invalid', cause: 'missing-readings', reason };
  }
  if (execution?.timedOut) return failed('timeout', 'took longer than its timeout');
  if (execution && execution.limit !== null) return failed('limit', limitText(execution.limit));
  if (execution && execution.signal !== null) return failed('signal', `ended by signal ${execution.signal}`);
  if (execution && execution.exitCode !== 0) return failed('exit-code', `exit code ${execution.exitCode}`);
  if (failure !== null) return failed(failure.cause, withoutFullStop(failure.sentence));
  if (execution !== null && execution.leftRunning !== null) {
    return { status: 'invalid', cause: 'left-running', reason: leftText(execution.leftRunning) };
  }
  const [primary] = setup.meters.channels;
  const gap = primary ? missingReadings(primary, setup, moments) : null;
  if (gap !== null) return { status: 'invalid', cause: 'missing-readings', reason: gap };
  return { status: next.warmup ? 'warmup' : 'ok', cause: null, reason: null };
}

function leftText({ ended, remaining }: LeftRunning): string {
  const some = (names: readonly string[]): string =>
    names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
  if (remaining.length === 0) return `it ended but left processes running, which were ended then (${some(ended)})`;
  return `it ended but left processes running, and not all of them could be ended (${some(remaining)})`;
}

/** Channels without energy in a run that is good by its primary channel. */
function unreadChannels({ status }: Judgement, setup: OneRunSetup, moments: Moments): UnreadChannel[] {
  if (status !== 'ok' && status !== 'warmup') return [];
  return setup.meters.channels.slice(1).flatMap((channel) => {
    const reason = missingReadings(channel, setup, moments);
    return reason === null ? [] : [{ channel: channel.channel, reason }];
  });
}

/**
 * A reading that is missing between the guards' outer ends makes the energy of the run unknown on its channel.
 * A sentence without its end, or null: none is missing.
 */
function missingReadings(channel: ChannelInfo, { buffer, guardS }: OneRunSetup, moments: Moments): string | null {
  const fromNs = moments.startNs - secondsToNs(guardS);
  const toNs = moments.guardEndNs;
  const name = channel.channel;
  const gap = buffer.gapIn(name, fromNs, toNs);
  if (gap !== null) return `readings are missing: ${withoutFullStop(gap)}`;
  const count = buffer.countIn(name, fromNs, toNs);
  // A late reading of a counter loses nothing: the next one holds it.
  if (channel.integration === 'counter') return count > 0 ? null : `no reading of ${name} lies between its guards`;
  const pauseS = buffer.longestPauseS(name, fromNs, toNs);
  const heldTooLong = pauseS > LONGEST_HOLD_PERIODS * channel.samplingPeriodS;
  if (channel.clock === 'host') {
    return heldTooLong ? `${name} was not read for ${pauseS.toFixed(1)} s between its guards` : null;
  }
  const expected = nsToSeconds(toNs - fromNs) / channel.samplingPeriodS;
  // Up to one reading more or less is due to the phase, and half of one to jitter.
  const missing = Math.max(Math.floor(expected - 1.5) - count, buffer.missingIn(name, fromNs, toNs));
  if (missing === 1) return `a reading of ${name} is missing between its guards`;
  if (missing > 1) return `${missing} readings of ${name} are missing between its guards`;
  // The analysis needs both; a run that it could not use is found now, while its block can still be repeated.
  return heldTooLong ? `no reading of ${name} came for ${pauseS.toFixed(1)} s between its guards` : null;
}

/** Formats a thrown value as a sentence, followed by its advice. */
function formatSentence(thrown: unknown): string {
  const advice = thrown instanceof JoulediffError ? thrown.advice : null;
  return advice === null ? messageOf(thrown) : `${messageOf(thrown)} ${advice}`;
}
