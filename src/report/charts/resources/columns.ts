import type { Interval, Summary } from '../../../findings/numbers.ts';
import type { VariantFindings } from '../../../findings/variant.ts';
import { short } from '../../../text/numbers.ts';

export interface ResourceCell {
  /** In the unit of the column. */
  readonly mean: number;
  readonly interval: Interval | null;
  readonly text: string;
}

export interface ResourceColumn {
  readonly name: string;
  /** With its unit, for the axis. */
  readonly title: string;
  /** One a row; null: not read. */
  readonly cells: readonly (ResourceCell | null)[];
}

type Resources = NonNullable<VariantFindings['resources']>;

const COLUMNS: readonly { readonly key: keyof Resources; readonly name: string; readonly bytes: boolean }[] = [
  { key: 'cpu_s', name: 'CPU time', bytes: false },
  { key: 'peak_memory_bytes', name: 'Peak memory', bytes: true },
  { key: 'read_bytes', name: 'Read', bytes: true },
  { key: 'written_bytes', name: 'Written', bytes: true },
];

/** A column for each resource that at least one variant has; bytes in the unit that fits the largest. */
export function resourceColumns(rows: readonly (Resources | null)[]): ResourceColumn[] {
  return COLUMNS.flatMap(({ key, name, bytes }) => {
    const summaries = rows.map((r) => r?.[key] ?? null);
    const means = summaries.flatMap((s) => (s === null ? [] : [s.mean]));
    if (means.length === 0) return [];
    const [factor, unit] = bytes ? byteUnit(Math.max(...means)) : [1, 's'];
    return [
      { name, title: `${name} (${unit})`, cells: summaries.map((s) => (s === null ? null : cellOf(s, factor, unit))) },
    ];
  });
}

function cellOf({ mean, mean_ci95: interval }: Summary, factor: number, unit: string): ResourceCell {
  return {
    mean: mean / factor,
    // Nothing is used less than nothing: the interval of a mean near 0 would say so.
    interval: interval === null ? null : [Math.max(interval[0], 0) / factor, Math.max(interval[1], 0) / factor],
    text: `${short(mean / factor)} ${unit}`,
  };
}

function byteUnit(most: number): [factor: number, unit: string] {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(Math.max(Math.floor(Math.log2(Math.max(most, 1)) / 10), 0), units.length - 1);
  return [1024 ** step, units[step]!];
}
