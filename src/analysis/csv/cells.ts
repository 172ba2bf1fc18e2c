import type { Column, Columns } from './columns.ts';
import type { CsvRecord } from './records.ts';
import { lineError } from './records.ts';

/** The cells of one line, read as what they must be. Each throws InputError with the line for anything else. */
export interface Cells {
  readonly line: number;
  /** Null: no such column, or empty. An apostrophe that runs.csv sets before = + - @ (for spreadsheets) is taken off. */
  text(column: Column): string | null;
  /** A finite number in the C locale. */
  number(column: Column): number | null;
  whole(column: Column): number | null;
  time(column: Column): bigint | null;
  refuse(problem: string, advice?: string): never;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const LONGEST_TEXT = 500;

export function cellsOf({ line, cells }: CsvRecord, { places }: Columns, file: string): Cells {
  const refuse = (problem: string, advice?: string): never => {
    throw lineError(file, line, problem, advice ?? null);
  };
  const raw = (column: Column): string | null => {
    const place = places.get(column);
    const cell = place === undefined ? '' : (cells[place] ?? '').trim();
    return cell === '' ? null : cell;
  };
  const number = (column: Column): number | null => {
    const cell = raw(column);
    if (cell === null) return null;
    const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
    if (!Number.isFinite(value)) {
      const advice = cell.includes(',') ? 'The decimal sign is a point, and thousands have none.' : undefined;
      refuse(`${column} is ${quoted(cell)}, which is not a number`, advice);
    }
    return value;
  };
  return {
    line,
    refuse,
    number,
    text(column) {
      const cell = raw(column);
      if (cell !== null && cell.length > LONGEST_TEXT) {
        refuse(`${column} has ${cell.length} characters; ${LONGEST_TEXT} are the most`);
      }
      return cell?.replace(/^'(?=[=+\-@\t\r])/, '') ?? null;
    },
    whole(column) {
      const value = number(column);
      if (value !== null && !Number.isSafeInteger(value)) refuse(`${column} is ${value}, which is not a whole number`);
      return value;
    },
    time(column) {
      const cell = raw(column);
      if (cell === null) return null;
      if (!/^-?\d{1,19}$/.test(cell)) {
        refuse(`${column} is ${quoted(cell)}, which is not a whole number of nanoseconds`);
      }
      return BigInt(cell);
    },
  };
}

/** What stood in a cell, short enough for a sentence. */
export function quoted(cell: string): string {
  return `"${cell.length > 40 ? `${cell.slice(0, 40)}…` : cell}"`;
}
