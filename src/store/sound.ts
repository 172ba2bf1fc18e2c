import type Database from 'better-sqlite3';
import { plain } from '../text/plain.ts';

/** What no experiment exceeds; whoever brings more wants something else. */
export const MOST = {
  /** Bytes of the whole file: some months of readings. */
  bytes: 4 * 2 ** 30,
  rows: 1_000_000,
  samples: 50_000_000,
  /** One text, bytes: a record of 26 variants whose commands are as long as the system allows. */
  text: 16 * 2 ** 20,
  /** All texts of a table, bytes. */
  texts: 128 * 2 ** 20,
};

/** Those that time goes by in. */
const LONG_TABLES: ReadonlySet<string> = new Set([
  'sample',
  'told',
  'phase_mark',
  'observed_sample',
  'observed_count',
  'observed_mark',
]);

/**
 * What keeps an open database from being one of these schemas, whole, and of a size that it could have, as a clause; null: nothing. No row of it
 * is read before. Throws what SQLite throws.
 */
export function flawOf(db: Database.Database, schemas: readonly string[]): string | null {
  // A view in the place of a table could run for ever; a trigger could write.
  if (!schemas.includes(schemaOf(db))) return 'its tables are not those that joulediff makes';
  for (const table of tablesOf(db)) {
    const clause = excess(db, table);
    if (clause !== null) return clause;
  }
  const damage = db.pragma('quick_check(1)', { simple: true });
  return damage === 'ok' ? null : `SQLite finds it damaged (${plain(String(damage), 200)})`;
}

/** More objects, or longer ones, than any version has are not read. */
const MOST_OBJECTS = 200;
const MOST_SQL = 200_000;

/** Everything that a database defines, as text. */
export function schemaOf(db: Database.Database): string {
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
function excess(db: Database.Database, table: string): string | null {
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
  const mostRows = LONG_TABLES.has(table) ? MOST.samples : MOST.rows;
  if (rows > mostRows) return `its table ${table} has ${rows} rows; at most ${mostRows} are allowed`;
  if (text > MOST.text) return `a text in its table ${table} has ${text} bytes; at most ${MOST.text} are allowed`;
  return texts > MOST.texts
    ? `the texts of its table ${table} have ${texts} bytes; at most ${MOST.texts} are allowed`
    : null;
}
