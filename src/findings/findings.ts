import * as z from 'zod';
import { Check } from './checks.ts';
import { Comparison, EndReason } from './comparison.ts';
import { Conditions } from './conditions.ts';
import { Effects } from './effects.ts';
import { Explanation } from './explain.ts';
import { Factorial } from './factorial.ts';
import { Costs, ThresholdResult } from './goals.ts';
import { count, type Immutable, Interval, MachinePart, probability, SerialStatistics, scalar } from './numbers.ts';
import { Passport } from './passport.ts';
import { SuiteFindings } from './suite.ts';
import { Fairness } from './surroundings.ts';
import { VariantFindings } from './variant.ts';

/** Cost of measuring: every run, warm-up and rest between the first reading and the last. */
const MeasuringCost = z
  .strictObject({
    duration_s: z
      .number()
      .min(0)
      .describe('from the first to the last reading of the primary channel, pauses left out'),
    energy_j: z
      .number()
      .nullable()
      .describe('gross, on the primary channel, from the same source as its other numbers; null: see `unknown`'),
    unknown: z
      .enum(['no-readings', 'gaps'])
      .nullable()
      .describe('why there is no energy; gaps: readings are missing for more than 1 % of the time; null: it is known'),
    other_channels: z
      .record(z.string(), z.number().nullable())
      .describe('energy in joules on each of the other channels; absent: there are none')
      .exactOptional(),
    saving: z
      .strictObject({ baseline: z.string(), variant: z.string() })
      .nullable()
      .describe('the comparison that saves most among those with the verdict decrease; null: there is none'),
    pays_back_runs: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'executions of the command that save as much as energy_j, by the means of that comparison; null: not known',
      ),
  })
  .describe('what the measurement itself cost');
export type MeasuringCost = Immutable<z.output<typeof MeasuringCost>>;

