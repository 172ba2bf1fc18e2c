import * as z from 'zod';
import { Comparison, Inconclusive, Verdict } from './comparison.ts';
import { count, type Immutable, Interval, probability, SignedRank, TTest } from './numbers.ts';

const Factor = z.strictObject({ name: z.string(), levels: z.tuple([z.string(), z.string()]) });

export const Step = z.strictObject({ estimate: z.number(), ci95: Interval.nullable() });
export type Step = Immutable<z.output<typeof Step>>;

export const Contrast = z.strictObject({
  estimate: z.number().nullable(),
  ci95: Interval.nullable(),
  ci90: Interval.nullable(),
  confidence: probability.nullable().describe('achieved confidence of ci95; with interim analyses, that asked for'),
  mean_log: z.number().nullable(),
  mean_log_ci95: Interval.nullable(),
  wilcoxon_signed_rank: SignedRank.nullable(),
  p_holm: probability.nullable().describe("by Holm's method for the three contrasts"),
  paired_t_log: TTest.nullable(),
  minimum_detectable_percent: z.number().nullable(),
  verdict: Verdict,
  reason: Inconclusive.nullable(),
});
export type Contrast = Immutable<z.output<typeof Contrast>>;

export const Factorial = z
  .strictObject({
    channel: z.string(),
    factors: z.tuple([Factor, Factor]),
    cells: z
      .tuple([z.tuple([z.string(), z.string()]), z.tuple([z.string(), z.string()])])
      .describe('names of variants: [level of the first factor][level of the second]'),
    blocks: count,
    main: z.tuple([Contrast, Contrast]).describe("the difference of each factor, averaged over the other's levels"),
    interaction: Contrast.describe(
      "ratio of ratios: the second factor's at the second level of the first, over that at its first",
    ),
    simple: z
      .tuple([Comparison, Comparison])
      .describe('the simple differences that no comparison with the baseline gives'),
    steps: z.tuple([Step.nullable(), Step.nullable()]),
  })
  .describe('logarithmic contrasts of complete blocks of four, given in percent');
export type Factorial = Immutable<z.output<typeof Factorial>>;
