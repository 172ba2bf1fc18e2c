import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { RunTelemetry, ServiceRun, WindowClock } from '../contracts/execution.ts';
import type { MeterEvent, Sample } from '../contracts/reading.ts';
import type { PlaceFacts, WorkloadFiles } from '../contracts/variant.ts';
import { codeOf, MeasureError, messageOf } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Conditions } from '../findings/findings.ts';
import type { Counted } from '../findings/resources.ts';
import type { CounterReading } from '../sampling/told.ts';
import type { Plan } from '../schedule/plan.ts';
import type { SupersededRun } from '../schedule/queue.ts';
import { nowNs } from '../system/clock.ts';
import { ALTERED_ID, APPLICATION_ID } from '../system/output-folder.ts';
import { plain } from '../text/plain.ts';
import { goOnWords } from '../text/way-in.ts';
import { VERSION } from '../version.ts';
import { MIGRATIONS, versionAfter } from './migrations.ts';
import { type ObservedRecord, type ObserverRecord, writeObserved, writeObservers } from './observed.ts';
import { ALTERED_ADVICE, type OpenOptions, openDatabase } from './open.ts';
import type {
  InterimRecord,
  MachineState,
  MetricValue,
  NoiseFloorRecord,
  QuietInspection,
  RecordedMeter,
  RunIncidents,
  RunPlace,
  RunRecord,
  SeenPlace,
  SessionEnd,
  UnreadChannel,
} from './records.ts';
import { Room } from './sound.ts';
import { type Columns, inserter, type Row, type Table } from './table.ts';
import {
  CHANNEL,
  EVENT,
  EXPERIMENT,
  IDLE,
  INCIDENT,
  LOOK,
  MACHINE_STATE,
  METER,
  NOISE_FLOOR,
  PHASE_MARK,
  PLANNED_RUN,
  QUIET_INSPECTION,
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
  TABLES,
  TOLD,
  VARIANT,
} from './tables.ts';

/** Most events that are kept of an experiment, and most letters of each. Together they are far less than a table may hold. */
const MAX_EVENTS = 50_000;
const MAX_DETAIL = 500;

/** What is written once, before the first run. */
export interface NewExperiment {
  readonly id: string;
  readonly startedAt: string;
  readonly experiment: Experiment;
  readonly plan: Plan;
  readonly facts: ReadonlyMap<string, PlaceFacts>;
  /** Absent: nobody looked. */
  readonly surroundings?: ReadonlyMap<string, SeenPlace>;
  readonly meters: readonly RecordedMeter[];
  /** Measured before, for the same workload, machine and meter. */
  readonly noiseFloor: NoiseFloorRecord | null;
}

/** Samples and events that came since the last commit, by channel. */
export interface Observations {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly events: readonly MeterEvent[];
}

export type NewRun = Omit<RunRecord, 'block' | 'variant' | 'session'> & {
  /** Null: not read. */
  readonly machine: MachineState | null;
  /** Null: not looked for. */
  readonly incidents: RunIncidents | null;
  /** Its phases and what it used; null: not known. */
  readonly telemetry: RunTelemetry | null;
  /** Null: it was not started. */
  readonly place: RunPlace | null;
  /** What it printed; absent: nothing is looked for. */
  readonly metrics?: readonly MetricValue[];
  /** Secondary channels on which this run has no energy. Absent: none. */
  readonly unread?: readonly UnreadChannel[];
  /** What was counted for the whole machine; absent: nothing was. */
  readonly counters?: readonly Counted[];
  /** Absent: it has none. */
  readonly services?: readonly ServiceRun[];
  /** How far off its window may be; absent: it is on the clock of the samples. */
  readonly clock?: WindowClock | undefined;
};

/** Changes when another connection has written, and never by what this one writes. */
const othersVersion = (db: Database.Database): number => db.pragma('data_version', { simple: true }) as number;

/**
 * Changes with every write into the files, also by a program that knows nothing of SQLite; who sets the time back is not seen. Null: the file
 * is gone. The time of the inode is no use: SQLite itself changes it when root opens the file for reading.
 */
function stampOf(path: string): string | null {
  const [file, log] = [path, `${path}-wal`].map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }));
  if (file === undefined) return null;
  return [file, log].flatMap((one) => (one ? [one.ino, one.size, one.mtimeNs] : [])).join(' ');
}

