import type Database from 'better-sqlite3';
import type { ServiceRun, WindowClock } from '../contracts/execution.ts';
import type { RawReading } from '../contracts/reading.ts';
import type { VariantBase } from '../contracts/variant.ts';
import { InputError } from '../errors.ts';
import type { Counted } from '../findings/resources.ts';
import type { CounterReading } from '../sampling/reported.ts';
import { readObserved, readObservers } from './observed.ts';
import { type OpenOptions, openDatabase } from './open.ts';
import type {
  ChannelRecord,
  MachineState,
  NoiseFloorRecord,
  ProcessorReading,
  RunIncidents,
  RunPlace,
  RunRecord,
  RunUsage,
  SampleColumns,
  SessionEnd,
  SessionRecord,
  StoreReader,
  VariantRecord,
} from './records.ts';
import { type Column, type Columns, isReading, type Row, reading, selectAll, type Table } from './table.ts';
import {
  CHANNEL,
  EVENT,
  EXPERIMENT,
  IDLE,
  INCIDENT,
  INTERIM,
  MACHINE_STATE,
  METER,
  NOISE_FLOOR,
  PHASE_MARK,
  PLANNED_RUN,
  PROCESSOR_TIME,
  QUIET_INSPECTION,
  REPORTED,
  RUN,
  RUN_CLOCK,
  RUN_COUNTER,
  RUN_METRIC,
  RUN_PLACE,
  RUN_SERVICE,
  RUN_UNREAD,
  RUN_USAGE,
  SAMPLE,
  SESSION,
  VARIANT,
} from './tables.ts';

/** Opens an experiment.db read-only. Throws InputError as `openDatabase` does. */
export function openStore(path: string, options: Pick<OpenOptions, 'migrations'> = {}): StoreReader {
  const db = openDatabase(path, { ...options, readonly: true });
  const experiment = () => {
    const [row] = selectAll(db, EXPERIMENT);
    return row as NonNullable<typeof row>;
  };
  return {
    experiment: () => {
      const { definition: _, ...record } = experiment();
      return record;
    },
    definition: () => experiment().definition,
    variants: () =>
      selectAll(db, VARIANT).map((row) => ({
        ...row,
        revision: commitOf(row.definition),
        hidden: row.definition.hidden === true,
      })),
    channels: () => channels(db),
    noiseFloor: () => noiseFloor(db),
    sessions: () => selectAll(db, SESSION).map(toSession),
    plannedRuns: () => selectAll(db, PLANNED_RUN).map(({ planned, ...row }) => ({ ...row, run: planned })),
    runs: () => runs(db),
    closingIdle: () => selectAll(db, IDLE),
    machineStates: () =>
      new Map(selectAll(db, MACHINE_STATE).map(({ run, ...state }) => [run, state satisfies MachineState])),
    quietInspections: () => selectAll(db, QUIET_INSPECTION).map(({ session: _, ...look }) => look),
    incidents: () =>
      new Map(selectAll(db, INCIDENT).map(({ run, ...incidents }) => [run, incidents satisfies RunIncidents])),
    phaseMarks: () => byRun(db, PHASE_MARK, ({ tNs, lateNs, phase }) => ({ tNs, lateNs, phase })),
    usage: () => new Map(selectAll(db, RUN_USAGE).map(({ run, ...usage }) => [run, usage satisfies RunUsage])),
    // A CHECK of the table guarantees that each row has a value or a reason, and never both.
    counters: () => byRun(db, RUN_COUNTER, ({ run: _, ...row }) => row as Counted),
    processors: () => byRun(db, PROCESSOR_TIME, ({ run: _, ...row }) => row satisfies ProcessorReading),
    unread: () => byRun(db, RUN_UNREAD, ({ channel, reason }) => ({ channel, reason })),
    metrics: () => byRun(db, RUN_METRIC, ({ metric, value }) => ({ metric, value })),
    services: () => byRun(db, RUN_SERVICE, ({ run: _, ...row }) => row satisfies ServiceRun),
    places: () => new Map(selectAll(db, RUN_PLACE).map(({ run, ...place }) => [run, place satisfies RunPlace])),
    clocks: () => new Map(selectAll(db, RUN_CLOCK).map(({ run, ...clock }) => [run, clock satisfies WindowClock])),
    samples: (session, channel, options) =>
      reading(db, () => samples(db, session, channel, options?.readings ?? false)),
    reported: (session, channel) => reading(db, () => reported(db, session, channel)),
    events: () => selectAll(db, EVENT),
    looks: () => selectAll(db, INTERIM),
    observers: () => readObservers(db),
    observed: () => reading(db, () => readObserved(db)),
    close: () => db.close(),
    [Symbol.dispose]: () => db.close(),
  };
}

/** The rows of a table, converted by `of` and grouped by run, in their order. */
function byRun<C extends Columns & { run: Column<number> }, T>(
  db: Database.Database,
  table: Table<C>,
  of: (row: Row<C>) => T,
): Map<number, T[]> {
  const rows = Map.groupBy(selectAll(db, table), ({ run }) => run);
  return new Map([...rows].map(([run, own]) => [run, own.map((row) => of(row))]));
}

