import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { codeOf } from '../errors.ts';
import { resultPath } from '../system/result-files.ts';
import { withStore } from './reader.ts';

/**
 * The id of the experiment whose result lies in a folder that `checkOutputFolder` found right; null: there is none, or it tells no id.
 * Throws InputError when its database can't be read.
 */
export function experimentIn(folder: string): string | null {
  const database = resultPath(folder, 'database');
  if (existsSync(database)) return withStore(database, (reader) => reader.experiment().id);
  const findings = resultPath(folder, 'findings');
  if (!existsSync(findings)) return null;
  try {
    const id: unknown = JSON.parse(readFileSync(findings, 'utf8'))?.experiment?.id;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/**
 * Makes one plain file of a database and of the last transactions that a killed process left beside it. Nothing else may be laid beside it
 * then: SQLite would take an older log for its own. Throws what SQLite says (on a full disk, say); then all is as it was.
 */
export function mergeLog(database: string): void {
  const db = new Database(database, { fileMustExist: true });
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Whether SQLite says of a file that it is no database, or a damaged one. */
export const isDamage = (cause: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(cause));

/** Whether the process that made it was killed before anything was written. What it had half written is taken back, so it may be written to. */
export function isBlank(database: string): boolean {
  const db = new Database(database, { fileMustExist: true });
  try {
    return db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    return false;
  } finally {
    db.close();
  }
}