/** The one writer of an experiment.db. Every method is one transaction: what it wrote survives a kill. */
export class StoreWriter {
  readonly #db: Database.Database;
  readonly #room: Room;
  #session: number | null = null;
  /** Version of what other connections wrote; null: it has changed, and that was reported. */
  #othersVersion: number | null;
  /** State of the files after this writer's last write. */
  #stamp: string | null;
  /** Written, and left out; null: not counted yet. */
  #events: number | null = null;
  /** When each channel's quantities were last looked at in this session, as far as that was written. */
  readonly #toldNs = new Map<number, bigint>();

  private constructor(db: Database.Database) {
    this.#db = db;
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    this.#room = new Room(db);
    this.#othersVersion = othersVersion(db);
    this.#stamp = stampOf(db.name);
  }

  /** Makes the file. Throws MeasureError when it can't be written. */
  static create(path: string, definition: NewExperiment): StoreWriter {
    let db: Database.Database | undefined;
    try {
      db = new Database(path);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${versionAfter(MIGRATIONS)}`);
      const writer = new StoreWriter(db);
      writer.#db.transaction(() => {
        for (const { ddl } of TABLES) writer.#db.exec(ddl);
        writer.#define(definition);
      })();
      writer.#stamp = stampOf(db.name);
      return writer;
    } catch (cause) {
      db?.close();
      throw new MeasureError(`The database ${path} could not be created: ${messageOf(cause)}.`, { cause });
    }
  }

  /** Opens the file of an unfinished experiment to go on with it. Throws InputError as `openDatabase` does, MeasureError when it can't be written. */
  static resume(path: string, options: Pick<OpenOptions, 'migrations'> = {}): StoreWriter {
    const db = openDatabase(path, { ...options, readonly: false });
    try {
      return onDisk(path, () => new StoreWriter(db));
    } catch (cause) {
      db.close();
      throw cause;
    }
  }

  #define({ id, startedAt, experiment, plan, facts, surroundings, meters, noiseFloor: floor }: NewExperiment): void {
    const insertVariant = this.#insert(VARIANT);
    experiment.variants.forEach((definition, i) => {
      const { name, kind } = definition;
      const seen = surroundings?.get(name) ?? { surroundings: null, unseen: null, version: null };
      insertVariant({ name, position: i + 1, kind, definition, facts: facts.get(name) ?? {}, ...seen });
    });
    const { name, repetitions, baseline, marginPercent, restS, guardS } = experiment;
    this.#insert(EXPERIMENT)({
      id,
      name,
      startedAt,
      joulediffVersion: VERSION,
      seed: plan.seed,
      orderRule: plan.order,
      repetitions,
      baseline,
      marginPercent,
      restS,
      guardS,
      definition: experiment,
    });
    const insertPlanned = this.#insert(PLANNED_RUN);
    for (const { run, ...planned } of plan.runs) insertPlanned({ ...planned, planned: run });
    this.#defineMeters(meters);
    if (!floor) return;
    const [ci95Low, ci95High] = floor.ci95;
    this.#insert(NOISE_FLOOR)({ ...floor, ci95Low, ci95High });
  }

  #insert<C extends Columns>(table: Table<C>): (row: Row<C>) => void {
    return inserter(this.#db, table, this.#room);
  }

  #defineMeters(meters: readonly RecordedMeter[]): void {
    const insertMeter = this.#insert(METER);
    const insertChannel = this.#insert(CHANNEL);
    let channel = 0;
    meters.forEach((info, i) => {
      insertMeter({
        ...info,
        meter: i + 1,
        accuracyGainPercent: info.accuracy?.gainPercent ?? null,
        accuracyOffsetW: info.accuracy?.offsetW ?? null,
        passport: info.passport ?? null,
      });
      for (const { channel: name, ...rest } of info.channels) {
        channel++;
        const { resolutionW = null, edgeS = null, part = null, quantities = null } = rest;
        const known = { resolutionW, edgeS, part, quantities };
        insertChannel({ ...rest, ...known, channel, name, meter: i + 1, isPrimary: channel === 1 });
      }
    });
  }

  /** Starts a stretch of measuring; what follows belongs to it. */
  beginSession(startedAt: string, originNs: bigint, conditions: Conditions, files: WorkloadFiles | null = null): void {
    this.#write(() => {
      const last = this.#db.prepare<[], { last: number | null }>('SELECT max(session) AS last FROM session').get();
      const session = (last?.last ?? 0) + 1;
      const open = { endedAt: null, endKind: null, endSignal: null, endMessage: null };
      this.#insert(SESSION)({ ...open, session, startedAt, originNs, conditions, files });
      this.#session = session;
      this.#toldNs.clear();
    });
  }

  /** One run, all that was observed up to now, and the runs of its block that are not compared because of it. */
  addRun(run: NewRun, observations: Observations, superseded: readonly SupersededRun[] = []): void {
    this.#write((session) => {
      this.#insert(RUN)({ ...run, session });
      if (run.incidents) this.#insert(INCIDENT)({ ...run.incidents, run: run.run });
      if (run.machine) this.#insert(MACHINE_STATE)({ ...run.machine, run: run.run });
      if (run.place) this.#insert(RUN_PLACE)({ ...run.place, run: run.run });
      if (run.clock) this.#insert(RUN_CLOCK)({ ...run.clock, run: run.run });
      for (const service of run.services ?? []) this.#insert(RUN_SERVICE)({ ...service, run: run.run });
      for (const metric of run.metrics ?? []) this.#insert(RUN_METRIC)({ ...metric, run: run.run });
      for (const channel of run.unread ?? []) this.#insert(RUN_UNREAD)({ ...channel, run: run.run });
      if (run.telemetry) this.#telemetry(session, run.run, run.telemetry);
      this.#counters(run.run, run.counters ?? []);
      this.#observe(session, observations);
      this.#exclude(superseded);
    });
  }

  #telemetry(session: number, run: number, { marks, usage }: RunTelemetry): void {
    const bytes = marks.reduce((sum, { phase }) => sum + Buffer.byteLength(phase ?? ''), 0);
    // All of a run's phases or none: one whose end was left out would have a wrong energy.
    if (this.#room.has(PHASE_MARK.name, marks.length, bytes)) {
      const insertMark = this.#insert(PHASE_MARK);
      marks.forEach((mark, i) => {
        insertMark({ ...mark, run, mark: i + 1 });
      });
    } else {
      const detail = `The phases of run ${run} are left out: those of the runs before it fill their table.`;
      this.#event(session, { tNs: nowNs(), kind: 'note', detail });
    }
    if (usage !== null) this.#insert(RUN_USAGE)({ ...usage, run });
    this.#counters(run, usage?.counters ?? []);
  }

  #counters(run: number, counters: readonly Counted[]): void {
    const insert = this.#insert(RUN_COUNTER);
    for (const one of counters) insert({ ...one, run });
  }

  /** Excludes good runs whose block is repeated. */
  exclude(superseded: readonly SupersededRun[]): void {
    this.#write(() => this.#exclude(superseded));
  }

  #exclude(superseded: readonly SupersededRun[]): void {
    const update = this.#db.prepare(
      "UPDATE run SET status = 'invalid', cause = 'block-repeated', reason = @reason WHERE run = @run",
    );
    for (const { run, because } of superseded) {
      update.run({ run, reason: `its block is repeated, because run ${because.run} is ${because.status}` });
    }
  }

  /** The plan ends after so many blocks: no more fit into the time that was given. Before the first of them. */
  limitPlan(blocks: number): void {
    this.#write(() => {
      this.#db.prepare('DELETE FROM planned_run WHERE block > ?').run(blocks);
      this.#db.prepare('UPDATE experiment SET repetitions = ?').run(blocks);
    });
  }

  /** These variants are not run in blocks behind this one: what they are compared for is settled. */
  endVariants(names: readonly string[], block: number): void {
    this.#write(() => {
      const end = this.#db.prepare('DELETE FROM planned_run WHERE block > ? AND variant = ?');
      for (const name of names) end.run(block, name);
    });
  }

  /** What was decided at a look. */
  addInterim(look: InterimRecord): void {
    this.#write(() => this.#insert(LOOK)(look));
  }

  /** How quiet the machine was before a block, with what was observed until then. */
  addQuietInspection(look: QuietInspection, observations: Observations): void {
    this.#write((session) => {
      this.#insert(QUIET_INSPECTION)({ ...look, session });
      this.#observe(session, observations);
    });
  }

  /** What there is to look at extra runs with. */
  setObservers(observers: readonly ObserverRecord[]): void {
    this.#write(() => writeObservers(this.#db, observers));
  }

  /** An extra run that was observed. */
  addObserved(run: ObservedRecord): void {
    this.#write(() => writeObserved(this.#db, run));
  }

  /** The idle stretch after the last run. */
  addIdle(startNs: bigint, endNs: bigint, observations: Observations): void {
    this.#write((session) => {
      this.#insert(IDLE)({ session, startNs, endNs });
      this.#observe(session, observations);
    });
  }

  /** Ends the stretch of measuring and leaves one plain file: no -wal or -shm beside it, readable from a read-only folder. */
  close(endedAt: string, end: SessionEnd, observations: Observations): void {
    try {
      if (this.#session !== null) this.#endSession(endedAt, end, observations);
      onDisk(this.#db.name, () => this.#db.pragma('journal_mode = DELETE'));
    } finally {
      if (this.#othersVersion === null) this.#db.pragma(`application_id = ${ALTERED_ID}`);
      this.#db.close();
    }
  }

  #endSession(endedAt: string, end: SessionEnd, observations: Observations): void {
    const update = this.#db.prepare(`UPDATE session SET ended_at = @endedAt, end_kind = @kind, end_signal = @signal,
      end_message = @message WHERE session = @session`);
    this.#write((session) => {
      this.#observe(session, observations);
      update.run({ signal: null, message: null, ...end, endedAt, session });
    });
  }

  /** All of it, or nothing. */
  #write(action: (session: number) => void): void {
    try {
      onDisk(
        this.#db.name,
        this.#db.transaction(() => {
          this.#checkAlone();
          action(this.#session ?? 0);
        }),
      );
    } finally {
      this.#stamp = stampOf(this.#db.name);
    }
  }

  /** What is measured may run as the user who measures, and may look for the file. Throws MeasureError once; the file is then marked by `close`. */
  #checkAlone(): void {
    if (this.#othersVersion === null) return;
    const stamp = stampOf(this.#db.name);
    // A file that is gone can't be written: that is told then.
    if (this.#othersVersion === othersVersion(this.#db) && (stamp === this.#stamp || stamp === null)) return;
    this.#othersVersion = null;
    throw new MeasureError(
      `Another program changed the database ${this.#db.name} while it was measured: its numbers can't be trusted any more.`,
      { advice: ALTERED_ADVICE },
    );
  }

  #observe(session: number, { samples, events }: Observations): void {
    const find = this.#db.prepare<[string], { channel: number }>('SELECT channel FROM channel WHERE name = ?');
    const insertSample = this.#insert(SAMPLE);
    const insertTold = this.#insert(TOLD);
    const tell = (channel: number, { tNs, values }: CounterReading) => {
      for (const [quantity, value] of values.entries()) insertTold({ session, channel, tNs, quantity, value });
      this.#toldNs.set(channel, tNs);
    };
    for (const [name, list] of samples) {
      const channel = find.get(name)?.channel;
      if (channel === undefined) throw new Error(`there is no channel ${name}`);
      for (const { told, readings = null, ...sample } of list) {
        insertSample({ ...sample, readings, session, channel });
        if (told === undefined) continue;
        // Mostly the look before is there already, as that of the sample before.
        if (told.since !== null && told.since.tNs > (this.#toldNs.get(channel) ?? -1n)) tell(channel, told.since);
        tell(channel, told);
      }
    }
    for (const event of events) this.#event(session, event);
  }

  /** Events explain; what they explain is in the runs. So the last ones are not written where there are very many. */
  #event(session: number, { tNs, kind, detail }: MeterEvent): void {
    this.#events ??= this.#db.prepare<[], number>('SELECT count(*) FROM event').pluck().get() ?? 0;
    this.#events += 1;
    if (this.#events > MAX_EVENTS) return;
    const last = 'Further events are left out: there are very many of them.';
    this.#insert(EVENT)({ session, tNs, kind, detail: this.#events === MAX_EVENTS ? last : plain(detail, MAX_DETAIL) });
  }
}

/** Throws MeasureError when the disk does not take it, or another process holds the database. */
function onDisk<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const code = codeOf(cause);
    if (!/^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN|CORRUPT|NOTADB)/.test(code)) throw cause;
    const gone = !existsSync(path);
    let remedy = 'Make sure that the disk has room and is writable.';
    if (code.startsWith('SQLITE_BUSY')) remedy = 'Close it in the other program that has it open.';
    if (gone) remedy = 'Make sure that its disk is there and mounted.';
    throw new MeasureError(
      `The result can't be written to ${path}: ${gone ? 'it is not there any more' : messageOf(cause)}.`,
      {
        advice: `${remedy} What was written before is kept; ${goOnWords()}.`,
        cause,
      },
    );
  }
}
