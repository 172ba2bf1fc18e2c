import Database from 'better-sqlite3';
import { InputError } from '../errors.ts';
import { plain } from '../text/plain.ts';
import { FIRST_VERSION, versionOf } from './migrations.ts';
import { TABLES } from './tables.ts';

/** What no experiment exceeds; whoever brings more wants something else. */
export const MOST = {
  /** Of the whole file, bytes: some months of readings. */
  bytes: 4 * 2 ** 30,
  rows: 1_000_000,
  samples: 50_000_000,
  /** One text, bytes: a record of 26 variants whose commands are as long as the system allows. */
  text: 16 * 2 ** 20,
  /** All texts of a table, bytes. */
  texts: 128 * 2 ** 20,
};

/**
 * Makes sure that an open database is one that joulediff made, whole, and of a size that it could have; nothing of it is read before.
 * Throws InputError with the clause that is wrong, and what SQLite throws.
 */
export function verify(db: Database.Database, migrations: readonly string[]): void {
  // A view in the place of a table could run for ever; a trigger could write.
  if (!knownSchemas(migrations.slice(0, versionOf(db) - FIRST_VERSION)).includes(schemaOf(db))) {
    throw refusal(db, 'its tables are not those that joulediff makes');
  }
  for (const name of tablesOf(db)) checkSize(db, name);
  const damage = db.pragma('quick_check(1)', { simple: true });
  if (damage !== 'ok') throw refusal(db, `SQLite finds it damaged (${plain(String(damage), 200)})`);
  // SQLite itself looks at no check of a database that is opened for reading.
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

/** The schemas of a file of some version: as this version makes it, or as migrations led there from the first. */
function knownSchemas(migrations: readonly string[]): string[] {
  const made = new Database(':memory:');
  try {
    for (const { ddl } of TABLES) made.exec(ddl);
    const first = schemaOf(made);
    for (const sql of migrations) made.exec(sql);
    return [first, schemaOf(made)];
  } finally {
    made.close();
  }
}

/** More objects, or longer ones, than any version has are not read. */
const MOST_OBJECTS = 200;
const MOST_SQL = 200_000;

/** Everything that a database defines, as text. */
function schemaOf(db: Database.Database): string {
  const size = db.prepare<[], [number, number]>(
    'SELECT count(*), coalesce(sum(octet_length(sql)), 0) FROM sqlite_schema',
  );
  const [objects, bytes] = size.raw().get() as [number, number];
  if (objects > MOST_OBJECTS || bytes > MOST_SQL) return '';
  const rows = db.prepare<[], unknown[]>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name');
  return JSON.stringify(rows.raw().all());
}

function tablesOf(db: Database.Database): string[] {
  return db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
}

/** Lengths stand in the head of a row: no text is read for them. */
function checkSize(db: Database.Database, table: string): void {
  const columns = db
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'")
    .pluck()
    .all(table);
  const most = (of: string) => columns.map((column) => `coalesce(${of}(octet_length(${column})), 0)`);
  const longest = columns.length < 2 ? (most('max')[0] ?? '0') : `max(${most('max').join(', ')})`;
  const sizes = db.prepare<[], [number, number, number]>(
    `SELECT count(*), ${longest}, ${most('sum').join(' + ') || '0'} FROM ${table}`,
  );
  const [rows, text, texts] = sizes.raw().get() as [number, number, number];
  const mostRows = table === 'sample' ? MOST.samples : MOST.rows;
  if (rows > mostRows) throw refusal(db, `its table ${table} has ${rows} rows, and ${mostRows} are the most`);
  if (text > MOST.text)
    throw refusal(db, `a text in its table ${table} has ${text} bytes, and ${MOST.text} are the most`);
  if (texts > MOST.texts)
    throw refusal(db, `the texts of its table ${table} have ${texts} bytes, and ${MOST.texts} are the most`);
}
