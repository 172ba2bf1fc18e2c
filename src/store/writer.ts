import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { RunTelemetry, ServiceRun, WindowClock } from '../contracts/execution.ts';
import type { MeterEvent, Sample } from '../contracts/reading.ts';
import type { PlaceFacts, WorkloadFiles } from '../contracts/variant.ts';
import { getErrorCode, MeasureError, messageOf } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Conditions } from '../findings/conditions.ts';
import type { Counted } from '../findings/resources.ts';
import type { CounterReading } from '../sampling/reported.ts';
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
  ProcessorReading,
  QuietInspection,
  RecordedMeter,
  RunIncidents,
  RunPlace,
  RunRecord,
  SeenPlace,
  SessionEnd,
  UnreadChannel,
} from './records.ts';
import { WriteLimits } from './sound.ts';
import { type Columns, inserter, type Row, type Table } from './table.ts';
import * as tables from './tables.ts';

/** Maximum number of events per experiment, and of characters in each: together far below the limits of a table. */
const MAX_EVENTS = 50_000;
const MAX_DETAIL = 500;

/** Records that are written once, before the first run. */
export interface NewExperiment {
  readonly id: string;
  readonly startedAt: string;
  readonly experiment: Experiment;
  readonly plan: Plan;
  readonly facts: ReadonlyMap<string, PlaceFacts>;
  /** By variant; absent: the places were not examined. */
  readonly surroundings?: ReadonlyMap<string, SeenPlace>;
  readonly meters: readonly RecordedMeter[];
  /** The noise floor measured before for the same workload, machine and meter; null: there is none. */
  readonly noiseFloor: NoiseFloorRecord | null;
}

/** Samples and events since the last commit, by channel. */
export interface Observations {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly events: readonly MeterEvent[];
}

export type NewRun = Omit<RunRecord, 'block' | 'variant' | 'session'> & {
  /** Null: it was not read. */
  readonly machine: MachineState | null;
  /** Null: it was not checked. */
  readonly incidents: RunIncidents | null;
  /** Phase marks and used resources; null: unknown. */
  readonly telemetry: RunTelemetry | null;
  /** Null: the place was not started. */
  readonly place: RunPlace | null;
  /** Values that the run printed; absent: the experiment has no metrics. */
  readonly metrics?: readonly MetricValue[];
  /** Secondary channels without energy in this run; absent: none. */
  readonly unread?: readonly UnreadChannel[];
  /** Counters of the whole machine; absent: there are none. */
  readonly counters?: readonly Counted[];
  /** Times of the processors in the window; absent: they were not read. */
  readonly processors?: readonly ProcessorReading[];
  /** Absent: the run has no services. */
  readonly services?: readonly ServiceRun[];
  /** Largest error of the window; absent: the clock of the samples timed it. */
  readonly clock?: WindowClock | undefined;
};

/** A number that changes when another connection writes, but not when this one does. */
const othersVersion = (db: Database.Database): number => db.pragma('data_version', { simple: true }) as number;

/**
 * A string that changes with every write to the files, even by a program without SQLite, unless it resets the time. Null: the file is
 * gone. It leaves out ctime, which SQLite itself changes when root opens the file for reading.
 */
function readStamp(path: string): string | null {
  const [file, log] = [path, `${path}-wal`].map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }));
  if (file === undefined) return null;
  return [file, log].flatMap((one) => (one ? [one.ino, one.size, one.mtimeNs] : [])).join(' ');
}

/** The writer of an experiment.db. Every method is one transaction, which survives a kill of this process. */
export class StoreWriter {
  readonly #db: Database.Database;
  readonly #room: WriteLimits;
  #session: number | null = null;
  /** Data version after this writer's last write; null: another program has written, and that was reported. */
  #othersVersion: number | null;
  /** Stamp of the files after this writer's last write. */
  #stamp: string | null;
  /** Number of events, those left out included; null: not counted yet. */
  #events: number | null = null;
  /** Time of the last recorded quantities of each channel in this session. */
  readonly #reportedNs = new Map<number, bigint>();

  private constructor(db: Database.Database) {
    this.#db = db;
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    this.#room = new WriteLimits(db);
    this.#othersVersion = othersVersion(db);
    this.#stamp = readStamp(db.name);
  }

