import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { getErrorCode } from '../errors.ts';
import { resultPath } from '../system/result-files.ts';
import { withStore } from './reader.ts';

/**
 * The id of the experiment whose result is in a folder that `checkOutputFolder` accepted; null: there is no result, or it names no id.
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
 * Merges the write-ahead log that a killed process left into the database file. No file may be placed beside the database before: SQLite would
 * take an older log for its own. Throws SQLite's error (a full disk, for example) and then leaves everything as it was.
 */
export function mergeLog(database: string): void {
  const db = new Database(database, { fileMustExist: true });
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Whether SQLite reports that a file is no database, or a damaged one. */
export const isDamage = (cause: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(getErrorCode(cause));

/** Whether the process that made the file was killed before it wrote anything. SQLite rolls back a partial write, so the file must be writable. */
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
