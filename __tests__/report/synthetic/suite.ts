import type { Analysis } from '../../../src/analysis/results.ts';
import type { Findings } from '../../../src/findings/findings.ts';
import type { BenchmarkState } from '../../../src/findings/suite.ts';
import { bigAnalysis } from './big.ts';

/** A suite of so many benchmarks on a base and a head, with windows of a second: the runs of an experiment of many variants, by other names. */
export function suiteAnalysis(benchmarks: number, blocks: number): Analysis {
  const { findings, runs, traces } = bigAnalysis({
    variants: 2 * benchmarks,
    blocks,
    readings: 2 * benchmarks * blocks * 10,
  });
  const cells = new Map(
    findings.variants.map(({ name }, i) => [name, `test_bench_${i >> 1}/${i % 2 === 0 ? 'base' : 'head'}`]),
  );
  const cell = (name: string): string => cells.get(name)!;
  const comparisons = findings.comparisons
    .filter(({ variant }) => cell(variant).endsWith('/head'))
    .map((one) => {
      const benchmark = cell(one.variant).slice(0, -'/head'.length);
      return { ...one, benchmark, baseline: `${benchmark}/base`, variant: `${benchmark}/head` };
    });
  const percent = { estimate: 0.6, ci95: [0.2, 1] as const, ci90: [0.3, 0.9] as const, confidence: 0.95 };
  const mean = { baseline: 'base', variant: 'head', benchmarks, blocks, percent, p: 0.01, reason: null };
  return {
    traces: traces.map((trace) => ({ ...trace, variant: cell(trace.variant) })),
    runs: runs.map((run) => ({ ...run, variant: cell(run.variant) })),
    findings: {
      ...findings,
      experiment: { ...findings.experiment, baseline: 'test_bench_0/base' },
      variants: findings.variants.map((one) => ({ ...one, name: cell(one.name) })),
      comparisons,
      suite: {
        variants: ['base', 'head'],
        benchmarks: comparisons.map(({ benchmark }) => ({ name: benchmark, state: 'compared' })),
        means: [{ ...mean, verdict: 'changed-within-margin' }],
        false_discovery_rate: 0.05,
      },
    },
  };
}

/** Three equivalent benchmarks, and one that was not compared. */
export function suiteWithout(state: BenchmarkState): Findings {
  const { findings } = suiteAnalysis(4, 12);
  const suite = findings.suite!;
  const [first, ...benchmarks] = suite.benchmarks;
  const compared = findings.comparisons.filter(({ benchmark }) => benchmark !== first!.name);
  return {
    ...findings,
    comparisons: compared.map((one) => ({ ...one, verdict: 'equivalent' })),
    suite: { ...suite, benchmarks: [{ ...first!, state }, ...benchmarks] },
  };
}
