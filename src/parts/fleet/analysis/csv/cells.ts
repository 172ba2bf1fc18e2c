import type { Column, Columns } from './columns.ts';
import { type CsvRecord, lineError } from './records.ts';

/** Reader of a line's cells by type. All methods throw InputError with the line for invalid values. */
export interface Cells {
  readonly line: number;
  /** Name of the column in the file. */
  nameOf(column: Column): string;
  /** Null: no such column, or empty. An apostrophe before = + - @, which runs.csv adds for spreadsheets, is removed. */
  text(column: Column): string | null;
  /** A finite number; energies in joules, whatever the file's unit. */
  number(column: Column): number | null;
  whole(column: Column): number | null;
  time(column: Column): bigint | null;
  refuse(problem: string, advice?: string): never;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const LONGEST_TEXT = 500;
/** Plausible range of nonzero amounts. 10²⁴ J is a thousand times the world's annual use; squares of larger values would overflow. */
const [MIN, MAX] = [1e-24, 1e24];

/** Notation of numbers in a file. */
export interface Notation {
  readonly file: string;
  /** Decimal sign; null: no number has one. */
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
 * Decimal sign of a file with semicolons: a comma if its numbers have commas. Throws InputError if commas and points both
 * occur, because one could then separate thousands.
 */
export function detectDecimalSign(
  records: readonly CsvRecord[],
  { places, energy }: Columns,
  file: string,
): ',' | '.' | null {
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

/** Ambiguous numbers such as `1.012` or `12,345,678`: decimals, or groups of thousands. */
const GROUPED = /^[-+]?[1-9]\d{0,2}(?:[.,]\d{3})+$/;
/** Minimum for a plain number next to `1.012` to show that the latter is 1012. */
const BELOW_THOUSAND = 100;

/**
 * Refuses numbers with ambiguous thousands separators: in a file with semicolons, columns whose cells all have a point and three digits;
 * in any file, columns with `1.012` next to `991`. Throws InputError with the line and the column.
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

/** Content of a cell, shortened for a sentence. */
export function quoted(cell: string): string {
  return `"${cell.length > 40 ? `${cell.slice(0, 40)}…` : cell}"`;
}
