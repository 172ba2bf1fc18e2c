import * as z from 'zod';

/** Schemas used in several places of the findings. SI units; undefined values are null. */

/** Deeply readonly version of a parsed type. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

export const count = z.int().min(0);
export const probability = z.number().min(0).max(1);
export const correlation = z.number().min(-1).max(1);
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const Interval = z.tuple([z.number(), z.number()]).describe('lower and upper limit');
export type Interval = Immutable<z.output<typeof Interval>>;

export const ExactInterval = z
  .strictObject({
    interval: Interval,
    confidence: z.number(),
    k: z.int().min(1),
  })
  .describe('between the k-th smallest and the k-th largest, with the confidence that it really has');
export type ExactInterval = Immutable<z.output<typeof ExactInterval>>;

/** Part of the machine that a channel measures: all of it, processors with memory, only one of these, or the cores. */
export const MachinePart = z.enum(['machine', 'package-and-dram', 'package', 'dram', 'core']);
export type MachinePart = z.output<typeof MachinePart>;

/** Reasons for a statistic that is null. */
export const Undefined = z.enum([
  'no-runs',
  'no-blocks',
  'no-block',
  'not-positive',
  'no-durations',
  'no-order',
  'few-of-each-order',
  'no-log-ratios',
  'no-spread',
  'no-variation',
  'too-many',
  'too-few',
]);
export type Undefined = z.output<typeof Undefined>;

export const OnlyP = z.strictObject({ p: probability });
export const WTest = z.strictObject({ w: z.number(), p: probability });
export const TTest = z.strictObject({ t: z.number(), df: z.number(), p: probability });
export const SignedRank = z.strictObject({ w_plus: z.number(), p: probability, n_nonzero: count, n_zero: count });
export const Effect = z.strictObject({ value: z.number(), ci95: Interval.nullable() });
export const Pearson = z.strictObject({ r: correlation, p: probability, ci95: Interval.nullable() });

export const Summary = z.strictObject({
  mean: z.number(),
  sd: z.number().nullable().describe('n − 1 in the denominator'),
  median: z.number(),
  mad: z.number().min(0).describe('median absolute deviation, unscaled'),
  q1: z.number().describe('type 7'),
  q3: z.number().describe('type 7'),
  min: z.number(),
  max: z.number(),
  mean_ci95: Interval.nullable(),
});
export type Summary = Immutable<z.output<typeof Summary>>;

export const Distribution = z
  .strictObject({
    cv: z.number().nullable(),
    q05: z.number(),
    q95: z.number(),
    iqr: z.number(),
    skewness: z.number().nullable(),
    excess_kurtosis: z.number().nullable(),
    trimmed_mean_20: z.number(),
    median_ci95: Interval.nullable(),
    median_confidence: z.number().nullable(),
  })
  .describe('descriptive: the shape of the energies; G1 and G2, corrected for small samples');
export type Distribution = Immutable<z.output<typeof Distribution>>;

export const SerialStatistics = z
  .strictObject({
    n: count,
    mann_kendall: z
      .strictObject({
        s: z.number(),
        z: z.number(),
        p: probability,
      })
      .nullable(),
    spearman: z
      .strictObject({
        rho: z.number(),
        p: probability,
      })
      .nullable(),
    lag1: z.number().nullable(),
    theil_sen: z.number().nullable(),
  })
  .describe('descriptive: what values in the order of time show of time');
export type SerialStatistics = Immutable<z.output<typeof SerialStatistics>>;

export const LogPart = z.strictObject({
  mean: z.number(),
  ci95: Interval.nullable(),
});
export type LogPart = Immutable<z.output<typeof LogPart>>;
