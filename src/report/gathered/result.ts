import type { Comparison } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import { byInterest, primaryComparisons } from '../verdict.ts';

/** One of several experiments that are shown together. */
export interface Result {
  /** Of its artifact or folder; may come from outside. */
  readonly name: string;
  readonly findings: Findings;
}

/** One comparison and the experiment that it belongs to. */
export interface Row {
  readonly result: Result;
  readonly comparison: Comparison;
}

/** The primary comparisons of all, in order of interest. */
export function rowsOf(results: readonly Result[]): Row[] {
  const owner = new Map<Comparison, Result>();
  for (const result of results) {
    for (const comparison of primaryComparisons(result.findings)) owner.set(comparison, result);
  }
  return byInterest([...owner.keys()]).map((comparison) => ({ comparison, result: owner.get(comparison)! }));
}

/** The results, those with the gravest comparison first, those without any last. */
export function worstFirst(results: readonly Result[]): Result[] {
  return [...new Set([...rowsOf(results).map((row) => row.result), ...results])];
}

/** What a result is called where it stands among others. */
export function label({ name, findings: { experiment } }: Result): string {
  return experiment.name === name ? name : `${experiment.name} (${name})`;
}
