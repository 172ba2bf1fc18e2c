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
import type { MachineState, MetricValue, RunIncidents, UnreadChannel } from '../store/records.ts';
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
  /** Absent: every rest lasts `restS`; else at least. */
  readonly rests?: Pick<Rests, 'untilSettled'>;
  readonly guardS: number;
  /** Absent: what happens to the machine is not looked for. */
  readonly incidents?: Pick<IncidentWatch, 'begin' | 'end'>;
  /** Absent: the state of the machine is not looked at. */
  readonly sensors?: Pick<MachineSensors, 'begin' | 'read'>;
  /** Absent: what the machine does in the window is not counted. */
  readonly counters?: Pick<MachineCounters, 'rest' | 'begin' | 'end' | 'idle'>;
  /** Numbers that it prints; absent: none are looked for. */
  readonly metrics?: readonly Metric[];
  readonly context: RunContext;
}

/** How a run went, with its moments on CLOCK_MONOTONIC. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly cause: RunCause | null;
  readonly reason: string | null;
  readonly restStartNs: bigint;
  /** Null: the rest had a given length, or was not come to its end. */
  readonly restEnd: RestEnd | null;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly guardEndNs: bigint;
  readonly execution: Execution | null;
  /** Secondary channels on which it has no energy, though it is good on the primary one. */
  readonly unread: readonly UnreadChannel[];
  /** What `prepare` left running; null: nothing, or it can't be told. */
  readonly leftByPrepare: PreparedProcesses | null;
  /** At the end of the rest; null: it did not come to that. */
  readonly machine: MachineState | null;
  /** From before the guards until after them; null: not looked for. */
  readonly incidents: RunIncidents | null;
  /** What the whole machine did in its window, and idle on both sides of it. */
  readonly counters: readonly Counted[];
  /** Numbers that it printed. */
  readonly metrics: readonly MetricValue[];
  /** Numbers that may be in another unit than their metric's. */
  readonly refusedMetrics: readonly RefusedNumber[];
  /** Its services, as far as they were started. */
  readonly services: readonly ServiceRun[];
  /** Phases and resources; null: the run was stopped, or its place gives none. */
  readonly telemetry: RunTelemetry | null;
}

/** Longest period of the channels that report late: so much longer the machine stays idle after the guard. */
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
  let guardEndNs = restStartNs;
  let watch = new SuspendWatch();
  try {
    signal.throwIfAborted();
    const onPrinted = () => {
      printedTo ??= sizeOf(setup.context.logFile);
    };
    prepared = await setup.executor.prepare({ ...setup.context, onPrinted });
    printedTo = null;
    printedBefore = sizeOf(setup.context.logFile);
    restStartNs = nowNs();
    watch = new SuspendWatch();
    rested = await rest(restStartNs, setup);
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
    if (!signal.aborted) failure = failureOf(thrown);
  } finally {
    guardEndNs = nowNs();
    if (execution !== null) incidents = setup.incidents?.end() ?? null;
    suspendedS = watch.suspendedS();
    if (execution !== null && !signal.aborted) telemetry = (await prepared?.telemetry?.()) ?? null;
    const atEnd = await dispose(prepared, signal);
    // What went wrong first is the reason, but for what a client says of a service that died.
    if (failure === null || (failure.cause !== 'place-lost' && atEnd?.cause !== 'hook')) failure = atEnd ?? failure;
  }
  // Readings that came while this process got no time lie in its pipes: they are taken before one counts as missing.
  await takeTurn();
  // Whatever a failed preparation did was no rest.
  if (prepared === null) restStartNs = guardEndNs;
  const moments = momentsOf(restStartNs, execution, guardEndNs);
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
    services,
    metrics,
    refusedMetrics,
  };
}

/** What is above idle is summed from guard to guard: a window that could reach into them has no energy. Throws MeasureError. */
function checkClock({ clock }: Execution, guardS: number): void {
  if (clock === undefined || clock.edgeS <= MAX_EDGE * guardS) return;
  throw new MeasureError(
    `The clock of the machine that told the window is known to ${(1000 * clock.edgeS).toFixed(0)} ms only, which is too much for a guard of ${guardS} s.`,
    { advice: 'Give a longer guard. Over a network, one that answers sooner helps.' },
  );
}

