import { distance } from 'fastest-levenshtein';
import { type CsvRecord, lineError } from './records.ts';

/** Columns that are read where they are there: those of runs.csv, the first two always needed. */
export const COLUMNS = [
  'variant',
  'energy_j',
  'duration_s',
  'block',
  'status',
  'reason',
  'channel',
  'run',
  'position',
  'revision',
  'start_ns',
  'end_ns',
  'net_energy_j',
  'mean_power_w',
  'idle_power_w',
  'samples',
  'executions',
  'governor',
  'temperature_c',
  'load',
] as const;

export type Column = (typeof COLUMNS)[number];

export interface Columns {
  /** Place of each known column that the file has. */
  readonly places: ReadonlyMap<Column, number>;
  /** Names of the others: they are not read. */
  readonly unread: readonly string[];
}

/** The header's columns. Throws InputError where `variant` or `energy_j` is missing, or a column that is read stands there twice. */
export function readHeader({ line, cells }: CsvRecord, file: string): Columns {
  const names = cells.map((cell) => cell.trim());
  const places = new Map<Column, number>();
  const unread: string[] = [];
  names.forEach((name, place) => {
    const column = COLUMNS.find((known) => known === name);
    if (column === undefined) unread.push(name);
    else if (places.has(column)) throw lineError(file, line, `the column ${column} stands there twice`);
    else places.set(column, place);
  });
  for (const needed of ['variant', 'energy_j'] as const) {
    if (places.has(needed)) continue;
    const shown = names.slice(0, 20).join(', ').slice(0, 200);
    throw lineError(file, line, `there is no column ${needed}; the columns are: ${shown}`, adviceFor(needed, names));
  }
  return { places, unread };
}

function adviceFor(needed: Column, names: readonly string[]): string {
  if (names.length === 1 && /[;\t]/.test(names[0] ?? '')) return 'Columns are separated by commas.';
  const near = names.filter((name) => distance(name.toLowerCase(), needed) <= 3)[0];
  return near === undefined
    ? 'The first line names the columns; variant and energy_j are needed.'
    : `Rename "${near}" to ${needed}, if it is that.`;
}
