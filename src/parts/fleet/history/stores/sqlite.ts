import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf, InputError, JoulediffError, MeasureError, messageOf } from '../../../../errors.ts';
import { flawOf, schemaOf } from '../../../../store/sound.ts';
import { makeFolder } from '../../../../system/make-folder.ts';
import { homeFolder } from '../../../../system/user.ts';
import { type HistoryRecord, type HistoryStore, inOrder, readRecord } from '../record.ts';

/** "jdhi" */
const APPLICATION_ID = 0x6a646869;
const VERSION = 1;
/** Two jobs at once wait for one another so long, milliseconds. */
const BUSY_MS = 20_000;

const TABLE = `
CREATE TABLE record (
  id TEXT PRIMARY KEY,
  experiment TEXT NOT NULL,
  started_at TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT`;

/** `~/` is the user's home; the file and its folder are made with the first record. */
export function sqliteStore(file: string): HistoryStore {
  const home = homeFolder();
  if (file.startsWith('~/') && home === null) {
    throw new InputError(`The history ${file} is in a home folder, and this user has none.`, {
      advice: 'Set HOME, or write an absolute path.',
    });
  }
  const path = file.startsWith('~/') ? join(home ?? '', file.slice(2)) : file;
  const use = async <T>(write: boolean, work: (db: Database.Database) => T): Promise<T> => {
    let db: Database.Database | undefined;
    try {
      if (write) makeFolder(dirname(path));
      db = open(path, write);
      return work(db);
    } catch (cause) {
      if (cause instanceof JoulediffError) throw cause;
      throw new MeasureError(`The history ${path} can't be ${write ? 'written' : 'read'}: ${messageOf(cause)}.`, {
        advice: /^SQLITE_(FULL|IOERR)/.test(codeOf(cause))
          ? 'Make sure that its disk has room: what was kept before is as it was.'
          : 'The user of the runner needs the right to write the file and its folder.',
        cause,
      });
    } finally {
      db?.close();
    }
  };
  return {
    name: path,
    add: (record) => use(true, (db) => insert(db, record)),
    remove: async (ids) => (existsSync(path) ? use(true, (db) => remove(db, ids)) : 0),
    records: async () => (existsSync(path) ? use(false, (db) => list(db, path)) : []),
  };
}

function insert(db: Database.Database, record: HistoryRecord): boolean {
  const put = db.prepare('INSERT INTO record VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING');
  return put.run(record.id, record.experiment, record.started_at, JSON.stringify(record)).changes > 0;
}

function remove(db: Database.Database, ids: ReadonlySet<string>): number {
  const drop = db.prepare('DELETE FROM record WHERE id = ?');
  const count = db.transaction(() => [...ids].reduce((sum, id) => sum + drop.run(id).changes, 0)).immediate();
  if (count > 0) shrink(db);
  return count;
}

/** Makes the file as small as what is left, where there is room for that; else later records take the room. */
function shrink(db: Database.Database): void {
  try {
    db.exec('VACUUM');
  } catch (cause) {
    if (!/^SQLITE_(FULL|IOERR|BUSY)/.test(codeOf(cause))) throw cause;
  }
}

function list(db: Database.Database, path: string): HistoryRecord[] {
  const rows = db.prepare<[], { id: string; json: string }>('SELECT id, json FROM record').all();
  return inOrder(rows.map(({ id, json }) => readRecord(parse(json), `The record ${JSON.stringify(id)} in ${path}`)));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Write-ahead logging, so that readers never wait, and every transaction is there whole after a crash, or not at all. */
function open(path: string, write: boolean): Database.Database {
  if (existsSync(path) && !statSync(path).isFile()) throw new InputError(`The history ${path} is not a file.`);
  // Without a right to write, another's file is still read: the log's index can't be made, but mostly there is no log.
  const db = new Database(path, { readonly: !write, fileMustExist: !write, timeout: BUSY_MS });
  try {
    db.pragma('trusted_schema = OFF');
    check(db, path);
    if (!write) return db;
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.transaction(() => {
      if (db.pragma('user_version', { simple: true }) === VERSION) return;
      check(db, path);
      db.exec(TABLE);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${VERSION}`);
    }).immediate();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws InputError for a database that isn't a history, or is a newer one. */
function check(db: Database.Database, path: string): void {
  const advice = 'Name another file for the history.';
  let application: unknown;
  let version: number;
  let tables: number;
  try {
    // At one moment: another process may make it between two readings.
    [application, version, tables] = db.transaction((): [unknown, number, number] => [
      db.pragma('application_id', { simple: true }),
      Number(db.pragma('user_version', { simple: true })),
      db.prepare<[], number>('SELECT count(*) FROM sqlite_master').pluck().get() ?? 0,
    ])();
  } catch (cause) {
    if (!/not a database/.test(messageOf(cause))) throw cause;
    throw new InputError(`${path} is not a SQLite database.`, { advice, cause });
  }
  if (tables === 0 && application === 0) return;
  if (application !== APPLICATION_ID) {
    throw new InputError(`${path} is a database, but not a joulediff history.`, { advice });
  }
  if (version > VERSION) {
    throw new InputError(`${path} was written by a newer joulediff (history ${version}; this one knows ${VERSION}).`, {
      advice: 'Use the newer version here too.',
    });
  }
  const flaw = flawOf(db, [historySchema()]);
  if (flaw !== null) throw new InputError(`The history ${path} can't be used: ${flaw}.`, { advice });
}

/** The schema of a history, as text. */
function historySchema(): string {
  const made = new Database(':memory:');
  try {
    return schemaOf(made.exec(TABLE));
  } finally {
    made.close();
  }
}
