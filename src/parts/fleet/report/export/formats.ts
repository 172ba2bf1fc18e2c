import { type BasicType, ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { csvText, type Field } from '../../../../report/csv.ts';
import { VERSION } from '../../../../version.ts';
import type { ColumnType, Rows, TableShape } from './tables.ts';

/** A table as the parts of a file: no more than some thousand rows are held. */
type WriteTable = (table: TableShape, rows: Iterable<Rows>) => Iterable<string | Uint8Array>;

/** Each by its name, which is the ending of its files. */
export const TABLE_FORMATS: Readonly<Record<'csv' | 'jsonl' | 'parquet', WriteTable>> = {
  csv: csvParts,
  jsonl: jsonParts,
  parquet: parquetParts,
};

export type TableFormat = keyof typeof TABLE_FORMATS;

function* csvParts({ columns }: TableShape, all: Iterable<Rows>): Generator<string> {
  yield csvText([columns.map(({ name }) => name)]);
  for (const rows of all) if (rows.length > 0) yield csvText(rows);
}

/** An object a line; what is not known is null. Nanoseconds are written in full, beyond what a double holds. */
function* jsonParts({ columns }: TableShape, all: Iterable<Rows>): Generator<string> {
  const keys = columns.map(({ name }) => JSON.stringify(name));
  for (const rows of all) {
    yield rows.map((row) => `{${keys.map((key, i) => `${key}:${jsonOf(row[i])}`).join(',')}}\n`).join('');
  }
}

const jsonOf = (field: Field): string => (typeof field === 'bigint' ? String(field) : JSON.stringify(finite(field)));

const finite = (field: Field): Field => (typeof field === 'number' && !Number.isFinite(field) ? null : (field ?? null));

const PARQUET: Readonly<Record<ColumnType, BasicType>> = {
  text: 'STRING',
  number: 'DOUBLE',
  integer: 'INT32',
  nanoseconds: 'INT64',
  boolean: 'BOOLEAN',
};

/** Rows of a group: readers take groups at a time. */
const GROUP = 50_000;

function* parquetParts({ columns }: TableShape, all: Iterable<Rows>): Generator<Uint8Array> {
  const file = new ByteWriter();
  const sources = (rows: Rows): ColumnSource[] =>
    columns.map(({ name, type }, i) => ({
      name,
      type: PARQUET[type],
      data: rows.map((row) => toParquetValue(row[i], type)),
    }));
  const writer = new ParquetWriter({
    writer: file,
    schema: schemaFromColumnData({ columnData: sources([]) }),
    createdBy: `joulediff version ${VERSION}`,
  });
  /** What is written leaves the buffer; where it lies in the file is counted by itself. */
  const written = (): Uint8Array => {
    const bytes = new Uint8Array(file.buffer.slice(0, file.index));
    file.index = 0;
    return bytes;
  };
  let waiting: (readonly Field[])[] = [];
  for (const rows of all) {
    for (const row of rows) waiting.push(row);
    if (waiting.length < GROUP) continue;
    writer.write({ columnData: sources(waiting), rowGroupSize: waiting.length });
    waiting = [];
    yield written();
  }
  if (waiting.length > 0) writer.write({ columnData: sources(waiting), rowGroupSize: waiting.length });
  writer.finish();
  yield written();
}

function toParquetValue(field: Field, type: ColumnType): Field {
  const value = finite(field);
  return type === 'nanoseconds' && typeof value === 'number' ? BigInt(value) : value;
}
