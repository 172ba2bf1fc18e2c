import type { PhaseMark, WindowClock } from '../contracts/execution.ts';
import { benchmarksByVariant } from '../experiment/suite.ts';
import { type SampleTimes, sampleTimes } from '../sampling/sample-clock.ts';
import type { StoreReader } from '../store/reader.ts';
import type {
  ChannelRecord,
  IdleRecord,
  RunRecord,
  SampleColumns,
  SessionRecord,
  UnreadChannel,
} from '../store/records.ts';
import { inTrueWatts } from './calibrated.ts';
import { counterEnergy, guardEnergy, type NoEnergy, type RunEnergy, type RunMoments } from './energy.ts';
import { firstAfter, type IdleStretch } from './idle.ts';
import { type FoundPhases, foundPhases } from './phases/auto.ts';
import { phaseEnergies } from './phases/phase-energies.ts';
import { stretchesOf } from './phases/stretches.ts';
import { processorUse } from './processor-use.ts';
import { type RunResult, type RunTrace, recordedReason } from './results.ts';
import { withSwitches } from './switches.ts';
import { expandedJ, runUncertainty } from './uncertainty.ts';

/** Data of one channel in one session. */
export interface ChannelSession {
  readonly session: number;
  readonly channel: ChannelRecord;
  readonly columns: SampleColumns;
  readonly times: SampleTimes;
  /** Windows of its runs, nanoseconds after the session's origin. */
  readonly records: readonly { readonly run: number; readonly startNs: number; readonly endNs: number }[];
}

export interface RunEnergies {
  readonly runs: readonly RunResult[];
  /** Traces of the compared runs, primary channel only. */
  readonly traces: readonly RunTrace[];
  readonly channels: readonly ChannelSession[];
  /** Null: the experiment's file does not ask to find phases. */
  readonly foundPhases: FoundPhases | null;
}

/** Computes energies from samples: every execution on every channel. A run whose energy is unknown becomes invalid, with a reason. */
export function runEnergies(reader: StoreReader): RunEnergies {
  const records = reader.runs();
  const idle = reader.closingIdle();
  const states = reader.machineStates();
  const found = foundPhases(reader);
  const marks = found?.marks ?? reader.phaseMarks();
  const usage = reader.usage();
  const places = reader.places();
  const unread = reader.unread();
  const clocks = reader.clocks();
  const counters = reader.counters();
  const processors = reader.processors();
  const metrics = new Map(
    [...reader.metrics()].map(([run, list]) => [
      run,
      Object.fromEntries(list.map(({ metric, value }) => [metric, value])),
    ]),
  );
  const guardNs = reader.experiment().guardS * 1e9;
  const benchmarks = benchmarksByVariant(reader.definition().suite);
  const groupOf = ({ variant }: Pick<RunRecord, 'variant'>): string => benchmarks.get(variant) ?? '';
  const executionsOf = new Map<string, number>();
  for (const record of records) {
    const group = groupOf(record);
    if (record.status === 'ok' && !executionsOf.has(group)) executionsOf.set(group, record.executions);
  }
  const isRepeated = repeatedIn(records, groupOf);
  const commits = new Map(reader.variants().map(({ name, revision }) => [name, revision?.commit ?? null]));
  const runs: RunResult[] = [];
  const traces: RunTrace[] = [];
  const channels: ChannelSession[] = [];
  for (const channel of reader.channels()) {
    for (const session of reader.sessions()) {
      // Individual readings are used to check how often the meter updates its value.
      const options = { readings: channel.primary && channel.integration === 'guard' && channel.clock === 'host' };
      const columns = inTrueWatts(reader.samples(session.session, channel.channel, options), channel.calibration);
      const times = sampleTimes(channel.clock, columns.tNs, channel.samplingPeriodS);
      const here = records.filter((r) => r.session === session.session);
      const at = (ns: bigint): number => Number(ns - session.originNs);
      const windows = here.map(({ run, startNs, endNs }) => ({ run, startNs: at(startNs), endNs: at(endNs) }));
      const part = { session: session.session, channel, columns, times, records: windows };
      channels.push(part);
      here.forEach((record, i) => {
        const moments = momentsOf(record, session, nextIdle(here, i, idle, session));
        const executions = executionsOf.get(groupOf(record));
        const other = record.status === 'ok' && record.executions !== executions;
        const missing = unread.get(record.run)?.find((one) => one.channel === channel.channel);
        const problem = other ? otherBatch(record, executions) : missing && unreadable(missing);
        const asked = problem ?? energyOf(part, moments, guardNs);
        const energy = isRepeated(record) ? ({ problem: { kind: 'block-repeated' } } as const) : asked;
        const counted = counters.get(record.run);
        const result: RunResult = {
          ...resultOf(record, channel, energy, {
            revision: commits.get(record.variant) ?? null,
            clock: clocks.get(record.run) ?? null,
          }),
          machine: states.get(record.run) ?? null,
          resources: usage.get(record.run) ?? null,
          ...(channel.primary &&
            computePhases(marks.get(record.run), { record, session, part, moments, guardNs, energy })),
          ...(counted && withSwitches(counted, runDuration(record))),
          ...(metrics.has(record.run) && { metrics: metrics.get(record.run) }),
          ...(places.has(record.run) && { place: places.get(record.run) }),
        };
        runs.push(result);
        if (!channel.primary || result.status !== 'ok') return;
        const use = processorUse(processors.get(record.run) ?? [], record);
        traces.push({ ...extractTrace(record, part, moments), ...(use && { use }) });
      });
    }
  }
  return { runs, traces, channels, foundPhases: found };
}

