// Class: unit.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { FIRST_VERSION, MIGRATIONS, migrate, versionAfter, versionOf } from '../../src/store/migrations.ts';
import { TABLES } from '../../src/store/tables.ts';

const FIRST = readFileSync(new URL('first-version.sql', import.meta.url), 'utf8');

/** Name, type, nullability and place in the key of every column; their order makes no difference. */
const columns = (db: Database.Database) =>
  db
    .prepare(
      `SELECT t.name || '.' || c.name AS name, c.type, c."notnull", c.pk FROM pragma_table_list t, pragma_table_xinfo(t.name) c
       WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite%' ORDER BY 1`,
    )
    .all();

// Where this fails, the tables were changed without a migration that brings files of before there.
it('the migrations lead from the first version to the tables of this one', () => {
  const old = new Database(':memory:');
  old.exec(FIRST);
  old.pragma(`user_version = ${FIRST_VERSION}`);
  migrate(old, MIGRATIONS);
  const made = new Database(':memory:');
  for (const { ddl } of TABLES) made.exec(ddl);
  expect(columns(old)).toEqual(columns(made));
  expect(columns(made)).toContainEqual({ name: 'run.cause', type: 'TEXT', notnull: 0, pk: 0 });
  expect(versionOf(old)).toBe(versionAfter(MIGRATIONS));
});
