import { z } from 'zod';
import { Check } from './checks.ts';
import { type Immutable, scalar } from './numbers.ts';

/** What `joulediff meter check` found out about one meter on one machine. Null is what does not apply or could not be known. */
export const Passport = z.strictObject({
  schema: z.literal('joulediff/passport/1'),
  when: z.string().describe('ISO 8601, UTC'),
  host: z.string(),
  type: z.string(),
  address: z.string().nullable(),
  source: z.enum(['measured', 'modelled', 'emulated']),
  identity: z.record(z.string(), scalar),
  channel: z.string(),
  duration_s: z.number(),
  readings: z.number(),
  gaps: z.number(),
  period_s: z.number(),
  nominal_period_s: z.number(),
  jitter_s: z.number().describe('standard deviation of the readings around their even clock'),
  longest_interval_s: z.number(),
  resolution_w: z.number().nullable().describe('smallest step between two readings; null for a counter'),
  latency: z
    .strictObject({
      mean_s: z.number(),
      sd_s: z.number().nullable(),
      max_s: z.number(),
      edges: z.number(),
    })
    .nullable()
    .describe('how late the meter shows a step; null where none was seen'),
  guard_needed_s: z.number().nullable(),
  step: z
    .strictObject({
      idle_w: z.number(),
      busy_w: z.number(),
      step_w: z.number(),
      sd_w: z.number().nullable(),
      made: z.number(),
      judged: z.number(),
      seen: z.number(),
    })
    .nullable(),
  sane: z.boolean(),
  checks: z.array(Check),
});
export type Passport = Immutable<z.output<typeof Passport>>;
