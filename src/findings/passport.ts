import { z } from 'zod';
import { type Immutable, scalar } from './numbers.ts';

/** One thing that `joulediff meter check` looked at, with what it told the person who ran it. */
export const PassportCheck = z.strictObject({
  name: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  advice: z.string().nullable(),
});
export type PassportCheck = Immutable<z.output<typeof PassportCheck>>;

/** What `joulediff meter check` found out about one meter on one machine. Null is what does not apply or could not be known. */
export const Passport = z.strictObject({
  schema: z.literal('joulediff/passport/1'),
  when: z.iso.datetime(),
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
  checks: z.array(PassportCheck),
});
export type Passport = Immutable<z.output<typeof Passport>>;
