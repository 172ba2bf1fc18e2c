import type Database from 'better-sqlite3';

/** A value as SQLite gives it; integers come as bigint, so that none is rounded. */
type Stored = string | number | bigint | null;

/** What a column holds, and the way of a value in and out. */
export interface Column<T> {
  /** Type and constraints of the column with this name. */
  readonly sql: (name: string) => string;
  readonly encode: (value: T) => Stored;
  readonly decode: (stored: Stored) => T;
}

type AnyColumn = Pick<Column<never>, 'sql' | 'encode'> & { readonly decode: (stored: Stored) => unknown };
type Columns = Readonly<Record<string, AnyColumn>>;

export type Row<C extends Columns> = { readonly [K in keyof C]: ReturnType<C[K]['decode']> };

/** One description, from which the table is made, written and read. Keys are in camelCase, columns in snake_case. */
export interface Table<C extends Columns> {
  readonly name: string;
  readonly columns: C;
  readonly ddl: string;
  /** Columns that rows are read in the order of. */
  readonly order: string;
}

export const text: Column<string> = {
  sql: () => 'TEXT NOT NULL',
  encode: (value) => value,
  decode: String,
};

export const real: Column<number> = {
  sql: () => 'REAL NOT NULL',
  encode: (value) => value,
  decode: Number,
};

export const integer: Column<number> = {
  sql: () => 'INTEGER NOT NULL',
  encode: (value) => value,
  decode: Number,
};

/** Nanoseconds; more than a double holds exactly. */
export const timeNs: Column<bigint> = {
  sql: () => 'INTEGER NOT NULL',
  encode: (value) => value,
  decode: (stored) => BigInt(stored ?? 0),
};

export const flag: Column<boolean> = {
  sql: (name) => `INTEGER NOT NULL CHECK (${name} IN (0, 1))`,
  encode: Number,
  decode: Boolean,
};

export function oneOf<const T extends string>(values: readonly T[]): Column<T> {
  return {
    sql: (name) => `TEXT NOT NULL CHECK (${name} IN (${values.map((value) => `'${value}'`).join(', ')}))`,
    encode: (value) => value,
    decode: (stored) => {
      const known = values.find((value) => value === stored);
      if (known === undefined) throw new Error(`${stored} is none of ${values.join(', ')}`);
      return known;
    },
  };
}

/** JSON of a type that only this program writes. */
export function json<T>(): Column<T> {
  return {
    sql: () => 'TEXT NOT NULL',
    encode: (value) => JSON.stringify(value),
    decode: (stored) => JSON.parse(String(stored)),
  };
}

export function nullable<T>({ sql, encode, decode }: Column<T>): Column<T | null> {
  return {
    sql: (name) => sql(name).replace(' NOT NULL', ''),
    encode: (value) => (value === null ? null : encode(value)),
    decode: (stored) => (stored === null ? null : decode(stored)),
  };
}

const sqlName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A table with a primary key, which is also the order of its rows; without one, rows keep the order in which they were written. `constraints` are SQL. */
export function table<C extends Columns>(
  name: string,
  columns: C,
  { key = [], constraints = [] }: { key?: readonly (keyof C & string)[]; constraints?: readonly string[] },
): Table<C> {
  const lines = Object.entries(columns).map(([one, column]) => `${sqlName(one)} ${column.sql(sqlName(one))}`);
  const keyNames = key.map(sqlName).join(', ');
  if (key.length > 0) lines.push(`PRIMARY KEY (${keyNames})`);
  // A key of several columns is the place of a row, not an index beside it.
  const options = key.length > 1 ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  const ddl = `CREATE TABLE ${name} (\n  ${[...lines, ...constraints].join(',\n  ')}\n) ${options};`;
  return { name, columns, ddl, order: keyNames || 'rowid' };
}

/** Writes one row. */
export function inserter<C extends Columns>(db: Database.Database, { name, columns }: Table<C>): (row: Row<C>) => void {
  const keys = Object.keys(columns);
  const statement = db.prepare(
    `INSERT INTO ${name} (${keys.map(sqlName).join(', ')}) VALUES (${keys.map((key) => `@${key}`).join(', ')})`,
  );
  return (row) => {
    statement.run(Object.fromEntries(keys.map((key) => [key, columns[key]?.encode(row[key] as never)])));
  };
}

/** All rows, in their order. */
export function selectAll<C extends Columns>(db: Database.Database, { name, columns, order }: Table<C>): Row<C>[] {
  const keys = Object.keys(columns);
  const wanted = keys.map((key) => `${sqlName(key)} AS ${key}`).join(', ');
  const rows = db.prepare<[], Record<string, Stored>>(`SELECT ${wanted} FROM ${name} ORDER BY ${order}`);
  const decode = (row: Record<string, Stored>) =>
    Object.fromEntries(keys.map((key) => [key, columns[key]?.decode(row[key] ?? null)]));
  return rows.safeIntegers().all().map(decode) as Row<C>[];
}
