import type Database from 'better-sqlite3';

/**
 * SQL from each version of the tables to the next, beginning at FIRST_VERSION. A change of the tables adds an entry; existing entries never
 * change. The first entry also adds a copy of the tables of FIRST_VERSION, from which `verify` knows the schema of a file of
 * that version.
 */
export const MIGRATIONS: readonly string[] = [];

/** First supported version of the tables: older ones predate the first release and can't be migrated. */
export const FIRST_VERSION = 11;

/** Version of the tables after all of these migrations. */
export const versionAfter = (migrations: readonly string[]): number => FIRST_VERSION + migrations.length;

export const versionOf = (db: Database.Database): number => Number(db.pragma('user_version', { simple: true }));

/** Migrates an older file to the newest version, completely or not at all. */
export function migrate(db: Database.Database, migrations: readonly string[]): void {
  db.transaction(() => {
    for (const sql of migrations.slice(versionOf(db) - FIRST_VERSION)) db.exec(sql);
    db.pragma(`user_version = ${versionAfter(migrations)}`);
  })();
}
