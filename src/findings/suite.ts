import * as z from 'zod';
import { Inconclusive, Verdict } from './comparison.ts';
import { count, type Immutable, Interval, probability } from './numbers.ts';

/** States of a benchmark that ran, but gets no number. */
export const WITHOUT_NUMBER = ['failed', 'too-short', 'invalid'] as const;

/** Whether a benchmark was compared, and if not, why. */
export const BenchmarkState = z.enum(['compared', 'new', 'gone', ...WITHOUT_NUMBER]);
export type BenchmarkState = z.output<typeof BenchmarkState>;

const Mean = z
  .strictObject({
    baseline: z.string().describe('its name in the suite'),
    variant: z.string(),
    benchmarks: count.describe('number of benchmarks that were compared'),
    blocks: count.describe('number of blocks in which each of them has a pair'),
    percent: z.strictObject({
      estimate: z.number().nullable(),
      ci95: Interval.nullable(),
      ci90: Interval.nullable(),
      confidence: probability.nullable().describe('achieved confidence of ci95; with interim analyses, that asked for'),
    }),
    p: probability.nullable().describe('signed-rank test of the blocks'),
    verdict: Verdict,
    reason: Inconclusive.nullable(),
  })
  .describe("geometric mean of the benchmarks' ratios: in each block their mean log ratio, judged over the blocks");
export type SuiteMean = Immutable<z.output<typeof Mean>>;

/** Findings of benchmarks that were measured together. */
export const SuiteFindings = z.strictObject({
  variants: z.array(z.string()).describe('variants that each benchmark runs with; the first is the baseline'),
  benchmarks: z.array(
    z.strictObject({
      name: z.string(),
      state: BenchmarkState.describe(
        'new: the baseline lacks it; gone: only the baseline has it; failed: it failed twice; too-short: no window was long enough for the meter; invalid: no attempt at a block was valid',
      ),
    }),
  ),
  means: z.array(Mean),
  false_discovery_rate: z
    .number()
    .describe(
      "of the comparisons on the primary channel: Benjamini and Hochberg over Holm's p within each benchmark; the interval of what is found allows for that (Benjamini and Yekutieli 2005)",
    ),
});
export type SuiteFindings = Immutable<z.output<typeof SuiteFindings>>;
