import type { Column, Columns } from './columns.ts';
import { type CsvRecord, lineError } from './records.ts';

/** The cells of one line, read as what they must be. Each throws InputError with the line for anything else. */
export interface Cells {
  readonly line: number;
  /** As the file has it. */
  nameOf(column: Column): string;
  /** Null: no such column, or empty. An apostrophe that runs.csv sets before = + - @ (for spreadsheets) is taken off. */
  text(column: Column): string | null;
  /** A finite number; energies in joules, whatever the file's unit. */
  number(column: Column): number | null;
  whole(column: Column): number | null;
  time(column: Column): bigint | null;
  refuse(problem: string, advice?: string): never;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const LONGEST_TEXT = 500;
/** Limits of every amount but zero. 10²⁴ J is a thousand times what the world uses in a year: beyond it is a mistake, and squares would overflow. */
const [MIN, MAX] = [1e-24, 1e24];

/** How the numbers of a file are written. */
export interface Notation {
  readonly file: string;
  /** The sign before decimals; null: none has any. */
  readonly decimal: '.' | ',' | null;
}

export function cellsOf({ line, cells }: CsvRecord, { places, energy }: Columns, { file, decimal }: Notation): Cells {
  const nameOf = (column: Column): string => (column === 'energy_j' && energy !== null ? energy.column : column);
  const refuse = (problem: string, advice?: string): never => {
    throw lineError(file, line, problem, advice);
  };
  const raw = (column: Column): string | null => {
    const place = places.get(column);
    const cell = place === undefined ? '' : (cells[place] ?? '').trim();
    return cell === '' ? null : cell;
  };
  const number = (column: Column): number | null => {
    const cell = raw(column);
    if (cell === null) return null;
    const plain = decimal === ',' ? cell.replace(',', '.') : cell;
    const value = NUMBER.test(plain) ? Number(plain) : Number.NaN;
    if (!Number.isFinite(value)) {
      const sign = decimal === ',' ? 'comma' : 'point';
      const advice = /[.,]/.test(cell) ? `The decimal sign is a ${sign}, and thousands have none.` : undefined;
      refuse(`${nameOf(column)} is ${quoted(cell)}, which is not a number`, advice);
    }
    if (value !== 0 && !(Math.abs(value) >= MIN && Math.abs(value) <= MAX)) {
      refuse(
        `${nameOf(column)} is ${quoted(cell)}, which is too ${Math.abs(value) > 1 ? 'large' : 'small'} for any run`,
      );
    }
    return column === 'energy_j' && energy !== null ? value * energy.joules : value;
  };
  return {
    line,
    nameOf,
    refuse,
    number,
    text(column) {
      const cell = raw(column);
      if (cell !== null && cell.length > LONGEST_TEXT) {
        refuse(`${column} has ${cell.length} characters; at most ${LONGEST_TEXT} are allowed`);
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

/** Columns that hold numbers which may have decimals. */
const DECIMALS: readonly Column[] = [
  'energy_j',
  'duration_s',
  'net_energy_j',
  'mean_power_w',
  'idle_power_w',
  'temperature_c',
  'load',
];

/**
 * The decimal sign of a file with semicolons: a comma where its numbers have commas. Throws InputError where some have commas and others
 * points, because one of both could then stand for thousands.
 */
export function decimalOf(records: readonly CsvRecord[], { places, energy }: Columns, file: string): ',' | '.' | null {
  let before: { sign: string; cell: string; line: number } | null = null;
  for (const { line, cells } of records) {
    for (const column of DECIMALS) {
      const place = places.get(column);
      const cell = place === undefined ? '' : (cells[place] ?? '').trim();
      const [sign] = /^[-+\d.,e]+$/i.test(cell) ? (/[.,]/.exec(cell) ?? []) : [];
      if (sign === undefined) continue;
      if (before !== null && before.sign !== sign) {
        const name = column === 'energy_j' && energy !== null ? energy.column : column;
        const problem = `${name} is ${quoted(cell)}, and line ${before.line} has ${quoted(before.cell)}`;
        throw lineError(file, line, problem, 'Use the same decimal sign in all numbers, and none for thousands.');
      }
      before ??= { sign, cell, line };
    }
  }
  return (before?.sign ?? null) as ',' | '.' | null;
}

/** `1.012` or `12,345,678`: what may be decimals, or groups of thousands. */
const GROUPED = /^[-+]?[1-9]\d{0,2}(?:[.,]\d{3})+$/;
/** From here on, a number without a sign beside `1.012` is another thousand of it. */
const BELOW_THOUSAND = 100;

/**
 * Refuses numbers whose sign may stand for thousands. In a file with semicolons that is a point with three digits behind it in all cells of a
 * column. In any file it is a column where `1.012` stands beside `991`. Throws InputError with the line and the column.
 */
export function refuseThousands(
  records: readonly CsvRecord[],
  { places, energy }: Columns,
  { file, decimal, semicolons }: Notation & { readonly semicolons: boolean },
): void {
  for (const column of DECIMALS) {
    const place = places.get(column);
    if (place === undefined) continue;
    const cells = records.map(({ line, cells: all }) => ({ line, cell: (all[place] ?? '').trim() }));
    const signed = cells.filter(({ cell }) => /[.,]/.test(cell));
    const [first] = signed;
    if (first === undefined || !signed.every(({ cell }) => GROUPED.test(cell))) continue;
    const whole = cells.find(({ cell }) => /^[-+]?\d+$/.test(cell) && Math.abs(Number(cell)) >= BELOW_THOUSAND);
    if (whole === undefined && !(semicolons && decimal === '.')) continue;
    const name = column === 'energy_j' && energy !== null ? energy.column : column;
    const beside = whole === undefined ? '' : `, and line ${whole.line} has ${quoted(whole.cell)}`;
    throw lineError(
      file,
      first.line,
      `${name} is ${quoted(first.cell)}${beside}: its sign may stand for decimals or for thousands`,
      `Write numbers without a thousands separator. If it is the decimal sign, write another number of decimals: ${first.cell}0.`,
    );
  }
}

/** What stood in a cell, short enough for a sentence. */
export function quoted(cell: string): string {
  return `"${cell.length > 40 ? `${cell.slice(0, 40)}…` : cell}"`;
}