/** Runs replaced by a newer attempt of their block or benchmark: whatever their status, a planned run is compared only once. */
function repeatedIn(
  records: readonly RunRecord[],
  groupOf: (record: RunRecord) => string,
): (record: RunRecord) => boolean {
  const newest = new Map<string, number>();
  const keyOf = (record: RunRecord): string => `${record.block} ${groupOf(record)}`;
  for (const record of records) {
    newest.set(keyOf(record), Math.max(record.attempt, newest.get(keyOf(record)) ?? 1));
  }
  return (record) => record.attempt < (newest.get(keyOf(record)) ?? 1);
}

interface PhasedRun {
  readonly record: RunRecord;
  readonly session: SessionRecord;
  readonly part: ChannelSession;
  readonly moments: RunMoments;
  readonly guardNs: number;
  readonly energy: RunEnergy | NoEnergy;
}

/** Phases of a run; empty if it marked none. */
function computePhases(
  marks: readonly PhaseMark[] | undefined,
  { record, session, part, moments, guardNs, energy }: PhasedRun,
): Pick<RunResult, 'phases' | 'outsidePhases'> | null {
  if (marks === undefined) return null;
  const stretches = stretchesOf(marks, { ...record, originNs: session.originNs });
  const given = 'energyJ' in energy ? { ...part, moments, guardNs, energy } : null;
  return phaseEnergies(stretches, { startNs: moments.startNs, periodS: part.times.periodS }, given);
}

const unreadable = ({ reason: text }: UnreadChannel): NoEnergy => ({ problem: { kind: 'recorded', text } });

/** Reason for a run with another number of executions: only equal work is compared. */
function otherBatch({ executions }: RunRecord, others: number | undefined): NoEnergy {
  return { problem: { kind: 'other-executions', executions, others: others ?? null } };
}

function energyOf(
  { channel, columns, times }: ChannelSession,
  moments: RunMoments,
  guardNs: number,
): RunEnergy | NoEnergy {
  if (moments.endNs <= moments.startNs) return { problem: { kind: 'empty-window' } };
  if (channel.integration === 'counter') return counterEnergy(columns, moments);
  return guardEnergy(columns, times, moments, guardNs);
}

