import Database from 'better-sqlite3';
import { MeasureError, messageOf } from '../errors.ts';
import type { PlaceFacts, RunAccount } from '../executors/executor.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { MeterEvent, MeterInfo, Sample } from '../meters/meter.ts';
import type { Passport } from '../meters/passport/passport.ts';
import type { Plan } from '../schedule/plan.ts';
import { VERSION } from '../version.ts';
import type { Conditions, LookRecord, MachineState, NoiseFloorRecord, RunRecord } from './records.ts';
import { ACCOUNT_TABLES, APPLICATION_ID, LOOK_TABLE, MACHINE_TABLE, SCHEMA, SCHEMA_VERSION } from './schema.ts';

/** A meter with what `meter check` found out about it, where that was done. */
export interface RecordedMeter extends MeterInfo {
  readonly passport?: Passport | null;
}

/** What is written once, before the first run. */
export interface NewExperiment {
  readonly id: string;
  readonly startedAt: string;
  readonly experiment: Experiment;
  readonly plan: Plan;
  readonly facts: ReadonlyMap<string, PlaceFacts>;
  readonly meters: readonly RecordedMeter[];
  /** Measured before, for the same workload, machine and meter. */
  readonly noiseFloor?: NoiseFloorRecord | null;
}

/** Samples and events that came since the last commit, by channel. */
export interface Observations {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly events: readonly MeterEvent[];
}

export type NewRun = Omit<RunRecord, 'block' | 'variant' | 'session'> & {
  /** Absent or null: not read. */
  readonly machine?: MachineState | null;
  /** What it told of its phases and used; absent or null: not known. */
  readonly account?: RunAccount | null;
};

/** The one writer of an experiment.db. Every method is one transaction: what it wrote survives a kill. */
export class StoreWriter {
  readonly #db: Database.Database;
  #session = 0;

  private constructor(db: Database.Database) {
    this.#db = db;
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
  }

  /** Makes the file. Throws MeasureError when it can't be written. */
  static create(path: string, definition: NewExperiment): StoreWriter {
    try {
      const db = new Database(path);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
      const writer = new StoreWriter(db);
      db.transaction(() => {
        db.exec(SCHEMA);
        writer.#define(definition);
      })();
      return writer;
    } catch (cause) {
      throw new MeasureError(`The database ${path} could not be made: ${messageOf(cause)}.`, { cause });
    }
  }

  /** Opens the file of an unfinished experiment to go on with it; the caller has read it with the reader before. */
  static resume(path: string): StoreWriter {
    const db = new Database(path, { fileMustExist: true });
    // Files of before the column.
    const columns = db.prepare<[], { name: string }>('PRAGMA table_info(run)').all();
    if (!columns.some(({ name }) => name === 'batch')) {
      db.exec('ALTER TABLE run ADD COLUMN batch INTEGER NOT NULL DEFAULT 1 CHECK (batch >= 1)');
    }
    db.exec(LOOK_TABLE);
    db.exec(MACHINE_TABLE);
    db.exec(ACCOUNT_TABLES);
    return new StoreWriter(db);
  }

