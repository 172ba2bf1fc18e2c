import { cellName } from '../../../experiment/matrix-schema.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { BenchmarkState } from '../../../findings/suite.ts';

/** Gives the state of the benchmark that a variant runs. Only the numbers of `compared` count; without a suite, all are. */
export function benchmarkStates({ suite }: Pick<Findings, 'suite'>): (variant: string) => BenchmarkState {
  const states = new Map(
    suite?.benchmarks.flatMap(({ name, state }) => suite.variants.map((of) => [cellName(name, of), state] as const)),
  );
  return (variant) => states.get(variant) ?? 'compared';
}
