import type Database from 'better-sqlite3';

/**
 * SQL that leads from one version of the tables to the next, the first from FIRST_VERSION to the one after it. Whoever changes the tables
 * adds one; those that are here never change again. The first one brings the tables of FIRST_VERSION with it, from which `verify` tells what a file
 * of then must look like.
 */
export const MIGRATIONS: readonly string[] = [];

/** Earlier ones are of before the first release, and nothing leads from there. */
export const FIRST_VERSION = 10;

/** Version of the tables that so many migrations lead to. */
export const versionAfter = (migrations: readonly string[]): number => FIRST_VERSION + migrations.length;

export const versionOf = (db: Database.Database): number => Number(db.pragma('user_version', { simple: true }));

/** Brings an older file to the newest version, all the way or not at all. */
export function migrate(db: Database.Database, migrations: readonly string[]): void {
  db.transaction(() => {
    for (const sql of migrations.slice(versionOf(db) - FIRST_VERSION)) db.exec(sql);
    db.pragma(`user_version = ${versionAfter(migrations)}`);
  })();
}
