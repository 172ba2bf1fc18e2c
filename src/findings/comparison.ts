import * as z from 'zod';
import { Alternatives, Descriptive } from './alternatives.ts';
import { MetricComparison } from './metrics.ts';
import {
  correlation,
  count,
  Effect,
  type Immutable,
  Interval,
  LogPart,
  OnlyP,
  probability,
  SignedRank,
  TTest,
  Undefined,
  WTest,
} from './numbers.ts';
import { ResourceComparison } from './resources.ts';

export const Verdict = z.enum([
  'increase',
  'decrease',
  'changed-within-margin',
  'equivalent',
  'inconclusive',
  'failed',
]);
export type Verdict = z.output<typeof Verdict>;

export const Inconclusive = z
  .enum([
    'no-runs',
    'no-block',
    'not-positive',
    'no-variation',
    'too-few',
    'coarse',
    'drifts',
    'groups',
    'means-disagree',
    'open',
    'several',
    'failed',
  ])
  .describe(
    'why it is inconclusive; drifts, groups, means-disagree: the interval lies within the margin, but other properties of the runs contradict that; failed: the experiment could not be completed',
  );
export type Inconclusive = z.output<typeof Inconclusive>;

export const Magnitude = z.enum(['negligible', 'small', 'medium', 'large']);
export type Magnitude = z.output<typeof Magnitude>;

const Reanalysis = z.strictObject({ blocks: count, estimate: z.number(), ci95: Interval.nullable() });

const Arms = z.strictObject({ baseline: z.number(), variant: z.number() });

const Typical = z.strictObject({
  baseline: z.number(),
  variant: z.number(),
  percent: z.strictObject({
    estimate: z.number(),
    ci95: Interval.nullable().describe('limits; with interim analyses, repeated ones'),
    p_holm: probability
      .describe("of the duration, by Holm's method for all comparisons on the channel; absent: one alone, or a suite")
      .exactOptional(),
  }),
  median: Arms.describe('of the compared runs'),
  mean: Arms.describe('of the compared runs'),
});
export type Typical = Immutable<z.output<typeof Typical>>;

/**
 * Why an experiment ended at an interim analysis: every change is shown; every comparison is settled, as a change or as equivalent; every interval
 * is as narrow as was asked for; more blocks would probably settle nothing; or it was the last one.
 */
export const EndReason = z.enum(['changed', 'settled', 'precise', 'futile', 'complete']);
export type EndReason = z.output<typeof EndReason>;

const Look = z.strictObject({
  number: count.describe('planned interim analyses already done'),
  of: count,
  most_blocks: count.describe('blocks at the last interim analysis'),
  nominal_p: probability.describe('level that the p of the signed-rank test must not exceed at this interim analysis'),
  repeated_p: probability
    .nullable()
    .describe("the p that allows for the interim analyses, to compare with 0.05; Holm's method starts from it"),
  stopped_because: EndReason.nullable().describe('why it ended before the last interim analysis; null: it did not'),
});

export const NetComparison = z.strictObject({
  difference_j: z.number(),
  difference_u_j: z.number().nullable().describe('standard (k = 1)'),
  percent: z
    .number()
    .nullable()
    .describe('of the means; null where a mean is below three of its standard uncertainties'),
  log_ratio_u: z.number().nullable(),
});
export type NetComparison = Immutable<z.output<typeof NetComparison>>;

export const Contribution = z.strictObject({
  channel: z.string(),
  part: z
    .enum(['package-and-dram', 'package', 'dram', 'everything-else'])
    .describe('what the channel sees; everything-else: what the machine draws apart from its processors and memory'),
  difference_j: z.number(),
  ci95: Interval.nullable(),
  share: z.number().nullable(),
});
export type Contribution = Immutable<z.output<typeof Contribution>>;

export const PhaseComparison = z.strictObject({
  phase: z.string(),
  blocks: count,
  mean_energy_j: z.strictObject({
    baseline: z.number(),
    variant: z.number(),
  }),
  percent: z.strictObject({
    estimate: z.number().nullable(),
    ci95: Interval.nullable(),
  }),
  difference_j: z.number(),
  share: z.number().nullable(),
  short: z.boolean(),
  outside: z.boolean(),
});
export type PhaseComparison = Immutable<z.output<typeof PhaseComparison>>;