/** Schema of findings.json, `joulediff/findings/1`. SI units; undefined values are null; differences are variant minus baseline. */
export const Findings = z.strictObject({
  schema: z.literal('joulediff/findings/1'),
  experiment: z.strictObject({
    id: z.string().nullable(),
    name: z.string(),
    started_at: z.string().nullable().describe('ISO 8601, UTC'),
    commit: z
      .strictObject({
        sha: z.string().regex(/^[0-9a-f]{40,64}$/),
        dirty: z.boolean().describe('tracked files differed from it'),
      })
      .describe(
        'the commit that variants without a revision ran at; absent: every variant has a revision, there is no repository, or it is not known',
      )
      .exactOptional(),
    seed: count.nullable(),
    order: z.string(),
    repetitions_planned: count.nullable(),
    warmup_blocks: count
      .describe('whole blocks that ran first and are not compared; absent: not known')
      .exactOptional(),
    repetitions_completed: count.nullable().describe('blocks in which every variant has a valid run'),
    looks: z
      .strictObject({
        planned: z.array(count).describe('blocks at each interim analysis'),
        used: count.describe('interim analyses that were done'),
        nominal_p: z.array(probability).describe('significance level of each planned interim analysis'),
        spending: z
          .enum(['obrien-fleming', 'pocock'])
          .describe('how the error is spent on the interim analyses: function of Lan and DeMets of this type'),
        want_percent: z
          .number()
          .describe('half-width of the 95 % interval at which the experiment ends; absent: it ends by its verdicts')
          .exactOptional(),
        p: z
          .array(probability.nullable())
          .describe('the largest p of the comparisons at each interim analysis that was done, as of then'),
        stopped_at: count
          .nullable()
          .describe("blocks after which its rule ended it, before the last interim analysis; null: it didn't"),
        stopped_because: EndReason.nullable(),
      })
      .describe('its interim analyses; absent: it could not end early')
      .exactOptional(),
    phase_lines: z
      .strictObject({
        common: count.describe('lines of the output that every good run printed once, in one order'),
        used: count.describe('number of them that name a phase: those followed by the longest stretches'),
        printed_at: z
          .enum(['start', 'end'])
          .describe('where in its phase a line is printed; inferred unless the experiment file says it')
          .exactOptional(),
        merged: z
          .array(z.strictObject({ line: z.string(), into: z.string().nullable() }))
          .describe(
            'up to 20 lines that name no phase because their stretch is too short, and the phase that contains it; null: it is outside of phases',
          )
          .exactOptional(),
        slices: count.describe('equal parts that each run was divided into: no line names a phase').exactOptional(),
      })
      .describe('how phases were found in the output; absent: they were not looked for')
      .exactOptional(),
    complete: z.boolean().describe('false: the experiment stopped before its plan was completed'),
    baseline: z.string(),
    margin_percent: z.number(),
    rest_s: z.number().nullable(),
    guard_s: z.number().nullable(),
    rests: z
      .strictObject({
        up_to_s: z.number().describe('the longest rest that was allowed'),
        median_s: z.number(),
        least_s: z.number(),
        most_s: z.number(),
        longest: count.describe('number of rests of that length, after which the machine had not settled'),
        runs: count,
      })
      .describe('rests before valid runs, warm-up included; absent: they did not end when the machine had settled')
      .exactOptional(),
    services: z
      .array(
        z.strictObject({
          name: z.string(),
          place: z.enum(['variant', 'host', 'machine']).describe('machine: on another one, which is not measured'),
          machine: z.string().describe('the name of that other machine; absent: there is none').exactOptional(),
          lifetime: z.enum(['run', 'experiment']),
        }),
      )
      .describe('services that ran beside the workload, in the order of their start; absent: there were none')
      .exactOptional(),
    client_place: z
      .enum(['host', 'machine'])
      .describe(
        'where the command ran for all variants: on the host, or on a third machine that is not measured; absent: in the place of each variant',
      )
      .exactOptional(),
    client_machine: z.string().describe('the name of that third machine; absent: there is none').exactOptional(),
    window: z
      .enum(['workload', 'service'])
      .describe(
        'what the energies include: the command alone, or also the start and end of the services; absent: there are no services',
      )
      .exactOptional(),
    joulediff_version: z.string(),
  }),
  meter: z
    .strictObject({
      type: z.string(),
      address: z.string().nullable(),
      name: z
        .string()
        .nullable()
        .describe('with its options, as on a command line; null: the runs were not measured by joulediff'),
      measured: z.boolean().describe('true only for an instrument: neither a model nor an emulator'),
      source: z.enum(['measured', 'modelled', 'emulated', 'unknown']),
      part: MachinePart.nullable().describe('what the primary channel sees of the machine; null: not known'),
      sampling_period_s: z.number().nullable(),
      accuracy: z
        .strictObject({
          gain_percent: z.number().min(0),
          offset_w: z.number().min(0),
        })
        .nullable(),
      identity: z.record(z.string(), scalar),
      remarks: z.array(z.string()),
      passport: Passport.nullable().describe('what `joulediff meter check` had found about the meter on this machine'),
      channels: z.array(z.string()).describe('the first is primary'),
      other_meters: z
        .array(z.string())
        .describe('the other meters, as on a command line; absent: there are none')
        .exactOptional(),
      channel_sources: z
        .record(z.string(), z.enum(['measured', 'modelled', 'emulated']))
        .describe("source of each channel whose source differs from the primary one's; absent: there are none")
        .exactOptional(),
    })
    .meta({
      if: { properties: { source: { const: 'measured' } } },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { properties: { measured: { const: true } } },
      else: { properties: { measured: { const: false } } },
    }),
  conditions: Conditions.nullable(),
  quality: z.strictObject({
    noise_floor_percent: z
      .number()
      .nullable()
      .describe(
        'difference that this machine shows between two identical variants: when the baseline is compared with itself, the whole 95 % interval of the difference lies within ± this; null: not measured',
      ),
    noise_floor: z
      .strictObject({
        percent: z.number().describe('the same as noise_floor_percent'),
        ci95: Interval.describe(
          "that 95 % interval, in percent: Hodges-Lehmann's exact signed-rank interval of the blocks' log ratios",
        ),
        blocks: z.int(),
        source: z
          .enum(['inline', 'stored'])
          .describe(
            'inline: measured within this experiment; stored: by `joulediff noise` before it, with the same workload, machine and meter',
          ),
        measured_at: z.string().nullable().describe('when the experiment that measured it began; ISO 8601, UTC'),
      })
      .nullable(),
    checks: z.array(Check),
    machine: SerialStatistics.nullable().describe(
      "ln E of the compared runs on the primary channel, minus the mean of their variant, in order of time; null: the order isn't known",
    ),
  }),
  variants: z.array(VariantFindings),
  comparisons: z.array(Comparison),
  suite: SuiteFindings.describe('its benchmarks together; absent: the experiment has no suite').exactOptional(),
  factorial: Factorial.nullable()
    .describe('of two factors with two levels each; absent: other designs')
    .exactOptional(),
  effects: Effects.exactOptional(),
  fairness: Fairness.exactOptional(),
  explanation: Explanation.describe(
    'what accompanies the differences, from extra runs that were profiled; the same as explain.json',
  ).exactOptional(),
  thresholds: z
    .array(ThresholdResult)
    .describe('each limit of fail-on or budget in each comparison or variant that it is for; absent: there are none')
    .exactOptional(),
  costs: Costs.nullable().exactOptional(),
  cost: MeasuringCost.describe('what the measurement itself cost; absent: the runs come from a table').exactOptional(),
});
export type Findings = Immutable<z.output<typeof Findings>>;