/** Share of the guard by which an edge of the window may be uncertain. */
const MAX_EDGE = 0.25;

/** The load is that of the rest's latter half: what making the place left to do belongs to the first. */
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
 * The end of a pause that was to last `pauseS`, or later where this process is late: what it switches while idle would be told by hardly any time.
 * A pause that is shorter by itself stays so, and tells nothing of it.
 */
function afterIdleness(endNs: bigint, pauseS: number, counters: OneRunSetup['counters']): bigint {
  const earliestNs = nowNs() + secondsToNs(SHORTEST_IDLE_S);
  return counters === undefined || pauseS < SHORTEST_IDLE_S || endNs > earliestNs ? endNs : earliestNs;
}

async function dispose(prepared: PreparedRun | null, signal: AbortSignal): Promise<Failure | null> {
  try {
    await prepared?.dispose();
    return null;
  } catch (thrown) {
    return signal.aborted ? null : failureOf(thrown);
  }
}

/** What went wrong with the place, not with the workload in it. */
interface Failure {
  readonly cause: 'place' | 'place-lost' | 'hook' | ServiceProblem;
  readonly sentence: string;
}

function failureOf(thrown: unknown): Failure {
  const sentence = sentenceOf(thrown);
  if (thrown instanceof ServiceError) return { cause: thrown.problem, sentence };
  if (thrown instanceof HookError) return { cause: 'hook', sentence };
  return { cause: thrown instanceof PlaceLostError ? 'place-lost' : 'place', sentence };
}

/** Whoever was stopped stamps what happened meanwhile when he goes on, and no meter tells: its readings may wait for him. */
const LONGEST_STALL_S = 1;

type Moments = Pick<RunOutcome, 'restStartNs' | 'startNs' | 'endNs' | 'guardEndNs'>;

function momentsOf(restStartNs: bigint, execution: Execution | null, guardEndNs: bigint): Moments {
  if (execution === null) return { restStartNs, startNs: guardEndNs, endNs: guardEndNs, guardEndNs };
  return { restStartNs, startNs: execution.startNs, endNs: execution.endNs, guardEndNs };
}

interface Happened {
  readonly execution: Execution | null;
  readonly failure: Failure | null;
  /** How long the machine slept between the start of the rest and the end of the guard. */
  readonly suspendedS: number;
  /** How long joulediff did not run in the window, at the longest. */
  readonly stalledS: number;
}

type Judgement = Pick<RunOutcome, 'status' | 'cause' | 'reason'>;

/** Good or not, for reasons that do not look at the energy. */
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
    return { status: 'invalid', cause, reason: withoutFullStop(messageOf(signal.reason)) };
  }
  // Before all that the workload seems to have done: an engine that stops ends it, too.
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

/** A run is good when its primary channel is: it has no energy on the others that are here. */
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
  // A counter that is read late loses nothing: the next reading holds it.
  if (channel.integration === 'counter') return count > 0 ? null : `no reading of ${name} lies between its guards`;
  const pauseS = buffer.longestPauseS(name, fromNs, toNs);
  const heldTooLong = pauseS > LONGEST_HOLD_PERIODS * channel.samplingPeriodS;
  if (channel.clock === 'host') {
    return heldTooLong ? `${name} was not read for ${pauseS.toFixed(1)} s between its guards` : null;
  }
  const expected = nsToSeconds(toNs - fromNs) / channel.samplingPeriodS;
  // One reading more or less is the phase, half of one its jitter.
  const missing = Math.max(Math.floor(expected - 1.5) - count, buffer.missingIn(name, fromNs, toNs));
  if (missing === 1) return `a reading of ${name} is missing between its guards`;
  if (missing > 1) return `${missing} readings of ${name} are missing between its guards`;
  // The analysis asks for both, so a run that it could not use is found here, while its block can still be run again.
  return heldTooLong ? `no reading of ${name} came for ${pauseS.toFixed(1)} s between its guards` : null;
}

/** What a thrown value says, with its advice. */
function sentenceOf(thrown: unknown): string {
  const advice = thrown instanceof JoulediffError ? thrown.advice : null;
  return advice === null ? messageOf(thrown) : `${messageOf(thrown)} ${advice}`;
}
