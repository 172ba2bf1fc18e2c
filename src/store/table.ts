import Database from 'better-sqlite3';
import type { z } from 'zod';
import { InputError, messageOf } from '../errors.ts';
import type { WriteLimits } from './sound.ts';

/** A value as SQLite gives it; integers come as bigint, so that none is rounded. */
type Stored = string | number | bigint | null;

/** Type of a column: its SQL, and the conversion of values in both directions. */
export interface Column<T> {
  /** SQL type and constraints for a column of this name. */
  readonly sql: (name: string) => string;
  readonly encode: (value: T) => Stored;
  /** Converts a stored value. Throws an Error with a clause if it is not valid. */
  readonly decode: (stored: Stored) => T;
}

type AnyColumn = Pick<Column<never>, 'sql' | 'encode'> & { readonly decode: (stored: Stored) => unknown };
export type Columns = Readonly<Record<string, AnyColumn>>;

export type Row<C extends Columns> = { readonly [K in keyof C]: ReturnType<C[K]['decode']> };

/** Description of a table, from which it is created, written and read. Keys are in camelCase, columns in snake_case. */
export interface Table<C extends Columns> {
  readonly name: string;
  readonly columns: C;
  readonly ddl: string;
  /** SQL conditions that every row must meet. */
  readonly checks: readonly string[];
  /** Columns that sort the rows when they are read. */
  readonly order: string;
}

export const text: Column<string> = {
  sql: () => 'TEXT NOT NULL',
  encode: (value) => value,
  decode: String,
};

/** Plausible range of a reading other than 0: powers of numbers beyond it overflow or vanish. A CSV of runs has the same bounds. */
const [SMALLEST, LARGEST] = [1e-24, 1e24];

/** Whether a number is plausible as a reading of a machine. */
export function isReading(value: number): boolean {
  return value === 0 || (Math.abs(value) >= SMALLEST && Math.abs(value) <= LARGEST);
}

export const real: Column<number> = {
  sql: () => 'REAL NOT NULL',
  encode: (value) => value,
  decode: (stored) => {
    if (!Number.isFinite(stored)) throw new Error('is no finite number');
    if (Math.abs(Number(stored)) > LARGEST) throw new Error('is too large for any machine');
    return Number(stored);
  },
};

export const integer: Column<number> = {
  sql: () => 'INTEGER NOT NULL',
  encode: (value) => value,
  decode: (stored) => {
    if (!Number.isSafeInteger(Number(stored))) throw new Error('is an integer out of range');
    return Number(stored);
  },
};

/** Maximum of a nanosecond clock that starts at boot: more than a century. */
const LATEST_NS = 2n ** 62n;

/** Nanoseconds as bigint, since a double can't hold all of them exactly. */
export const timeNs: Column<bigint> = {
  sql: () => 'INTEGER NOT NULL',
  encode: (value) => value,
  decode: (stored) => {
    const value = BigInt(stored ?? 0);
    if (value < 0n || value > LATEST_NS) throw new Error('is no time of a monotonic clock');
    return value;
  },
};

export const flag: Column<boolean> = {
  sql: (name) => `INTEGER NOT NULL CHECK (${name} IN (0, 1))`,
  encode: Number,
  decode: (stored) => {
    if (stored !== 0n && stored !== 1n) throw new Error('is neither 0 nor 1');
    return stored === 1n;
  },
};

export function oneOf<const T extends string>(values: readonly T[]): Column<T> {
  return {
    sql: (name) => `TEXT NOT NULL CHECK (${name} IN (${values.map((value) => `'${value}'`).join(', ')}))`,
    encode: (value) => value,
    decode: (stored) => {
      const known = values.find((value) => value === stored);
      if (known === undefined) throw new Error(`is none of ${values.join(', ')}`);
      return known;
    },
  };
}

/** JSON that is validated against a schema, since a file may be made up. `isReadBack`: before it is written, too, which takes time. */
export function json<T>(schema: z.ZodType<T>, { isReadBack = false } = {}): Column<T> {
  const decode = (stored: Stored): T => {
    const read = schema.safeParse(parsed(String(stored)));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw new Error(`does not hold what it should: ${issue?.path.join('.') || 'all of it'}: ${issue?.message}`);
  };
  const encode = (value: T): string => {
    const stored = JSON.stringify(value);
    if (isReadBack) decode(stored);
    return stored;
  };
  return { sql: () => 'TEXT NOT NULL', encode, decode };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the text.
    throw new Error('is no JSON');
  }
}

