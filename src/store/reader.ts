import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { InputError, messageOf } from '../errors.ts';
import type { SampleColumns, StoreReader } from './records.ts';
import {
  channelOf,
  eventOf,
  experimentOf,
  idleOf,
  lookOf,
  machineStateOf,
  noiseFloorOf,
  phaseMarkOf,
  plannedOf,
  type Row,
  runOf,
  sessionOf,
  usageOf,
  variantOf,
} from './rows.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';

/**
 * Opens an experiment.db read-only.
 * Throws InputError when the file is missing, no database, somebody else's database, or of a newer version.
 */
export function openStore(path: string): StoreReader {
  const db = open(path);
  const one = (sql: string): Row => db.prepare<[], Row>(sql).get() ?? {};
  const all = (sql: string): Row[] => db.prepare<[], Row>(sql).all();
  /** Rows with 64-bit times as bigint. */
  const exact = (sql: string): Row[] => db.prepare<[], Row>(sql).safeIntegers().all();
  return {
    experiment: () => experimentOf(one('SELECT * FROM experiment')),
    variants: () => all('SELECT * FROM variant ORDER BY position').map(variantOf),
    channels: () => all(CHANNELS).map(channelOf),
    // Files of before the table have none.
    noiseFloor: () =>
      (all(HAS_NOISE_FLOOR).length === 0 ? [] : all('SELECT * FROM noise_floor')).map(noiseFloorOf)[0] ?? null,
    sessions: () => exact('SELECT * FROM session ORDER BY session').map(sessionOf),
    plannedRuns: () => all('SELECT * FROM planned_run ORDER BY planned').map(plannedOf),
    runs: () => exact(RUNS).map(runOf),
    closingIdle: () => exact('SELECT * FROM idle ORDER BY idle').map(idleOf),
    machineStates: () =>
      new Map(hasTable(db, 'machine_state') ? all('SELECT * FROM machine_state').map(machineStateOf) : []),
    samples: (session, channel) => readSamples(db, session, channel),
    events: () => exact('SELECT * FROM event ORDER BY event').map(eventOf),
    looks: () => (hasTable(db, 'look') ? all('SELECT * FROM look ORDER BY look').map(lookOf) : []),
    phaseMarks: () => Map.groupBy(hasTable(db, 'phase_mark') ? exact(MARKS).map(phaseMarkOf) : [], ({ run }) => run),
    usage: () => new Map(hasTable(db, 'run_usage') ? all('SELECT * FROM run_usage').map(usageOf) : []),
    close: () => db.close(),
  };
}

const CHANNELS = `SELECT c.*, m.* FROM channel c JOIN meter m USING (meter)
  ORDER BY c.is_primary DESC, c.channel`;
const HAS_NOISE_FLOOR = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'noise_floor'";
const MARKS = 'SELECT * FROM phase_mark ORDER BY run, mark';
const RUNS = 'SELECT r.*, p.block, p.variant FROM run r JOIN planned_run p USING (planned) ORDER BY r.run';

function open(path: string): Database.Database {
  if (!existsSync(path)) throw new InputError(`There is no file ${path}.`);
  if (!statSync(path).isFile()) throw new InputError(`${path} is not a file.`);
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true });
    const application = db.pragma('application_id', { simple: true });
    const version = Number(db.pragma('user_version', { simple: true }));
    if (application !== APPLICATION_ID) throw new InputError(`${path} is a database, but not one of joulediff.`);
    if (version > SCHEMA_VERSION) {
      throw new InputError(
        `${path} was made by a newer joulediff (its schema is ${version}, this one knows ${SCHEMA_VERSION}).`,
        {
          advice: 'Update joulediff.',
        },
      );
    }
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof InputError) throw cause;
    throw new InputError(`${path} could not be read as an experiment.db: ${messageOf(cause)}.`, { cause });
  }
}

/** Files of before a table. */
function hasTable(db: Database.Database, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

function readSamples(db: Database.Database, session: number, channel: string): SampleColumns {
  const origin = db
    .prepare<[number], { origin_ns: bigint }>('SELECT origin_ns FROM session WHERE session = ?')
    .safeIntegers()
    .get(session)?.origin_ns;
  const where = 'FROM sample WHERE session = ? AND channel = (SELECT channel FROM channel WHERE name = ?)';
  const n = db.prepare<[number, string], { n: number }>(`SELECT count(*) AS n ${where}`).get(session, channel)?.n ?? 0;
  const columns = { tNs: new Float64Array(n), powerW: new Float64Array(n), durationS: new Float64Array(n) };
  const rows = db
    .prepare<unknown[], [number, number, number]>(`SELECT t_ns - ?, power_w, duration_s ${where} ORDER BY t_ns`)
    .raw()
    .iterate(origin ?? 0n, session, channel);
  let i = 0;
  for (const [t, power, duration] of rows) {
    columns.tNs[i] = t;
    columns.powerW[i] = power;
    columns.durationS[i] = duration;
    i++;
  }
  return columns;
}
