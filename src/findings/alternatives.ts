import * as z from 'zod';
import {
  count,
  Effect,
  ExactInterval,
  type Immutable,
  Interval,
  OnlyP,
  Pearson,
  probability,
  SerialStatistics,
  Undefined,
  WTest,
} from './numbers.ts';

const ExactIntervals = z.strictObject({ ci95: ExactInterval.nullable(), ci90: ExactInterval.nullable() });

export const Alternatives = z
  .strictObject({
    walsh: ExactIntervals.nullable(),
    shift_joules: ExactIntervals.nullable(),
    signed_rank_pratt: OnlyP.nullable(),
    mann_whitney_doubled: OnlyP.nullable(),
    mean_log_sign_flip: ExactInterval.nullable(),
    ratio_of_means: z.strictObject({
      log_delta_ci95: Interval.nullable(),
      fieller_ci95: Interval.nullable(),
      paired_fieller_ci95: Interval.nullable(),
    }),
    tost: z
      .strictObject({
        p_lower: probability,
        p_upper: probability,
      })
      .nullable(),
    minimum_detectable: z.strictObject({
      paired_t_percent: z.number().nullable(),
      two_sample_percent: z.number().nullable(),
    }),
    order_adjusted: z
      .strictObject({
        estimate: z.number(),
        ci95: Interval.nullable(),
        p: probability.nullable(),
      })
      .nullable(),
  })
  .describe('sensitivity: the same questions answered in other ways; no verdict depends on them');
export type Alternatives = Immutable<z.output<typeof Alternatives>>;

const OrderGroup = z.strictObject({ blocks: count, mean_percent: z.number() });

export const Descriptive = z
  .strictObject({
    shapiro_wilk: WTest.nullable(),
    flagged_blocks: z
      .array(
        z.strictObject({
          block: z.int(),
          modified_z: z.number(),
        }),
      )
      .nullable(),
    flagged_blocks_note: Undefined.nullable(),
    paired_t_joules: z
      .strictObject({
        mean: z.number(),
        t: z.number(),
        df: z.number(),
        p: probability,
        ci95: Interval,
      })
      .nullable(),
    cohens_dz: Effect.nullable(),
    rank_biserial: z.number().nullable(),
    more_in_blocks: count.nullable(),
    bootstrap: z
      .strictObject({
        by: z.enum(['block', 'run']),
        seed: count,
        resamples: count,
        of_means_percent_ci95: Interval,
        se: z.number(),
      })
      .nullable(),
    energy_time_pearson: Pearson.nullable(),
    serial: SerialStatistics.nullable(),
    order_effect: z
      .strictObject({
        baseline_first: OrderGroup,
        variant_first: OrderGroup,
        later_percent: z.number(),
        p: probability.nullable(),
      })
      .nullable(),
    less_in_blocks: count.nullable(),
  })
  .describe('descriptive: what describes a comparison and decides nothing');
export type Descriptive = Immutable<z.output<typeof Descriptive>>;
