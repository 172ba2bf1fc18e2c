import * as z from 'zod';
import { type Immutable, Interval, probability } from './numbers.ts';
import { WITHOUT_NUMBER } from './suite.ts';

/** The user's goals for the result, in addition to the verdict. */

export const ThresholdResult = z.strictObject({
  threshold: z.string().describe('as the user wrote it'),
  baseline: z.string(),
  variant: z.string().nullable(),
  of: z
    .enum(['mean', 'energy'])
    .describe(
      'what the limit is for. mean: the geometric mean over the suite; energy: the energy of the variant itself, with the uncertainty of the meter; absent: a change',
    )
    .exactOptional(),
  channel: z.string(),
  metric: z.enum(['percent', 'joules']),
  direction: z.enum(['above', 'below']),
  limit: z.number().describe('in percent, or in joules of one execution'),
  estimate: z.number().nullable().describe('Hodges-Lehmann of the blocks, in percent or joules of one execution'),
  ci95: Interval.nullable(),
  p_holm: probability
    .nullable()
    .describe(
      "two-sided, against the limit, by Holm's method over all thresholds; null: one alone, or nothing to test",
    ),
  state: z
    .enum(['crossed', 'kept', 'open'])
    .describe(
      'crossed: the whole interval lies beyond the limit; kept: none of it does; open: the interval does not decide, or was not used',
    ),
  fails: z.boolean().describe('whether it fails the job'),
  obstacle: z
    .enum(['partial', 'no-comparison', 'no-interval', 'across', 'inconclusive', 'several', ...WITHOUT_NUMBER])
    .nullable()
    .describe('the last three are states of a benchmark; failed: it failed, which fails the job'),
});
export type ThresholdResult = Immutable<z.output<typeof ThresholdResult>>;

export const Amount = z.strictObject({
  energy_j: z.number(),
  energy_ci95_j: Interval.nullable(),
  money: z.number().nullable(),
  money_ci95: Interval.nullable(),
  carbon_g: z.number().nullable(),
  carbon_ci95_g: Interval.nullable(),
});
export type Amount = Immutable<z.output<typeof Amount>>;

export const CostOf = z.strictObject({
  variant: z.string(),
  run: Amount.describe('of one execution of the command'),
  task: Amount.nullable(),
});
export type CostOf = Immutable<z.output<typeof CostOf>>;

export const Costs = z
  .strictObject({
    channel: z.string().nullable(),
    price: z
      .strictObject({
        per_kwh: z.number().min(0),
        currency: z.string().regex(/^[A-Z]{3}$/),
      })
      .nullable(),
    intensity_g_per_kwh: z.number().min(0).nullable().describe('CO2 equivalent'),
    task: z
      .strictObject({
        name: z.string(),
        runs: z.number().gt(0).describe('executions of the command that it takes'),
      })
      .nullable(),
    variants: z.array(CostOf),
    differences: z.array(CostOf.extend({ baseline: z.string() })).describe('variant minus baseline'),
  })
  .describe('money and carbon, from the prices given and the mean gross energy on the primary channel');
export type Costs = Immutable<z.output<typeof Costs>>;
