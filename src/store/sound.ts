import type Database from 'better-sqlite3';
import { MeasureError } from '../errors.ts';
import { plain } from '../text/plain.ts';

/** Limits that no real experiment exceeds, against made-up files. The writer and the reader both enforce them. */
export const LIMITS = {
  /** Bytes of the whole file: enough for several months of readings. */
  bytes: 4 * 2 ** 30,
  rows: 1_000_000,
  samples: 50_000_000,
  /** Bytes of one text: enough for 26 variants whose commands are as long as the system allows. */
  text: 16 * 2 ** 20,
  /** Bytes of all texts of a table. */
  texts: 128 * 2 ** 20,
};

/** Tables that grow with the duration of the measurement. */
const LONG_TABLES: ReadonlySet<string> = new Set([
  'sample',
  'told',
  'phase_mark',
  'processor_time',
  'observed_sample',
  'observed_count',
  'observed_mark',
]);

/**
 * Why an open database can't be a complete one of these schemas and of a plausible size, as a clause; null: it can. It is called before any
 * row is read. Throws SQLite's errors.
 */
export function findFlaw(db: Database.Database, schemas: readonly string[]): string | null {
  // A view in place of a table could run for ever; a trigger could write.
  if (!schemas.includes(readSchema(db))) return 'its tables are not those that joulediff makes';
  for (const table of listTables(db)) {
    const clause = excess(table, sizeOf(db, table));
    if (clause !== null) return clause;
  }
  const damage = db.pragma('quick_check(1)', { simple: true });
  return damage === 'ok' ? null : `SQLite finds it damaged (${plain(String(damage), 200)})`;
}

/** Maximum number of schema objects that are read: no version has more. */
const MAX_OBJECTS = 200;
const MAX_SQL = 200_000;

/** The whole schema of a database, as text. */
export function readSchema(db: Database.Database): string {
  const size = db.prepare<[], [number, number]>(
    'SELECT count(*), coalesce(sum(octet_length(sql)), 0) FROM sqlite_schema',
  );
  const [objects, bytes] = size.raw().get() as [number, number];
  if (objects > MAX_OBJECTS || bytes > MAX_SQL) return '';
  const rows = db.prepare<[], unknown[]>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name');
  return JSON.stringify(rows.raw().all());
}

function listTables(db: Database.Database): string[] {
  return db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
}

/** Enforces the limits of reading while writing, so that a database made here can always be opened again. */
export class WriteLimits {
  readonly #db: Database.Database;
  readonly #sizes = new Map<string, Size>();

  constructor(db: Database.Database) {
    this.#db = db;
    db.pragma(`max_page_count = ${Math.floor(LIMITS.bytes / Number(db.pragma('page_size', { simple: true })))}`);
  }

  /** Counts a row that is about to be written. Throws MeasureError where the table has no room for it. */
  take(table: string, values: readonly unknown[]): void {
    const size = this.#sizeOf(table);
    const bytes = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
    const texts = bytes.reduce((sum, one) => sum + one, size.texts);
    const after = { rows: size.rows + 1, text: Math.max(size.text, ...bytes), texts };
    const clause = excess(table, after);
    if (clause === null) {
      this.#sizes.set(table, after);
      return;
    }
    throw new MeasureError(`The database ${this.#db.name} can't hold more of this experiment: ${clause}.`, {
      advice: 'What was written before is kept and can be analyzed.',
    });
  }

  /** Whether a table has room for more rows, with texts of this many bytes. */
  has(table: string, rows: number, texts: number): boolean {
    const size = this.#sizeOf(table);
    return excess(table, { rows: size.rows + rows, text: size.text, texts: size.texts + texts }) === null;
  }

  #sizeOf(table: string): Size {
    const known = this.#sizes.get(table);
    if (known !== undefined) return known;
    const size = sizeOf(this.#db, table);
    this.#sizes.set(table, size);
    return size;
  }
}

/** Size of a table. `text`: bytes of its longest text; `texts`: bytes of all of them. */
interface Size {
  readonly rows: number;
  readonly text: number;
  readonly texts: number;
}

/** SQLite stores lengths in the head of a row, so no text is read for them. */
function sizeOf(db: Database.Database, table: string): Size {
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
  return { rows, text, texts };
}

/** Which limit a table exceeds, as a clause; null: none. */
function excess(table: string, { rows, text, texts }: Size): string | null {
  const mostRows = LONG_TABLES.has(table) ? LIMITS.samples : LIMITS.rows;
  if (rows > mostRows) return `its table ${table} has ${rows} rows; at most ${mostRows} are allowed`;
  if (text > LIMITS.text) return `a text in its table ${table} has ${text} bytes; at most ${LIMITS.text} are allowed`;
  return texts > LIMITS.texts
    ? `the texts of its table ${table} have ${texts} bytes; at most ${LIMITS.texts} are allowed`
    : null;
}
