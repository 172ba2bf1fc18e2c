import type { RunResult } from '../../analysis/findings.ts';

/** Runs in columns, which compress well. Times on the clock are text, because JSON has no whole numbers of that size. */
export interface RunColumns {
  readonly count: number;
  /** Without the parts that an uncertainty is made of: findings.json has them by variant. */
  readonly columns: Readonly<Record<string, readonly unknown[]>>;
  /** Digits that numbers were rounded to; null: they are whole. */
  readonly digits: number | null;
}

const CLOCK = ['startNs', 'endNs'];
/** What a run may lack: null in its column means that it does. */
const OPTIONAL = ['uncertaintyJ', 'netUncertaintyJ', 'phases', 'resources', 'machine', 'executions'];

/** `digits` significant digits of every number; null: all of them. */
export function runColumns(runs: readonly RunResult[], digits: number | null): RunColumns {
  const keys = [...new Set(runs.flatMap((run) => Object.keys(run)))].filter((key) => key !== 'uncertainty');
  const shortened = (value: unknown): unknown => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'number' || digits === null || Number.isInteger(value)) return value ?? null;
    return Number(value.toPrecision(digits));
  };
  const column = (key: string): unknown[] => runs.map((run) => shortened(run[key as keyof RunResult]));
  return { count: runs.length, columns: Object.fromEntries(keys.map((key) => [key, column(key)])), digits };
}

export function runsOf({ count, columns }: RunColumns): RunResult[] {
  const entries = Object.entries(columns);
  return Array.from({ length: count }, (_, i) => {
    const value = (key: string, cell: unknown): unknown =>
      CLOCK.includes(key) && typeof cell === 'string' ? BigInt(cell) : cell;
    const own = entries.filter(([key, cells]) => cells[i] !== null || !OPTIONAL.includes(key));
    return Object.fromEntries(own.map(([key, cells]) => [key, value(key, cells[i])])) as unknown as RunResult;
  });
}
