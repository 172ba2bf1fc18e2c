import * as z from 'zod';
import { check } from './check-shape.ts';
import { count, type Immutable, Interval, probability } from './numbers.ts';
import { PassportCheck } from './passport.ts';
import { RunReason } from './run-reason.ts';

/** Run checks: what a reader must know about the quality of the data. */

const number = z.number();
const text = z.string();

/** Disturbances that keep a machine from being quiet. */
export const Noise = z.enum(['load', 'containers', 'temperature', 'frequency', 'throttling']);
export type Noise = z.output<typeof Noise>;

const batch = z
  .enum(['refused', 'auto'])
  .optional()
  .describe(
    'refused: the experiment file could not ask for several executions in a window; auto: it asks for as many as fill one',
  );

/** Schema of facts about each variant: its runs, or the differences in its blocks. */
const variants = <Facts extends z.core.$ZodLooseShape>(facts: Facts) =>
  z.array(z.strictObject({ variant: text, ...facts }));

/** Schema of facts about comparisons. */
const compared = <Facts extends z.core.$ZodLooseShape>(facts: Facts) =>
  variants({ baseline: text.describe('what it is compared with; absent: not known').exactOptional(), ...facts });

export const Check = z.discriminatedUnion('name', [
  check('plan', ['complete', 'ended-early', 'incomplete'], {
    blocks: count.nullable().describe('blocks after which an interim analysis ended the experiment'),
    ended: z
      .enum(['stopped', 'failed', 'complete', 'died'])
      .nullable()
      .describe('how the last session ended; null: the plan was completed'),
    signal: text.nullable(),
    message: text.nullable().describe('message of the error'),
  }),
  check('runs', ['none-excluded', 'excluded'], {
    excluded: count.describe('on the primary channel; of a file of runs, on all of them'),
    elsewhere: z
      .array(z.strictObject({ channel: text, runs: count }))
      .describe('runs that have their energy on the primary channel, and none on another'),
    warmups: count.nullable().describe('of a file of runs'),
    listed: z
      .array(
        z.strictObject({
          run: count,
          variant: text,
          channel: text.nullable(),
          status: z.enum(['failed', 'invalid']),
          reason: RunReason.nullable(),
        }),
      )
      .nullable()
      .describe('of a file of runs: the first of them'),
  }),
  check('run length', ['no-energy', 'long-enough', 'few-readings', 'edges-uncertain'], {
    channel: text.nullable().describe('null: the primary one'),
    shortest_s: number.nullable(),
    enough_s: number.nullable(),
    readings: count.nullable().describe('in the shortest; null: the channel is a counter'),
    edge_s: number.nullable().describe('how far a counter may be behind'),
    uncertain_percent: number.nullable(),
    batch,
  }),
  check('start-up', ['small', 'large'], {
    asked: z.boolean().describe('the experiment file asks for a start of each execution'),
    batch,
    seen: variants({
      executions: count.describe('of the command in a window'),
      starts: count.describe('in a window: one that holds all executions, or one for each'),
      start_s: number.describe('of one start, median'),
      window_s: number.describe('median'),
      percent: number.describe('of the windows until their place had started, median'),
    }),
  }),
  check('left by prepare', ['runs-on', 'uneven', 'ended'], {
    seen: variants({
      processes: z.array(text).describe('their names'),
      runs_on: z.boolean().describe('beside the command; else they ended with prepare'),
      runs: count,
    }),
  }),
  check('limits', ['unseen'], {
    runs: z
      .array(z.strictObject({ run: count, variant: text }))
      .describe(
        'compared runs of which neither their control group nor the kernel’s log could tell whether they met a limit',
      ),
  }),
  check('conditions', ['same', 'changed'], {}),
  check('files', ['same', 'changed'], {
    commit: z.boolean().describe('of the repository that the experiment file lies in'),
    changes: z.boolean().describe('of tracked files that differ from the commit'),
    named: z.array(text).describe('files that a native command names'),
  }),
  check('quiet', ['quiet', 'waited', 'noisy'], {
    blocks: count.describe('before which it was checked whether the machine is quiet'),
    waited: count.describe('blocks that waited for it'),
    waited_s: number.describe('all of them together'),
    longest_s: number,
    noisy: count.describe('blocks before which it was not quiet, and which were measured all the same'),
    found: z.array(z.strictObject({ noise: Noise, blocks: count })).describe('blocks before which it was found'),
  }),
  check('throttling', ['none', 'seen'], {
    runs: z
      .array(z.strictObject({ run: count, variant: text, times: count }))
      .describe('compared runs in which processors were throttled, their guards included'),
  }),
  check('kernel messages', ['none', 'seen'], {
    runs: z.array(z.strictObject({ run: count, variant: text })).describe('compared runs in which the kernel warned'),
    messages: z.array(text).describe('the first different ones'),
  }),
  check('sample clock', ['even', 'wrong-rate', 'scattered', 'long-pause'], {
    channel: text.nullable().describe('null: the primary channel, in the only session'),
    session: count.nullable(),
    clock: z.enum(['meter', 'host']),
    period_s: number,
    nominal_period_s: number,
    jitter_s: number,
    longest_s: number,
  }),
  check('meter readings', ['follow', 'frozen', 'late'], {
    channel: text.describe('absent: the primary one').exactOptional(),
    edges: count.describe('beginnings and ends of runs that kept processors busy'),
    frozen_edges: count.describe('those across which one reading repeats to the last digit'),
    frozen_runs: z.array(count).describe('the first ones'),
    late_runs: count.describe('runs whose power rises and falls later than a guard'),
    runs: count.describe('runs that are long enough to tell'),
    guard_s: number,
  }),
  check('renewal', ['prompt', 'enough', 'few', 'beyond-guard'], {
    meter: text,
    renewal_s: number.describe('how long the meter keeps a value at least'),
    longest_s: number.describe('longest stretch of one unchanged value'),
    resolution_w: number.nullable().describe('as the meter states it'),
    period_s: number.describe('between two samples, as the meter states it'),
    guard_s: number,
    shortest_s: number.describe('of the windows'),
    enough_s: number.describe('a window that holds ten renewals'),
  }),
  check('smallest load', ['above', 'idle', 'loaded'], {
    meter: text,
    smallest_w: number.describe('below which the meter shows 0, or keeps its last value'),
    idle_percent: number.describe('of the idle readings that are below it'),
    loaded_percent: number.describe('of the readings in windows that are below it'),
  }),
  check('mirrored zones', ['counted-once'], {
    meter: text,
    zones: text.describe('that were read'),
    mirrors: text.describe('zones that show a counter of these, and were not added'),
  }),
  check('meter passport', ['good', 'missing', 'short-guard', 'failed', 'undecided', 'old'], {
    meter: text.nullable().describe('as it is named on a command line; null: it has no passport'),
    day: text.nullable(),
    days: number.nullable().describe('since then'),
    guard_s: number,
    guard_needed_s: number.nullable(),
    latency_s: number.nullable(),
    failed: z.array(PassportCheck).describe('in `joulediff meter check`'),
  }),
  check('drift', ['none', 'trend', 'correlated'], {
    blocked: z.boolean(),
    fixed_order: z
      .boolean()
      .describe('every block has its variants in the same order, which leaves a part in the difference'),
    change_percent: number.describe('from the first to the last run'),
    p: probability,
    lag1: number,
    lag: count.describe('without blocks: by how many runs what comes again is apart').exactOptional(),
    correlation: number.describe('of the runs so far apart').exactOptional(),
    seen_in: z
      .array(text)
      .describe('variants whose own runs show it, the baseline too; absent: not known')
      .exactOptional(),
    difference_drifts: z.boolean().describe('so it is not the same for all variants').exactOptional(),
  }),
  check('drift of the difference', ['none', 'seen'], {
    baseline: text,
    seen: compared({ trend: z.boolean(), change_percent: number, p: probability, lag1: number }),
  }),
  check('warm-up', ['none', 'seen'], {
    blocked: z.boolean(),
    change_percent: number.describe('of the first quarter against the rest'),
    p: probability,
    seen_in: z
      .array(text)
      .describe('variants whose own runs show it, the baseline too; absent: not known')
      .exactOptional(),
    difference_drifts: z.boolean().describe('so it is not the same for all variants').exactOptional(),
  }),
  check('order effect', ['none', 'seen'], {
    baseline: text,
    seen: compared({ later_percent: number, p: probability }),
  }),
  check('carry-over', ['none', 'seen'], {
    baseline: text,
    variant: text,
    change_percent: number.describe('of a run after the variant against one after the baseline'),
    p: probability,
    rested: z
      .strictObject({ rho: number, p: probability })
      .nullable()
      .describe(
        'Spearman, within blocks: does a run that rested longer use more? null: rests had a given length, or one length',
      ),
  }),
  check('rests', ['settled', 'not-settled'], {
    rests: count,
    longest: count.describe('after which the machine had not settled'),
    up_to_s: number,
    median_s: number,
  }),
  check('two modes', ['none', 'seen'], {
    seen: variants({ scaled_dip: number, limit: number }),
  }),
  check('normality', ['normal', 'not-normal'], {
    of: z.enum(['differences', 'energies']),
    least_p: probability,
    seen: compared({ p: probability }),
  }),
  check('equal conditions', ['none', 'seen'], {
    baseline: text,
    looked: z.array(z.enum(['idle-power', 'temperature', 'load', 'governor'])),
    amounts: compared({
      condition: z.enum(['idle-power', 'temperature', 'load']),
      baseline_median: number,
      variant_median: number,
      p: probability,
    }),
    governors: compared({
      usual: text,
      other: count,
      of: count,
      baseline_other: count,
      baseline_of: count,
      p: probability,
    }),
  }),
  check('competing load', ['none', 'always', 'sometimes'], {
    usual: number.describe('processors, median'),
    most: number,
    busy_runs: count,
    runs: count,
  }),
  check('counter', ['none', 'seen', 'negative'], {
    count,
    seen: variants({ run: count, energy_j: number, usual_j: number }).describe('the first of them'),
  }),
  check('repetition', ['no-scatter', 'one-factor', 'copied'], {
    variants: z.array(text).describe('whose energies no measurement would give'),
    runs: count.nullable().describe('that repeat earlier ones digit for digit, one after the other'),
    factor: number.nullable().describe('that makes them out of those of the baseline'),
    baselines: z
      .array(text)
      .describe('what these variants are a multiple of; absent: no factor, or not known')
      .exactOptional(),
  }),
  check('scale', ['within', 'between'], {
    seen: compared({ low_j: number, high_j: number }).describe(
      'within: the least and most energy of a variant; between: its median and that of the baseline',
    ),
  }),
  check('emulation', ['tcg'], {
    variants: z.array(text).describe('run in virtual machines whose processors QEMU emulated'),
  }),
  check('revisions', ['seen', 'unseen'], { variants: z.array(text) }),
  check('noise floor', ['unknown', 'alike', 'apart', 'small-change'], {
    baseline: text,
    blocks: count,
    percent: number.nullable(),
    ci95: Interval.nullable(),
    small: z.array(text).describe('variants whose change is not larger than the noise floor'),
  }),
  check('blocks', ['whole', 'incomplete', 'scattered'], {
    incomplete: z.array(count),
    of: count,
    scattered: z
      .strictObject({
        blocks: count,
        of: count,
        example: z.strictObject({ block: count, first_run: count, last_run: count }),
      })
      .nullable()
      .describe('blocks with runs of other blocks between their own: none is used as a block'),
  }),
  check('run order', ['mixed', 'unknown', 'one-after-another', 'fixed', 'contradicted', 'overlapping'], {
    order: z.array(text).nullable(),
    runs: z
      .tuple([count, count])
      .nullable()
      .describe('contradicted: the first of them starts later; overlapping: the second starts before the first ends'),
    blocked: z.boolean().describe('whether blocks are compared'),
  }),
  check('notation', ['converted'], {
    energy: z
      .strictObject({ column: text, joules: number.describe('in its unit') })
      .nullable()
      .describe('the column of energies; null: energy_j'),
    decimal_comma: z.boolean(),
  }),
  check('columns', ['unread'], { names: z.array(text) }),
  check('second arm', ['taken'], { baseline: text, again: text }),
]);
export type Check = Immutable<z.output<typeof Check>>;
export type CheckName = Check['name'];
export type CheckOf<Name extends CheckName> = Extract<Check, { readonly name: Name }>;