export const Comparison = z.strictObject({
  baseline: z.string(),
  variant: z.string(),
  benchmark: z.string().describe('benchmark of the suite; absent: there is no suite').exactOptional(),
  channel: z.string(),
  metric: z.literal('energy_j'),
  n_baseline: count,
  n_variant: count,
  blocks: count.nullable().describe('complete blocks compared; null: the data have no blocks'),
  percent: z
    .strictObject({
      estimate: z.number().nullable(),
      ci95: Interval.nullable(),
      ci90: Interval.nullable(),
      confidence: probability.nullable().describe('achieved confidence of ci95; with interim analyses, that asked for'),
      of_means: z.number().nullable(),
      of_medians: z.number().nullable(),
      mean_log: z.number().nullable(),
      mean_log_ci95: Interval.nullable(),
    })
    .describe('change in percent of the baseline; positive: the variant used more'),
  joules: z
    .strictObject({ estimate: z.number().nullable(), ci95: Interval.nullable() })
    .describe(
      "the same change in joules, by the same kind of estimate: with blocks Hodges-Lehmann of the blocks' differences with the signed-rank interval (at the level of percent.ci95), without blocks the two-sample Hodges-Lehmann shift; absent: not asked for",
    )
    .exactOptional(),
  typical: z
    .strictObject({ energy_j: Typical.nullable(), duration_s: Typical.nullable(), mean_power_w: Typical.nullable() })
    .describe(
      'a typical run of each variant: values around the Hodges-Lehmann center of the compared runs, as far apart as the typical change says; absent: not asked for',
    )
    .exactOptional(),
  difference: z
    .strictObject({
      of_means: z.number().nullable(),
      welch_ci95: Interval.nullable(),
      hodges_lehmann: z.number().nullable(),
      hodges_lehmann_ci95: Interval.nullable(),
    })
    .describe('joules, two samples, variant minus baseline'),
  tests: z.strictObject({
    wilcoxon_signed_rank: SignedRank.nullable(),
    paired_t_log: TTest.nullable(),
    sign_flip: OnlyP.nullable(),
    welch_t: TTest.nullable(),
    mann_whitney: z
      .strictObject({
        u: z.number(),
        p: probability,
        method: z.enum(['exact', 'asymptotic']),
      })
      .nullable(),
    brunner_munzel: WTest.nullable(),
    kruskal_wallis: z
      .strictObject({
        h: z.number(),
        df: z.number(),
        p: probability,
      })
      .nullable(),
    tost: z
      .strictObject({
        margin_percent: z.number(),
        p: probability,
      })
      .nullable(),
  }),
  p_holm: probability
    .nullable()
    .describe(
      "the p of the test that decides (signed-rank; Mann-Whitney without blocks), adjusted by Holm's method for all comparisons on the channel; a change needs it below 0.05; null: one comparison",
    ),
  look: Look.nullable()
    .describe('interim analysis at which this comparison was made; absent: the experiment has none')
    .exactOptional(),
  effect: z.strictObject({
    cliffs_delta: z
      .strictObject({
        value: correlation,
        ci95: Interval.nullable(),
        magnitude: Magnitude,
      })
      .nullable(),
    vargha_delaney_a: probability.nullable(),
    cohens_d: Effect.nullable(),
    hedges_g: z
      .strictObject({
        value: z.number(),
        ci95: Interval.nullable(),
        magnitude: Magnitude,
      })
      .nullable(),
    vargha_delaney_a_ci95: Interval.nullable(),
  }),
  why: z
    .strictObject({
      log_energy: LogPart.nullable(),
      log_time: LogPart.nullable(),
      log_power: LogPart.nullable(),
      time_share: z.number().nullable(),
      power_share: z.number().nullable(),
    })
    .describe('mean log ratios: energy = time + power'),
  minimum_detectable_percent: z.number().nullable(),
  sensitivity: z.strictObject({
    without_flagged: Reanalysis.nullable(),
    without_first_quarter: Reanalysis.nullable(),
    tail_effect: z.boolean().nullable(),
  }),
  coarse: z
    .strictObject({
      step_j: z.number(),
      equal_blocks: count.describe('of the same difference'),
    })
    .nullable()
    .describe(
      'steps of the meter, if they are so large compared with the scatter that rounding could pass for equivalence',
    ),
  drift: z
    .strictObject({ change_percent: z.number().describe('from the first to the last block'), p: probability })
    .nullable()
    .describe('trend of the difference in time; null: none was found, or the order is not known')
    .exactOptional(),
  groups: z
    .array(z.strictObject({ blocks: count, percent: z.number().describe('median') }))
    .nullable()
    .describe("two groups that the blocks' differences fall into (Hartigan's dip), the smaller change first; null: one")
    .exactOptional(),
  verdict: Verdict,
  meter_uncertainty_percent: z
    .number()
    .nullable()
    .describe(
      "expanded (k = 2), percentage points: what the offset of the meter's class leaves uncertain in the percent; its gain cancels",
    ),
  net_energy: NetComparison.describe('energies above idle').nullable(),
  mean_energy_j: z
    .strictObject({
      baseline: z.number().nullable(),
      variant: z.number().nullable(),
    })
    .describe('means of the compared runs, joules; with blocks of those in complete blocks'),
  to_settle: z
    .strictObject({
      blocks: z.int().min(1),
      minutes: z.number().nullable(),
    })
    .nullable()
    .describe(
      'projection for an inconclusive verdict: further blocks that would probably (80 %) settle it, and the minutes that they would take; null: no number can be given',
    )
    .exactOptional(),
  contributions: z
    .array(Contribution)
    .describe(
      "only on the primary channel, where others are parts of it that do not overlap: each part's difference of means, the largest first",
    )
    .exactOptional(),
  metrics: z
    .array(MetricComparison)
    .describe('numbers that the workload printed, compared like the energy; absent: the experiment has no metrics')
    .exactOptional(),
  phases: z
    .array(PhaseComparison)
    .describe(
      "only on the primary channel, of workloads that mark their phases: each phase compared by blocks, exploratory; share: of the whole run's difference of means",
    )
    .exactOptional(),
  resources: z
    .array(ResourceComparison)
    .describe('only on the primary channel: other differences between the runs of its blocks; they decide nothing')
    .exactOptional(),
  phases_not_compared: z
    .array(
      z.strictObject({
        phase: z.string(),
        lacking: z.array(z.strictObject({ variant: z.string(), runs: count.describe('that have it'), of: count })),
      }),
    )
    .describe('phases that only some of the runs have')
    .exactOptional(),
  tail: z
    .strictObject({
      disagreement: z.number().nullable(),
      half_width: z.number().nullable(),
      flags_p: z.number().nullable(),
      of_means_apart: z.number().nullable().describe('|ln| of the ratio of means against that of the headline'),
      apart_limit: z.number().nullable().describe('limit beyond which the mean and the headline disagree'),
      far: z
        .array(z.strictObject({ variant: z.string(), run: z.int(), energy_j: z.number() }))
        .describe('flagged runs without which the mean is closer to the estimate, the most influential first'),
      far_count: count,
      means_ci90: Interval.nullable().describe('of the change of the means, percent').exactOptional(),
      means_leave_margin: z
        .boolean()
        .describe('that interval leaves the margin, and the 90 % interval of the headline does not')
        .exactOptional(),
    })
    .describe(
      "what tail_effect is judged by: |mean - Hodges-Lehmann| (log ratios), half-width of its interval, Fisher's p of the flagged runs, change of the means against the headline",
    ),
  p_benjamini_hochberg: probability.nullable().describe('for dashboards; null: one comparison'),
  undefined_because: z.record(z.string(), Undefined).describe('why a number is null, by its path'),
  alternatives: Alternatives.nullable(),
  descriptive: Descriptive.nullable(),
  reason: Inconclusive.nullable(),
  family_size: count,
  n_not_positive: z.strictObject({
    baseline: count,
    variant: count,
  }),
});
export type Comparison = Immutable<z.output<typeof Comparison>>;