  /** Creates the file. Throws MeasureError when it can't be written. */
  static create(path: string, definition: NewExperiment): StoreWriter {
    let db: Database.Database | undefined;
    try {
      db = new Database(path);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${versionAfter(MIGRATIONS)}`);
      const writer = new StoreWriter(db);
      writer.#db.transaction(() => {
        for (const { ddl } of tables.TABLES) writer.#db.exec(ddl);
        writer.#define(definition);
      })();
      writer.#stamp = readStamp(db.name);
      return writer;
    } catch (cause) {
      db?.close();
      throw new MeasureError(`The database ${path} could not be created: ${messageOf(cause)}.`, { cause });
    }
  }

  /** Opens the file of an unfinished experiment to continue it. Throws InputError as `openDatabase` does, MeasureError when it can't be written. */
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
    const insertVariant = this.#insert(tables.VARIANT);
    experiment.variants.forEach((definition, i) => {
      const { name, kind } = definition;
      const seen = surroundings?.get(name) ?? { surroundings: null, unseen: null, version: null };
      insertVariant({ name, position: i + 1, kind, definition, facts: facts.get(name) ?? {}, ...seen });
    });
    const { name, repetitions, baseline, marginPercent, restS, guardS } = experiment;
    this.#insert(tables.EXPERIMENT)({
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
    const insertPlanned = this.#insert(tables.PLANNED_RUN);
    for (const { run, ...planned } of plan.runs) insertPlanned({ ...planned, planned: run });
    this.#defineMeters(meters);
    if (!floor) return;
    const [ci95Low, ci95High] = floor.ci95;
    this.#insert(tables.NOISE_FLOOR)({ ...floor, ci95Low, ci95High });
  }

  #insert<C extends Columns>(table: Table<C>): (row: Row<C>) => void {
    return inserter(this.#db, table, this.#room);
  }

  #defineMeters(meters: readonly RecordedMeter[]): void {
    const insertMeter = this.#insert(tables.METER);
    const insertChannel = this.#insert(tables.CHANNEL);
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

  /** Begins a session; all further records belong to it. */
  beginSession(startedAt: string, originNs: bigint, conditions: Conditions, files: WorkloadFiles | null = null): void {
    this.#write(() => {
      const last = this.#db.prepare<[], { last: number | null }>('SELECT max(session) AS last FROM session').get();
      const session = (last?.last ?? 0) + 1;
      const open = { endedAt: null, endKind: null, endSignal: null, endMessage: null };
      this.#insert(tables.SESSION)({ ...open, session, startedAt, originNs, conditions, files });
      this.#session = session;
      this.#reportedNs.clear();
    });
  }

  /** Adds a run with everything observed until now, and excludes the runs of its block that it supersedes. */
  addRun(run: NewRun, observations: Observations, superseded: readonly SupersededRun[] = []): void {
    this.#write((session) => {
      this.#insert(tables.RUN)({ ...run, session });
      if (run.incidents) this.#insert(tables.INCIDENT)({ ...run.incidents, run: run.run });
      if (run.machine) this.#insert(tables.MACHINE_STATE)({ ...run.machine, run: run.run });
      if (run.place) this.#insert(tables.RUN_PLACE)({ ...run.place, run: run.run });
      if (run.clock) this.#insert(tables.RUN_CLOCK)({ ...run.clock, run: run.run });
      for (const times of run.processors ?? []) this.#insert(tables.PROCESSOR_TIME)({ ...times, run: run.run });
      for (const service of run.services ?? []) this.#insert(tables.RUN_SERVICE)({ ...service, run: run.run });
      for (const metric of run.metrics ?? []) this.#insert(tables.RUN_METRIC)({ ...metric, run: run.run });
      for (const channel of run.unread ?? []) this.#insert(tables.RUN_UNREAD)({ ...channel, run: run.run });
      for (const counter of run.counters ?? []) this.#insert(tables.RUN_COUNTER)({ ...counter, run: run.run });
      if (run.telemetry) this.#telemetry(session, run.run, run.telemetry);
      this.#observe(session, observations);
      this.#exclude(superseded);
    });
  }

  #telemetry(session: number, run: number, { marks, usage }: RunTelemetry): void {
    const bytes = marks.reduce((sum, { phase }) => sum + Buffer.byteLength(phase ?? ''), 0);
    // Either all phase marks of a run or none: a phase without its end would get a wrong energy.
    if (this.#room.has(tables.PHASE_MARK.name, marks.length, bytes)) {
      const insertMark = this.#insert(tables.PHASE_MARK);
      marks.forEach((mark, i) => {
        insertMark({ ...mark, run, mark: i + 1 });
      });
    } else {
      const detail = `The phases of run ${run} are left out: those of the runs before it fill their table.`;
      this.#event(session, { tNs: nowNs(), kind: 'note', detail });
    }
    if (usage !== null) this.#insert(tables.RUN_USAGE)({ ...usage, run });
    for (const counter of usage?.counters ?? []) this.#insert(tables.RUN_COUNTER)({ ...counter, run });
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

  /** Shortens the plan to this number of blocks, because no more fit into the given time. Called before the first block. */
  limitPlan(blocks: number): void {
    this.#write(() => {
      this.#db.prepare('DELETE FROM planned_run WHERE block > ?').run(blocks);
      this.#db.prepare('UPDATE experiment SET repetitions = ?').run(blocks);
    });
  }

  /** Adds the decision of an interim analysis, and removes the variants whose comparisons it settled from the plan after its blocks. */
  addInterim(look: InterimRecord, settled: readonly string[]): void {
    this.#write(() => {
      this.#insert(tables.INTERIM)(look);
      const end = this.#db.prepare('DELETE FROM planned_run WHERE block > ? AND variant = ?');
      for (const name of settled) end.run(look.blocks, name);
    });
  }

  /** Adds a check of the machine before a block, with everything observed until then. */
  addQuietInspection(look: QuietInspection, observations: Observations): void {
    this.#write((session) => {
      this.#insert(tables.QUIET_INSPECTION)({ ...look, session });
      this.#observe(session, observations);
    });
  }

  /** Sets the observers available for extra runs. */
  setObservers(observers: readonly ObserverRecord[]): void {
    this.#write(() => writeObservers(this.#db, observers));
  }

  /** Adds an observed extra run. */
  addObserved(run: ObservedRecord): void {
    this.#write(() => writeObserved(this.#db, run));
  }

  /** Adds the idle period after the last run. */
  addIdle(startNs: bigint, endNs: bigint, observations: Observations): void {
    this.#write((session) => {
      this.#insert(tables.IDLE)({ session, startNs, endNs });
      this.#observe(session, observations);
    });
  }

  /** Ends the session and leaves one plain file: no -wal or -shm beside it, readable from a read-only folder. */
  close(endedAt: string, end: SessionEnd, observations: Observations): void {
    try {
      if (this.#session !== null) this.#endSession(endedAt, end, observations);
      onDisk(this.#db.name, () => this.#db.pragma('journal_mode = DELETE'));
    } finally {
      if (this.#othersVersion === null) this.#db.pragma(`application_id = ${ALTERED_ID}`);
      this.#db.close();
    }
  }

  /** Closes the file if no session began, so that others can open it; after `close`, does nothing. */
  [Symbol.dispose](): void {
    this.#db.close();
  }

  #endSession(endedAt: string, end: SessionEnd, observations: Observations): void {
    const update = this.#db.prepare(`UPDATE session SET ended_at = @endedAt, end_kind = @kind, end_signal = @signal,
      end_message = @message WHERE session = @session`);
    this.#write((session) => {
      this.#observe(session, observations);
      update.run({ signal: null, message: null, ...end, endedAt, session });
    });
  }

  /** Runs `action` as one transaction. */
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
      this.#stamp = readStamp(this.#db.name);
    }
  }

  /** The workload may run as the same user and change the file. Throws MeasureError for that once; `close` then marks the file. */
  #checkAlone(): void {
    if (this.#othersVersion === null) return;
    const stamp = readStamp(this.#db.name);
    // A missing file is reported when it can't be written.
    if (this.#othersVersion === othersVersion(this.#db) && (stamp === this.#stamp || stamp === null)) return;
    this.#othersVersion = null;
    throw new MeasureError(
      `Another program changed the database ${this.#db.name} while it was measured: its numbers can't be trusted any more.`,
      { advice: ALTERED_ADVICE },
    );
  }

  #observe(session: number, { samples, events }: Observations): void {
    const find = this.#db.prepare<[string], { channel: number }>('SELECT channel FROM channel WHERE name = ?');
    const insertSample = this.#insert(tables.SAMPLE);
    const insertReported = this.#insert(tables.REPORTED);
    const tell = (channel: number, { tNs, values }: CounterReading) => {
      for (const [quantity, value] of values.entries()) insertReported({ session, channel, tNs, quantity, value });
      this.#reportedNs.set(channel, tNs);
    };
    for (const [name, list] of samples) {
      const channel = find.get(name)?.channel;
      if (channel === undefined) throw new Error(`there is no channel ${name}`);
      for (const { reported, readings = null, ...sample } of list) {
        insertSample({ ...sample, readings, session, channel });
        if (reported === undefined) continue;
        // The previous reading is usually recorded already, with the sample before.
        if (reported.since !== null && reported.since.tNs > (this.#reportedNs.get(channel) ?? -1n)) {
          tell(channel, reported.since);
        }
        tell(channel, reported);
      }
    }
    for (const event of events) this.#event(session, event);
  }

  /** Adds an event. Events only explain what the runs record, so those after the first MAX_EVENTS are left out. */
  #event(session: number, { tNs, kind, detail }: MeterEvent): void {
    this.#events ??= this.#db.prepare<[], number>('SELECT count(*) FROM event').pluck().get() ?? 0;
    this.#events += 1;
    if (this.#events > MAX_EVENTS) return;
    const last = 'Further events are left out: there are very many of them.';
    this.#insert(tables.EVENT)({
      session,
      tNs,
      kind,
      detail: this.#events === MAX_EVENTS ? last : plain(detail, MAX_DETAIL),
    });
  }
}

/** Runs `action`. Throws MeasureError when the disk is full or unwritable, or another process has locked the database. */
function onDisk<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const code = getErrorCode(cause);
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
