import Database from 'better-sqlite3';
import { InputError } from '../errors.ts';
import { FIRST_VERSION, versionOf } from './migrations.ts';
import { findFlaw, readSchema } from './sound.ts';
import { TABLES } from './tables.ts';

/**
 * Verifies, before any row is read, that joulediff made an open database, that it is complete, and that its size is plausible.
 * Throws InputError with the clause that is wrong, and SQLite's errors.
 */
export function verify(db: Database.Database, migrations: readonly string[]): void {
  const flaw = findFlaw(db, knownSchemas(migrations.slice(0, versionOf(db) - FIRST_VERSION)));
  if (flaw !== null) throw refusal(db, flaw);
  // SQLite does not evaluate CHECK constraints when it opens a file for reading.
  for (const { name, checks } of TABLES) {
    for (const check of checks) {
      const wrong = db.prepare(`SELECT 1 FROM ${name} WHERE NOT ${check} LIMIT 1`).get();
      if (wrong !== undefined)
        throw refusal(db, `a row of its table ${name} contradicts itself: ${check} does not hold`);
    }
  }
  const orphan = (db.pragma('foreign_key_check') as readonly { table: string; parent: string }[])[0];
  if (orphan !== undefined)
    throw refusal(db, `a row of its table ${orphan.table} belongs to a row of ${orphan.parent} that is not there`);
  const count = db.prepare<[], [number, number]>(
    'SELECT (SELECT count(*) FROM experiment), (SELECT count(*) FROM channel WHERE is_primary)',
  );
  const [experiments, primaries] = count.raw().get() as [number, number];
  if (experiments !== 1) throw refusal(db, `it holds ${experiments === 0 ? 'no experiment' : 'several experiments'}`);
  if (primaries !== 1) throw refusal(db, `it has ${primaries} primary channels`);
}

const refusal = (db: Database.Database, why: string): InputError =>
  new InputError(`${db.name} can't be used: ${why}.`, {
    advice: 'An experiment.db is read as joulediff wrote it; take a copy that nothing has changed.',
  });

/** All possible schemas of a supported file: as this version creates it, or as migrations led to it from FIRST_VERSION on. */
function knownSchemas(migrations: readonly string[]): string[] {
  const made = new Database(':memory:');
  try {
    for (const { ddl } of TABLES) made.exec(ddl);
    const first = readSchema(made);
    for (const sql of migrations) made.exec(sql);
    return [first, readSchema(made)];
  } finally {
    made.close();
  }
}
