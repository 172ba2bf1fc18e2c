import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
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

/** A killed process leaves its last transactions beside the database: then one plain file is made of them. */
export function mergeLog(database: string): void {
  if (!existsSync(`${database}-wal`)) return;
  let db: Database.Database | undefined;
  try {
    db = new Database(database, { fileMustExist: true });
    db.pragma('journal_mode = DELETE');
  } catch {
    // A full disk, say: they go together then.
  } finally {
    db?.close();
  }
}