/** The revision of a variant; its commit is always known when it is recorded. */
function commitOf({ revision }: VariantBase): VariantRecord['revision'] {
  return revision && revision.commit !== null ? { name: revision.name, commit: revision.commit } : null;
}

/** Opens an experiment.db read-only for as long as `use` takes, which is not asynchronous. */
export function withStore<T>(path: string, use: (reader: StoreReader) => T): T {
  using reader = openStore(path);
  return use(reader);
}

function channels(db: Database.Database): ChannelRecord[] {
  const meters = new Map(selectAll(db, METER).map((row) => [row.meter, meterOf(row)]));
  const rows = selectAll(db, CHANNEL).toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  // A passport calibrates the first channel of its meter.
  const first = new Map(rows.toSorted((a, b) => b.channel - a.channel).map(({ meter, channel }) => [meter, channel]));
  return rows.map(({ channel, name, meter, isPrimary, resolutionW, edgeS, part, quantities, ...row }) => ({
    ...row,
    channel: name,
    primary: isPrimary,
    resolutionW: resolutionW ?? undefined,
    edgeS: edgeS ?? undefined,
    part: part ?? undefined,
    quantities: quantities ?? undefined,
    calibration: first.get(meter) === channel ? meters.get(meter)?.passport?.calibration : undefined,
    meter: meters.get(meter) as ChannelRecord['meter'],
  }));
}

function meterOf(row: Row<typeof METER.columns>): ChannelRecord['meter'] {
  const { meter: _, accuracyGainPercent: gainPercent, accuracyOffsetW: offsetW, ...meter } = row;
  return { ...meter, accuracy: gainPercent === null || offsetW === null ? null : { gainPercent, offsetW } };
}

function noiseFloor(db: Database.Database): NoiseFloorRecord | null {
  const [row] = selectAll(db, NOISE_FLOOR);
  if (row === undefined) return null;
  const { ci95Low, ci95High, ...floor } = row;
  return { ...floor, ci95: [ci95Low, ci95High] };
}

function toSession({ endKind, endSignal, endMessage, ...row }: Row<typeof SESSION.columns>): SessionRecord {
  let end: SessionEnd | null = null;
  if (endKind === 'complete') end = { kind: endKind };
  if (endKind === 'stopped' && endSignal !== null) end = { kind: endKind, signal: endSignal };
  if (endKind === 'failed' && endMessage !== null) end = { kind: endKind, message: endMessage };
  return { ...row, end };
}

function runs(db: Database.Database): RunRecord[] {
  const planned = new Map(selectAll(db, PLANNED_RUN).map((row) => [row.planned, row]));
  return selectAll(db, RUN).map((row) => {
    // The foreign key guarantees that the planned run exists.
    const { block, variant } = planned.get(row.planned) as Row<typeof PLANNED_RUN.columns>;
    return { ...row, block, variant };
  });
}

/** Reads samples directly into typed arrays: there may be millions. */
function samples(db: Database.Database, session: number, channel: string, withReadings: boolean): SampleColumns {
  const from = 'FROM sample WHERE session = @session AND channel = (SELECT channel FROM channel WHERE name = @channel)';
  const of = { session, channel };
  const n = db.prepare<[typeof of], { n: number }>(`SELECT count(*) AS n ${from}`).get(of)?.n ?? 0;
  const columns = { tNs: new Float64Array(n), powerW: new Float64Array(n), durationS: new Float64Array(n) };
  const sinceOrigin = 't_ns - (SELECT origin_ns FROM session WHERE session = @session)';
  const fields = `${sinceOrigin}, power_w, duration_s${withReadings ? ', readings' : ''}`;
  const readings = new Map<number, readonly RawReading[]>();
  const rows = db
    .prepare<[typeof of], [number, number, number, string | null | undefined]>(`SELECT ${fields} ${from} ORDER BY t_ns`)
    .raw()
    .iterate(of);
  let i = 0;
  for (const [t, power, duration, raw = null] of rows) {
    if (!(isReading(power) && duration >= 0 && isReading(duration))) {
      throw new InputError(
        `${db.name} is damaged or made up: sample ${i + 1} of its channel ${channel} is no reading.`,
      );
    }
    columns.tNs[i] = t;
    columns.powerW[i] = power;
    columns.durationS[i] = duration;
    if (raw !== null) readings.set(i, SAMPLE.columns.readings.decode(raw) ?? []);
    i++;
  }
  return withReadings ? { ...columns, readings } : columns;
}

function reported(db: Database.Database, session: number, channel: string): CounterReading[] {
  const rows = db
    .prepare<[number, string], [bigint, number]>(
      `SELECT t_ns, value FROM told WHERE session = ? AND channel = (SELECT channel FROM channel WHERE name = ?)
       ORDER BY t_ns, quantity`,
    )
    .raw()
    .safeIntegers()
    .iterate(session, channel);
  const looks: { tNs: bigint; values: number[] }[] = [];
  for (const [tNs, value] of rows) {
    const last = looks.at(-1);
    const amount = REPORTED.columns.value.decode(value);
    if (last?.tNs === tNs) last.values.push(amount);
    else looks.push({ tNs, values: [amount] });
  }
  return looks;
}