export function nullable<T>({ sql, encode, decode }: Column<T>): Column<T | null> {
  return {
    sql: (name) => sql(name).replace(' NOT NULL', ''),
    encode: (value) => (value === null ? null : encode(value)),
    decode: (stored) => (stored === null ? null : decode(stored)),
  };
}

const sqlName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface TableOptions<C extends Columns> {
  readonly key?: readonly (keyof C & string)[];
  /** SQL. */
  readonly constraints?: readonly string[];
}

/** A table with a primary key, which is also the order of its rows; without one, rows keep the order in which they were written. */
export function table<C extends Columns>(
  name: string,
  columns: C,
  { key = [], constraints = [] }: TableOptions<C>,
): Table<C> {
  const lines = Object.entries(columns).map(([one, column]) => `${sqlName(one)} ${column.sql(sqlName(one))}`);
  const keyNames = key.map(sqlName).join(', ');
  if (key.length > 0) lines.push(`PRIMARY KEY (${keyNames})`);
  // A key of several columns becomes the row's storage order (WITHOUT ROWID), with no extra index.
  const options = key.length > 1 ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  const ddl = `CREATE TABLE ${name} (\n  ${[...lines, ...constraints].join(',\n  ')}\n) ${options};`;
  const checks = constraints.flatMap((constraint) => /^CHECK (.*)$/s.exec(constraint)?.[1] ?? []);
  return { name, columns, ddl, checks, order: keyNames || 'rowid' };
}

/** A table about runs: the number of the run is its first column, and the first part of its key. */
export function ofRun<C extends Columns>(
  name: string,
  columns: C,
  { key = [], constraints = [] }: TableOptions<C> = {},
) {
  const foreign = 'FOREIGN KEY (run) REFERENCES run(run)';
  return table(name, { run: integer, ...columns }, { key: ['run', ...key], constraints: [foreign, ...constraints] });
}

/** Writes one row. Throws MeasureError where the table has no room for it. */
export function inserter<C extends Columns>(
  db: Database.Database,
  { name, columns }: Table<C>,
  room?: WriteLimits,
): (row: Row<C>) => void {
  const keys = Object.keys(columns);
  const statement = db.prepare(
    `INSERT INTO ${name} (${keys.map(sqlName).join(', ')}) VALUES (${keys.map((key) => `@${key}`).join(', ')})`,
  );
  return (row) => {
    const values = Object.fromEntries(keys.map((key) => [key, columns[key]?.encode(row[key] as never)]));
    room?.take(name, Object.values(values));
    statement.run(values);
  };
}

/** All rows in order. Throws InputError if a value is not one that joulediff writes. */
export function selectAll<C extends Columns>(db: Database.Database, { name, columns, order }: Table<C>): Row<C>[] {
  const keys = Object.keys(columns);
  const wanted = keys.map((key) => `${sqlName(key)} AS ${key}`).join(', ');
  const decode = (row: Record<string, Stored>, i: number) => {
    const value = (key: string): unknown => {
      try {
        return columns[key]?.decode(row[key] ?? null);
      } catch (cause) {
        const place = `${sqlName(key)} in row ${i + 1} of its table ${name}`;
        throw new InputError(`${db.name} is damaged or made up: ${place} ${messageOf(cause)}.`, { cause });
      }
    };
    return Object.fromEntries(keys.map((key) => [key, value(key)]));
  };
  return reading(db, () => {
    const rows = db.prepare<[], Record<string, Stored>>(`SELECT ${wanted} FROM ${name} ORDER BY ${order}`);
    return rows.safeIntegers().all().map(decode) as Row<C>[];
  });
}

/** Calls `read`, and converts SQLite's errors to InputError about the file. */
export function reading<T>(db: Database.Database, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    throw new InputError(`${db.name} can't be read: ${cause.message}.`, { cause });
  }
}