function resultOf(
  record: RunRecord,
  channel: ChannelRecord,
  energy: RunEnergy | NoEnergy,
  { revision, clock }: { readonly revision: string | null; readonly clock: WindowClock | null },
): Omit<RunResult, 'machine' | 'resources'> {
  const durationS = runDuration(record);
  const known = 'energyJ' in energy ? energy : null;
  const uncertainty = known && durationS > 0 ? runUncertainty(known, durationS, channel, clock ?? undefined) : null;
  const good = record.status === 'ok' || record.status === 'warmup';
  const lost = good && 'problem' in energy;
  return {
    run: record.run,
    block: record.block,
    position: record.position,
    variant: record.variant,
    revision,
    status: lost ? 'invalid' : record.status,
    reason: lost ? energy.problem : recordedReason(record.reason),
    startNs: record.startNs,
    endNs: record.endNs,
    durationS,
    ...(record.restEnd !== null && {
      rest: { s: Number(record.startNs - record.restStartNs) / 1e9, end: record.restEnd },
    }),
    energyJ: known?.energyJ ?? null,
    netEnergyJ: known?.netEnergyJ ?? null,
    meanPowerW: known && durationS > 0 ? known.energyJ / durationS : null,
    idlePowerW: known?.idle?.powerW ?? null,
    uncertaintyJ: uncertainty && expandedJ(uncertainty.gross),
    netUncertaintyJ: uncertainty?.net ? expandedJ(uncertainty.net) : null,
    uncertainty,
    channel: channel.channel,
    samples: known?.samples ?? null,
    executions: record.executions,
  };
}

const runDuration = ({ startNs, endNs }: RunRecord): number => Number(endNs - startNs) / 1e9;

function momentsOf(record: RunRecord, session: SessionRecord, after: IdleStretch | null): RunMoments {
  const at = (ns: bigint): number => Number(ns - session.originNs);
  const startNs = at(record.startNs);
  const guardEndNs = at(record.guardEndNs);
  return {
    startNs,
    endNs: at(record.endNs),
    guardEndNs,
    before: { fromNs: at(record.restStartNs), toNs: startNs },
    after,
  };
}

/** The next idle period after a run in its session: the rest of a later run, or the closing idle period. */
function nextIdle(
  runs: readonly RunRecord[],
  index: number,
  idle: readonly IdleRecord[],
  session: SessionRecord,
): IdleStretch | null {
  const at = (ns: bigint): number => Number(ns - session.originNs);
  let next = runs[index + 1];
  // A run has no rest if its preparation failed.
  for (let i = index + 2; next && next.startNs <= next.restStartNs; i++) next = runs[i];
  if (next) return { fromNs: at(next.restStartNs), toNs: at(next.startNs) };
  const closing = idle.find((i) => i.session === session.session);
  return closing ? { fromNs: at(closing.startNs), toNs: at(closing.endNs) } : null;
}

/** Readings that overlap the window, each at the middle of the time that it covers. */
function extractTrace(
  record: RunRecord,
  { columns, times, channel }: ChannelSession,
  { startNs, endNs }: RunMoments,
): RunTrace {
  const lengths = channel.integration === 'guard' ? times.lengthS : columns.durationS;
  const lengthNs = (i: number): number => (lengths[i] as number) * 1e9;
  const first = firstAfter(columns.tNs, startNs);
  let end = firstAfter(columns.tNs, endNs);
  while (end < columns.tNs.length && (columns.tNs[end] as number) - lengthNs(end) < endNs) end++;
  const tS = Float64Array.from({ length: end - first }, (_, k) => {
    const i = first + k;
    return ((columns.tNs[i] as number) - lengthNs(i) / 2 - startNs) / 1e9;
  });
  const durationS = (endNs - startNs) / 1e9;
  return { run: record.run, variant: record.variant, durationS, tS, powerW: columns.powerW.slice(first, end) };
}
