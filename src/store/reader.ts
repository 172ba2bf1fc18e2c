import type Database from 'better-sqlite3';
import type { PhaseMark, ServiceRun } from '../contracts/execution.ts';
import type { RawReading } from '../contracts/reading.ts';
import type { VariantBase } from '../contracts/variant.ts';
import { InputError } from '../errors.ts';
import type { Counted } from '../findings/resources.ts';
import type { CounterReading } from '../sampling/reported.ts';
import { readObserved, readObservers } from './observed.ts';
import { type OpenOptions, openDatabase } from './open.ts';
import type {
  ChannelRecord,
  ExperimentRecord,
  MetricValue,
  NoiseFloorRecord,
  ProcessorReading,
  RunRecord,
  SampleColumns,
  SessionEnd,
  SessionRecord,
  UnreadChannel,
  VariantRecord,
} from './records.ts';
import { type Column, type Columns, isReading, type Row, reading, selectAll, type Table } from './table.ts';
import * as tables from './tables.ts';

/** Reader of an experiment.db, which it opens read-only. */
export type StoreReader = ReturnType<typeof openStore>;

/** Opens an experiment.db read-only. Throws InputError as `openDatabase` does. Runs without a record are absent from what is given by run. */
export function openStore(path: string, options: Pick<OpenOptions, 'migrations'> = {}) {
  const db = openDatabase(path, { ...options, readonly: true });
  const experiment = () => {
    const [row] = selectAll(db, tables.EXPERIMENT);
    return row as NonNullable<typeof row>;
  };
  return {
    experiment(): ExperimentRecord {
      const { definition: _, ...record } = experiment();
      return record;
    },
    /** The whole experiment with all defaults filled in. */
    definition: () => experiment().definition,
    variants: (): readonly VariantRecord[] =>
      selectAll(db, tables.VARIANT).map((row) => ({
        ...row,
        revision: commitOf(row.definition),
        hidden: row.definition.hidden === true,
      })),
    /** Recorded channels, the primary one first. */
    channels: () => channels(db),
    /** The noise floor known at the start; null: none had been measured. */
    noiseFloor: () => noiseFloor(db),
    sessions: () => selectAll(db, tables.SESSION).map(toSession),
    plannedRuns: () => selectAll(db, tables.PLANNED_RUN).map(({ planned, ...row }) => ({ ...row, run: planned })),
    runs: () => runs(db),
    closingIdle: () => selectAll(db, tables.IDLE),
    machineStates: () => byRun(db, tables.MACHINE_STATE),
    /** Checks of the machine before blocks, in order; empty: none were made. */
    quietInspections: () => selectAll(db, tables.QUIET_INSPECTION).map(({ session: _, ...look }) => look),
    incidents: () => byRun(db, tables.INCIDENT),
    /** In order. */
    phaseMarks: () => listsByRun(db, tables.PHASE_MARK, ({ mark: _, ...mark }): PhaseMark => mark),
    usage: () => byRun(db, tables.RUN_USAGE),
    // A CHECK of the table guarantees that each row has a value or a reason, and never both.
    counters: () => listsByRun(db, tables.RUN_COUNTER, (row) => row as Counted),
    /** Readings of the processors' cumulative times, in order of time. */
    processors: () => listsByRun(db, tables.PROCESSOR_TIME, (row): ProcessorReading => row),
    /** Secondary channels on which a good run has no energy. */
    unread: () => listsByRun(db, tables.RUN_UNREAD, (row): UnreadChannel => row),
    metrics: () => listsByRun(db, tables.RUN_METRIC, (row): MetricValue => row),
    /** Services that were started. */
    services: () => listsByRun(db, tables.RUN_SERVICE, (row): ServiceRun => row),
    /** Absent, too: runs whose place could not be started. */
    places: () => byRun(db, tables.RUN_PLACE),
    /** Largest errors of windows that another machine's clock timed. */
    clocks: () => byRun(db, tables.RUN_CLOCK),
    samples: (session: number, channel: string, options?: { readonly readings: boolean }): SampleColumns =>
      reading(db, () => samples(db, session, channel, options?.readings ?? false)),
    /** Readings of the channel's meter that are no watts, such as counters, by time; empty: the meter gives watts only. */
    reported: (session: number, channel: string) => reading(db, () => reported(db, session, channel)),
    events: () => selectAll(db, tables.EVENT),
    /** Interim analyses that were made, in order; empty: the number of repetitions is fixed. */
    looks: () => selectAll(db, tables.INTERIM),
    /** Observers that were available when runs were last observed; empty: no run was observed. */
    observers: () => readObservers(db),
    /** Observed extra runs, in the order of execution. */
    observed: () => reading(db, () => readObserved(db)),
    close: () => db.close(),
    [Symbol.dispose]: () => db.close(),
  };
}

type OfRun = Columns & { readonly run: Column<number> };

/** The row of each run in a table with one row for a run. */
function byRun<C extends OfRun>(db: Database.Database, table: Table<C>): ReadonlyMap<number, Omit<Row<C>, 'run'>> {
  return new Map(selectAll(db, table).map(({ run, ...row }) => [run, row]));
}

/** The rows of a table, converted by `of` and grouped by run, in their order. */
function listsByRun<C extends OfRun, T>(
  db: Database.Database,
  table: Table<C>,
  of: (row: Omit<Row<C>, 'run'>) => T,
): ReadonlyMap<number, readonly T[]> {
  const rows = Map.groupBy(selectAll(db, table), ({ run }) => run);
  return new Map([...rows].map(([run, own]) => [run, own.map(({ run: _, ...row }) => of(row))]));
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
  const meters = new Map(selectAll(db, tables.METER).map((row) => [row.meter, meterOf(row)]));
  const rows = selectAll(db, tables.CHANNEL).toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
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

function meterOf(row: Row<typeof tables.METER.columns>): ChannelRecord['meter'] {
  const { meter: _, accuracyGainPercent: gainPercent, accuracyOffsetW: offsetW, ...meter } = row;
  return { ...meter, accuracy: gainPercent === null || offsetW === null ? null : { gainPercent, offsetW } };
}

function noiseFloor(db: Database.Database): NoiseFloorRecord | null {
  const [row] = selectAll(db, tables.NOISE_FLOOR);
  if (row === undefined) return null;
  const { ci95Low, ci95High, ...floor } = row;
  return { ...floor, ci95: [ci95Low, ci95High] };
}

function toSession({ endKind, endSignal, endMessage, ...row }: Row<typeof tables.SESSION.columns>): SessionRecord {
  let end: SessionEnd | null = null;
  if (endKind === 'complete') end = { kind: endKind };
  if (endKind === 'stopped' && endSignal !== null) end = { kind: endKind, signal: endSignal };
  if (endKind === 'failed' && endMessage !== null) end = { kind: endKind, message: endMessage };
  return { ...row, end };
}

function runs(db: Database.Database): RunRecord[] {
  const planned = new Map(selectAll(db, tables.PLANNED_RUN).map((row) => [row.planned, row]));
  return selectAll(db, tables.RUN).map((row) => {
    // The foreign key guarantees that the planned run exists.
    const { block, variant } = planned.get(row.planned) as Row<typeof tables.PLANNED_RUN.columns>;
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
    if (raw !== null) readings.set(i, tables.SAMPLE.columns.readings.decode(raw) ?? []);
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
    const amount = tables.REPORTED.columns.value.decode(value);
    if (last?.tNs === tNs) last.values.push(amount);
    else looks.push({ tNs, values: [amount] });
  }
  return looks;
}
