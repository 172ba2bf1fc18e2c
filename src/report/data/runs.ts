import type { RunResult } from '../../analysis/results.ts';
import { type Column, columnOf, valuesOf } from './columns.ts';

/** Runs as the page carries them: without the parts that an uncertainty is made of, which findings.json has by variant. */
export interface PackedRuns {
  readonly column: Column;
  /** Digits that numbers were rounded to; null: they are whole. */
  readonly digits: number | null;
}

/** `digits` significant digits of every number; null: all of them. */
export function packRuns(runs: readonly RunResult[], digits: number | null): PackedRuns {
  return {
    column: columnOf(
      runs.map(({ uncertainty: _, ...run }) => run),
      digits,
    ),
    digits,
  };
}

export function unpackRuns({ column }: PackedRuns): RunResult[] {
  return valuesOf(column) as RunResult[];
}
