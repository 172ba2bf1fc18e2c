import type { PhaseMark, Usage } from '../executors/executor.ts';
import type { PlannedRun } from '../schedule/plan.ts';
import type {
  ChannelRecord,
  EventRecord,
  ExperimentRecord,
  IdleRecord,
  LookRecord,
  MachineState,
  NoiseFloorRecord,
  RunRecord,
  SessionRecord,
  VariantRecord,
} from './records.ts';

/** A row as SQLite gives it; columns with times come as bigint. */
export type Row = Record<string, string | number | bigint | null>;

const text = (value: unknown): string => String(value);
const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));
const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

export function experimentOf(row: Row): ExperimentRecord {
  return {
    id: text(row.id),
    name: text(row.name),
    startedAt: text(row.started_at),
    seed: Number(row.seed),
    order: text(row.order_rule),
    repetitions: Number(row.repetitions),
    baseline: text(row.baseline),
    marginPercent: Number(row.margin_percent),
    restS: Number(row.rest_s),
    guardS: Number(row.guard_s),
    definition: text(row.definition),
    version: text(row.joulediff_version),
  };
}

export function variantOf(row: Row): VariantRecord {
  const definition = JSON.parse(text(row.definition));
  return {
    name: text(row.name),
    position: Number(row.position),
    kind: text(row.kind),
    definition: text(row.definition),
    facts: JSON.parse(text(row.facts)),
    revision: definition.revision ?? null,
    hidden: definition.hidden === true,
  };
}

export function noiseFloorOf(row: Row): NoiseFloorRecord {
  return {
    measuredAt: text(row.measured_at),
    percent: Number(row.percent),
    ci95: [Number(row.ci95_low), Number(row.ci95_high)],
    blocks: Number(row.blocks),
  };
}

export function channelOf(row: Row): ChannelRecord {
  return {
    channel: text(row.name),
    primary: row.is_primary === 1,
    integration: row.integration === 'counter' ? 'counter' : 'guard',
    samplingPeriodS: Number(row.sampling_period_s),
    clock: clockOf(row),
    resolutionW: numberOrNull(row.resolution_w ?? null) ?? undefined,
    edgeS: numberOrNull(row.edge_s ?? null) ?? undefined,
    part: (row.part as ChannelRecord['part'] | null) ?? undefined,
    meter: {
      type: text(row.type),
      address: textOrNull(row.address),
      source: row.source as ChannelRecord['meter']['source'],
      identity: JSON.parse(text(row.identity)),
      accuracy:
        row.accuracy_gain_percent === null
          ? null
          : { gainPercent: Number(row.accuracy_gain_percent), offsetW: Number(row.accuracy_offset_w) },
      minimumGuardS: Number(row.minimum_guard_s),
      remarks: JSON.parse(text(row.remarks)),
      passport: typeof row.passport === 'string' ? JSON.parse(row.passport) : null,
    },
  };
}

/** Files of before the column hold counters, which the host reads, and meters that send by themselves. */
function clockOf({ clock, integration }: Row): ChannelRecord['clock'] {
  return clock === 'host' || (clock === undefined && integration === 'counter') ? 'host' : 'meter';
}

export function sessionOf(row: Row): SessionRecord {
  return {
    session: Number(row.session),
    startedAt: text(row.started_at),
    endedAt: textOrNull(row.ended_at),
    endReason: textOrNull(row.end_reason),
    originNs: row.origin_ns as bigint,
    conditions: JSON.parse(text(row.conditions)),
  };
}

export function runOf(row: Row): RunRecord {
  return {
    run: Number(row.run),
    planned: Number(row.planned),
    block: Number(row.block),
    position: Number(row.position),
    variant: text(row.variant),
    attempt: Number(row.attempt),
    session: Number(row.session),
    status: row.status as RunRecord['status'],
    reason: textOrNull(row.reason),
    restStartNs: row.rest_start_ns as bigint,
    startNs: row.start_ns as bigint,
    endNs: row.end_ns as bigint,
    guardEndNs: row.guard_end_ns as bigint,
    exitCode: numberOrNull(row.exit_code),
    signal: textOrNull(row.signal),
    outputTail: textOrNull(row.output_tail),
    executions: Number(row.batch ?? 1),
  };
}

export function idleOf(row: Row): IdleRecord {
  return { session: Number(row.session), startNs: row.start_ns as bigint, endNs: row.end_ns as bigint };
}

export function lookOf(row: Row): LookRecord {
  return {
    look: Number(row.look),
    blocks: Number(row.blocks),
    nominalP: Number(row.nominal_p),
    p: numberOrNull(row.p),
    stopped: row.stopped === 1,
  };
}

export function machineStateOf(row: Row): [run: number, state: MachineState] {
  const { governor, temperature_c: temperature, load } = row;
  return [
    Number(row.run),
    { governor: textOrNull(governor), temperatureC: numberOrNull(temperature), load: numberOrNull(load) },
  ];
}

export function phaseMarkOf(row: Row): PhaseMark & { readonly run: number } {
  const { run, t_ns, late_ns, phase } = row;
  return { run: Number(run), tNs: t_ns as bigint, lateNs: late_ns as bigint, phase: textOrNull(phase ?? null) };
}

export function usageOf(row: Row): [run: number, usage: Usage] {
  const usage = {
    cpuS: numberOrNull(row.cpu_s),
    peakMemoryBytes: numberOrNull(row.peak_memory_bytes),
    readBytes: numberOrNull(row.read_bytes),
    writtenBytes: numberOrNull(row.written_bytes),
    unread: JSON.parse(text(row.unread)),
  };
  return [Number(row.run), usage];
}

export function eventOf(row: Row): EventRecord {
  return { session: Number(row.session), tNs: row.t_ns as bigint, kind: text(row.kind), detail: text(row.detail) };
}

export function plannedOf(row: Row): PlannedRun {
  return {
    run: Number(row.planned),
    block: Number(row.block),
    position: Number(row.position),
    variant: text(row.variant),
    warmup: row.warmup === 1,
  };
}
