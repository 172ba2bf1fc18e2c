import { distance } from 'fastest-levenshtein';
import { EMULATED } from '../../../../findings/emulated.ts';
import { type CsvRecord, lineError } from './records.ts';

/** Known columns, those of runs.csv; the first two are required. */
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
  'source',
  EMULATED,
] as const;

export type Column = (typeof COLUMNS)[number];

/** Columns that only joulediff's runs.csv has. */
const OWN = ['position', 'start_ns', 'end_ns', 'net_energy_j', 'mean_power_w', 'idle_power_w'] as const;
/** Columns that are read only beside these: another program's may mean something else. */
const ONLY_IN_OWN: ReadonlySet<string> = new Set(['source', EMULATED]);

/** Joules per unit of an energy column's name. Case distinguishes milli from mega. */
const ENERGY_UNITS: Readonly<Record<string, number>> = {
  energy_j: 1,
  energy_J: 1,
  energy_uj: 1e-6,
  energy_uJ: 1e-6,
  energy_mJ: 1e-3,
  energy_kj: 1e3,
  energy_kJ: 1e3,
  energy_MJ: 1e6,
  energy_mWh: 3.6,
  energy_wh: 3600,
  energy_Wh: 3600,
  energy_kwh: 3.6e6,
  energy_kWh: 3.6e6,
  energy_MWh: 3.6e9,
};

/** A column of energies in another unit than joules. */
export interface EnergyUnit {
  /** Name of the column in the file. */
  readonly column: string;
  readonly joules: number;
}

export interface Columns {
  /** Index of each known column in the file. */
  readonly places: ReadonlyMap<Column, number>;
  /** Whether the columns are those of joulediff’s own runs.csv. */
  readonly own: boolean;
  /** Null: the energies are in joules, in the column energy_j. */
  readonly energy: EnergyUnit | null;
  /** Names of other columns, which are not read. */
  readonly unread: readonly string[];
}

/**
 * The header's columns. Energies may be in another unit that the column names. Throws InputError where `variant` or a column of energy is
 * missing, where its unit could be read in two ways, and where a column that is read stands there twice.
 */
export function readHeader({ line, cells }: CsvRecord, file: string): Columns {
  const names = cells.map((cell) => cell.trim());
  const energy = names.includes('energy_j') ? null : energyUnit(names, { file, line });
  const own = OWN.every((column) => names.includes(column));
  const places = new Map<Column, number>();
  const unread: string[] = [];
  names.forEach((name, place) => {
    const column = name === energy?.column ? 'energy_j' : COLUMNS.find((known) => known === name);
    if (column === undefined || (!own && ONLY_IN_OWN.has(column))) unread.push(name);
    else if (places.has(column)) throw lineError(file, line, `the column ${name} appears twice`);
    else places.set(column, place);
  });
  for (const needed of ['variant', 'energy_j'] as const) {
    if (places.has(needed)) continue;
    const shown = names.slice(0, 20).join(', ').slice(0, 200);
    throw lineError(file, line, `there is no column ${needed}; the columns are: ${shown}`, adviceFor(needed, names));
  }
  return { places, own, energy, unread };
}

/** Energy unit of the columns; null: none. */
function energyUnit(names: readonly string[], { file, line }: { file: string; line: number }): EnergyUnit | null {
  const found = [...new Set(names.filter((name) => Object.hasOwn(ENERGY_UNITS, name)))];
  const [column] = found;
  if (found.length > 1) {
    const problem = `energies are in several columns: ${found.join(', ')}`;
    throw lineError(file, line, problem, 'Keep one of them, or add a column energy_j with joules.');
  }
  if (column !== undefined) return { column, joules: ENERGY_UNITS[column] as number };
  const unclear = names.find((name) => Object.hasOwn(UNCLEAR_UNITS, name));
  if (unclear === undefined) return null;
  const { small, large, advice } = UNCLEAR_UNITS[unclear] as Unclear;
  throw lineError(file, line, `${unclear} could be ${small} or ${large}`, advice);
}

interface Unclear {
  readonly small: string;
  readonly large: string;
  readonly advice: string;
}

/** Both meanings of a lower-case prefix. */
const UNCLEAR_UNITS: Readonly<Record<string, Unclear>> = {
  energy_mj: {
    small: 'millijoules',
    large: 'megajoules',
    advice: 'Name the column energy_mJ for millijoules or energy_MJ for megajoules.',
  },
  energy_mwh: {
    small: 'milliwatt-hours',
    large: 'megawatt-hours',
    advice: 'Name the column energy_mWh for milliwatt-hours or energy_MWh for megawatt-hours.',
  },
};

function adviceFor(needed: Column, names: readonly string[]): string {
  if (names.length === 1 && /\t/.test(names[0] ?? '')) return 'Columns are separated by commas or semicolons.';
  const near = names.filter((name) => distance(name.toLowerCase(), needed) <= 3)[0];
  if (near === undefined) return 'The first line names the columns; variant and energy_j are needed.';
  return needed === 'energy_j'
    ? `Rename "${near}" to energy_j if it holds joules; otherwise convert it to joules first.`
    : `Rename "${near}" to ${needed}, if that is what it holds.`;
}
