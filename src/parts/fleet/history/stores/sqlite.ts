import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { getErrorCode, InputError, JoulediffError, MeasureError, messageOf } from '../../../../errors.ts';
import { findFlaw, readSchema } from '../../../../store/sound.ts';
import { makeFolder } from '../../../../system/make-folder.ts';
import { stateFolder } from '../../../../system/state.ts';
import { homeFolder } from '../../../../system/user.ts';
import {
  type History,
  type HistoryRecord,
  type HistoryStore,
  inOrder,
  noteJson,
  readNote,
  readRecord,
} from '../record.ts';

/** Application ID "jdhi" of an SQLite file */
const APPLICATION_ID = 0x6a646869;
/** Maximum wait for another job's transaction, milliseconds. */
const BUSY_MS = 20_000;

/** SQL that leads to each version of the tables from the one before it. */
const TABLES = [
  `
CREATE TABLE record (
  id TEXT PRIMARY KEY,
  experiment TEXT NOT NULL,
  started_at TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT`,
  'CREATE TABLE note (sha TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT',
] as const;
const VERSION = TABLES.length;
const versionOf = (db: Database.Database): number => Number(db.pragma('user_version', { simple: true }));

/** Folder that outlives a home: a runner may give each job a home of its own, and XDG_STATE_HOME names what stays. */
const STATE = '~/.local/state/joulediff/';

function resolveHome(file: string): string {
  if (file.startsWith(STATE)) return join(stateFolder(), file.slice(STATE.length));
  if (!file.startsWith('~/')) return file;
  const home = homeFolder();
  if (home !== null) return join(home, file.slice(2));
  throw new InputError(`The history ${file} is in a home folder, and this user has none.`, {
    advice: 'Set HOME, or write an absolute path.',
  });
}

/** `~/` is the user's home; the file and its folder are made with the first record. Throws InputError where there is none. */
export function sqliteStore(file: string): HistoryStore {
  const path = resolveHome(file);
  const use = async <T>(write: boolean, work: (db: Database.Database) => T): Promise<T> => {
    let db: Database.Database | undefined;
    try {
      if (write) makeFolder(dirname(path));
      db = open(path, write);
      return work(db);
    } catch (cause) {
      if (cause instanceof JoulediffError) throw cause;
      throw new MeasureError(`The history ${path} can't be ${write ? 'written' : 'read'}: ${messageOf(cause)}.`, {
        advice: /^SQLITE_(FULL|IOERR)/.test(getErrorCode(cause))
          ? 'Make sure that its disk has room: what was kept before is as it was.'
          : 'The user of the runner needs the right to write the file and its folder.',
        cause,
      });
    } finally {
      db?.close();
    }
  };
  const read = async (): Promise<History> =>
    existsSync(path) ? use(false, (db) => list(db, path)) : { records: [], notes: new Map() };
  return {
    name: path,
    add: (record) => use(true, (db) => insert(db, record)),
    remove: async (ids) => (existsSync(path) ? use(true, (db) => remove(db, ids)) : 0),
    annotate: (commit, text) => use(true, (db) => annotate(db, commit, text)),
    read,
    records: async () => (await read()).records,
  };
}

function insert(db: Database.Database, record: HistoryRecord): boolean {
  const put = db.prepare('INSERT INTO record VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING');
  return put.run(record.id, record.experiment, record.started_at, JSON.stringify(record)).changes > 0;
}

function remove(db: Database.Database, ids: ReadonlySet<string>): number {
  const drop = db.prepare('DELETE FROM record WHERE id = ?');
  const count = db
    .transaction(() => {
      const gone = [...ids].reduce((sum, id) => sum + drop.run(id).changes, 0);
      const hasRecord = "EXISTS (SELECT 1 FROM record WHERE json_extract(json, '$.commit') = sha)";
      if (gone > 0) db.exec(`DELETE FROM note WHERE NOT ${hasRecord}`);
      return gone;
    })
    .immediate();
  if (count > 0) shrink(db);
  return count;
}

function annotate(db: Database.Database, commit: string, text: string): boolean {
  const [sql, values] =
    text === ''
      ? ['DELETE FROM note WHERE sha = ?', [commit]]
      : [
          'INSERT INTO note VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text WHERE text <> excluded.text',
          [commit, text],
        ];
  return db.prepare(sql).run(...values).changes > 0;
}

/** Shrinks the file if the disk has room for that; otherwise later records use the free space. */
function shrink(db: Database.Database): void {
  try {
    db.exec('VACUUM');
  } catch (cause) {
    if (!/^SQLITE_(FULL|IOERR|BUSY)/.test(getErrorCode(cause))) throw cause;
  }
}

function list(db: Database.Database, path: string): History {
  const { rows, noted } = db.transaction(() => ({
    rows: db.prepare<[], { id: string; json: string }>('SELECT id, json FROM record').all(),
    noted: versionOf(db) < 2 ? [] : db.prepare<[], { sha: string; text: string }>('SELECT sha, text FROM note').all(),
  }))();
  const records = rows.map(({ id, json }) => readRecord(parse(json), `The record ${JSON.stringify(id)} in ${path}`));
  const notes = noted.map(({ sha, text }) =>
    readNote(noteJson(sha, text), `The note of ${JSON.stringify(sha)} in ${path}`),
  );
  return { records: inOrder(records), notes: new Map(notes) };
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
  // Without write permission the file can usually still be read: the log's index can't be created, but mostly there is no log.
  const db = new Database(path, { readonly: !write, fileMustExist: !write, timeout: BUSY_MS });
  try {
    db.pragma('trusted_schema = OFF');
    check(db, path);
    if (!write) return db;
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.transaction(() => {
      if (versionOf(db) === VERSION) return;
      check(db, path);
      for (const sql of TABLES.slice(versionOf(db))) db.exec(sql);
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
    // Read in one transaction: another process may create it in between.
    [application, version, tables] = db.transaction((): [unknown, number, number] => [
      db.pragma('application_id', { simple: true }),
      versionOf(db),
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
  const flaw = findFlaw(db, [historySchema(version)]);
  if (flaw !== null) throw new InputError(`The history ${path} can't be used: ${flaw}.`, { advice });
}

/** The schema of a history of some version, as text. */
function historySchema(version: number): string {
  const made = new Database(':memory:');
  try {
    return readSchema(made.exec(TABLES.slice(0, version).join(';')));
  } finally {
    made.close();
  }
}