  #define({ id, startedAt, experiment, plan, facts, meters, noiseFloor: floor }: NewExperiment): void {
    const db = this.#db;
    const variant = db.prepare('INSERT INTO variant VALUES (?, ?, ?, ?, ?)');
    experiment.variants.forEach((v, i) => {
      variant.run(v.name, i + 1, v.kind, JSON.stringify(v), JSON.stringify(facts.get(v.name) ?? {}));
    });
    db.prepare('INSERT INTO experiment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      id,
      SCHEMA_VERSION,
      VERSION,
      experiment.name,
      startedAt,
      plan.seed,
      plan.order,
      experiment.repetitions,
      experiment.baseline,
      experiment.marginPercent,
      experiment.restS,
      experiment.guardS,
      JSON.stringify(experiment),
    );
    const planned = db.prepare('INSERT INTO planned_run VALUES (?, ?, ?, ?, ?)');
    for (const p of plan.runs) planned.run(p.run, p.block, p.position, p.variant, p.warmup ? 1 : 0);
    this.#defineMeters(meters);
    if (!floor) return;
    db.prepare('INSERT INTO noise_floor VALUES (?, ?, ?, ?, ?)').run(
      floor.measuredAt,
      floor.percent,
      ...floor.ci95,
      floor.blocks,
    );
  }

  #defineMeters(meters: readonly RecordedMeter[]): void {
    const meter = this.#db.prepare('INSERT INTO meter VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const channel = this.#db.prepare('INSERT INTO channel VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    meters.forEach((m, i) => {
      const accuracy = [m.accuracy?.gainPercent ?? null, m.accuracy?.offsetW ?? null];
      const texts = [JSON.stringify(m.identity), ...accuracy, m.minimumGuardS, JSON.stringify(m.remarks)];
      meter.run(i + 1, m.type, m.address, m.source, ...texts, m.passport ? JSON.stringify(m.passport) : null);
      m.channels.forEach((c, j) => {
        const primary = i === 0 && j === 0 ? 1 : 0;
        const limits = [c.resolutionW ?? null, c.edgeS ?? null, c.part ?? null];
        channel.run(c.channel, i + 1, primary, c.integration, c.samplingPeriodS, c.clock, ...limits);
      });
    });
  }

  /** Starts a stretch of measuring; what follows belongs to it. */
  beginSession(startedAt: string, originNs: bigint, conditions: Conditions): void {
    this.#write(() => {
      const insert = this.#db.prepare('INSERT INTO session VALUES (NULL, ?, NULL, NULL, ?, ?)');
      this.#session = Number(insert.run(startedAt, originNs, JSON.stringify(conditions)).lastInsertRowid);
    });
  }

  /** One run and all that was observed up to now. */
  addRun(run: NewRun, observations: Observations): void {
    this.#write(() => {
      this.#db
        .prepare('INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(
          run.run,
          run.planned,
          run.attempt,
          run.position,
          this.#session,
          run.status,
          run.reason,
          run.restStartNs,
          run.startNs,
          run.endNs,
          run.guardEndNs,
          run.exitCode,
          run.signal,
          run.outputTail,
          run.executions,
        );
      if (run.machine) {
        const { governor, temperatureC, load } = run.machine;
        this.#db.prepare('INSERT INTO machine_state VALUES (?, ?, ?, ?)').run(run.run, governor, temperatureC, load);
      }
      if (run.account) this.#account(run.run, run.account);
      this.#observe(observations);
    });
  }

  #account(run: number, { marks, usage }: RunAccount): void {
    const insert = this.#db.prepare('INSERT INTO phase_mark VALUES (?, ?, ?, ?, ?)');
    marks.forEach(({ tNs, lateNs, phase }, i) => {
      insert.run(run, i + 1, tNs, lateNs, phase);
    });
    if (usage === null) return;
    const { cpuS, peakMemoryBytes, readBytes, writtenBytes, unread } = usage;
    this.#db
      .prepare('INSERT INTO run_usage VALUES (?, ?, ?, ?, ?, ?)')
      .run(run, cpuS, peakMemoryBytes, readBytes, writtenBytes, JSON.stringify(unread));
  }

  /** Sets the good runs of a block aside, because the whole block is repeated. */
  setAside(runs: readonly number[], reason: string): void {
    const update = this.#db.prepare("UPDATE run SET status = 'invalid', reason = ? WHERE run = ?");
    this.#write(() => {
      for (const run of runs) update.run(reason, run);
    });
  }

  /** What was decided at a look. */
  addLook({ look, blocks, nominalP, p, stopped }: LookRecord): void {
    const insert = this.#db.prepare('INSERT INTO look VALUES (?, ?, ?, ?, ?)');
    this.#write(() => {
      insert.run(look, blocks, nominalP, p, stopped ? 1 : 0);
    });
  }

  /** The idle stretch after the last run. */
  addIdle(startNs: bigint, endNs: bigint, observations: Observations): void {
    this.#write(() => {
      this.#db.prepare('INSERT INTO idle VALUES (NULL, ?, ?, ?)').run(this.#session, startNs, endNs);
      this.#observe(observations);
    });
  }

  /** Ends the stretch of measuring and leaves one plain file: no -wal or -shm beside it, readable from a read-only folder. */
  close(endedAt: string, reason: string, observations: Observations): void {
    try {
      this.#write(() => {
        if (this.#session === 0) return;
        this.#observe(observations);
        this.#db
          .prepare('UPDATE session SET ended_at = ?, end_reason = ? WHERE session = ?')
          .run(endedAt, reason, this.#session);
      });
      this.#onDisk(() => this.#db.pragma('journal_mode = DELETE'));
    } finally {
      this.#db.close();
    }
  }

  /** All of it, or nothing. */
  #write(action: () => void): void {
    this.#onDisk(this.#db.transaction(action));
  }

  /** Throws MeasureError when the disk does not take it. */
  #onDisk(action: () => void): void {
    try {
      action();
    } catch (cause) {
      const code = String((cause as { code?: unknown } | null)?.code);
      if (!/^SQLITE_(FULL|IOERR|READONLY)/.test(code)) throw cause;
      throw new MeasureError(`The result can't be written to ${this.#db.name}: ${messageOf(cause)}.`, {
        advice:
          'See that the disk has room and can be written. What was written before is kept: --resume goes on with it.',
        cause,
      });
    }
  }

  #observe({ samples, events }: Observations): void {
    const channelId = this.#db.prepare<[string], { channel: number }>('SELECT channel FROM channel WHERE name = ?');
    const sample = this.#db.prepare('INSERT INTO sample VALUES (?, ?, ?, ?, ?)');
    for (const [name, list] of samples) {
      const id = channelId.get(name)?.channel;
      for (const s of list) sample.run(this.#session, id, s.tNs, s.powerW, s.durationS);
    }
    const event = this.#db.prepare('INSERT INTO event VALUES (NULL, ?, ?, ?, ?)');
    for (const e of events) event.run(this.#session, e.tNs, e.kind, e.detail);
  }
}
