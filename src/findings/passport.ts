import * as z from 'zod';
import { upToTenths } from '../system/clock.ts';
import { check } from './check-shape.ts';
import { count, type Immutable, scalar } from './numbers.ts';

const number = z.number();
const serial = z.boolean().describe('the meter is on a serial line, so that a cable or hub may be the cause');

/** One check of `joulediff meter check`. */
export const PassportCheck = z.discriminatedUnion('name', [
  check('rate', ['usual', 'few-readings', 'clock-off', 'host-off'], {
    period_s: number.nullable().describe('null: too few readings'),
    nominal_period_s: number,
    serial,
  }),
  check('jitter', ['even', 'uneven'], { jitter_s: number, serial }),
  check('gaps', ['none', 'seen'], {
    count,
    first: z.string().nullable().describe('as the meter reported it'),
    serial,
  }),
  check('idle', ['disturbed'], { most_share: number.describe('of the processors, 0 to 1') }),
  check('load', ['hindered'], { least_share: number.describe('of the time, 0 to 1') }),
  check('wiring', ['follows', 'model-follows', 'few-readings', 'disturbed', 'no-step', 'falls', 'some-steps'], {
    idle_w: number.nullable().describe('mean of the undisturbed steps; null: none'),
    busy_w: number.nullable(),
    idle_sd_w: number,
    up: count.describe('steps at which the power rose'),
    judged: count.describe('undisturbed steps'),
    made: count,
    serial,
  }),
  check('latency', ['counter', 'held', 'unsettled', 'early', 'short-guard'], {
    mean_s: number.nullable().describe('null: a counter'),
    unsettled: count.describe('edges after which the power did not settle'),
    edges: count.describe('undisturbed, with a latency'),
    settle_s: number,
    guard_needed_s: number.nullable(),
    minimum_guard_s: number,
  }),
]);
export type PassportCheck = Immutable<z.output<typeof PassportCheck>>;
export type PassportCheckName = PassportCheck['name'];
export type PassportCheckOf<Name extends PassportCheckName> = Extract<PassportCheck, { readonly name: Name }>;

/** One load of known power that the meter's readings were compared with. */
export const CalibrationPoint = z.strictObject({
  when: z.iso.datetime(),
  true_w: z.number().min(0).describe('true power of the reference load, or reading of the better meter'),
  true_u_w: z.number().min(0).describe('standard uncertainty; 0: taken as exact'),
  read_w: z.number().describe('mean of the readings as the meter gave them'),
  read_u_w: z.number().min(0).describe('standard uncertainty of that mean'),
  readings: z.int().min(1),
});
export type CalibrationPoint = Immutable<z.output<typeof CalibrationPoint>>;

/** power = gain × reading + offset, for the first channel of a meter. Standard uncertainties (k = 1). */
export const Calibration = z.strictObject({
  by: z
    .strictObject({ type: z.string(), address: z.string().nullable() })
    .nullable()
    .describe('the better meter; null: reference loads'),
  points: z.array(CalibrationPoint).min(1),
  gain: z.number().min(0.5).max(2),
  offset_w: z.number(),
  pivot_w: z.number().describe('the reading at which the line is known best'),
  level_u_w: z.number().min(0).describe('standard uncertainty of the power at the pivot'),
  gain_u: z
    .number()
    .min(0)
    .nullable()
    .describe('standard uncertainty of the gain, independent of that; null: there was only one load'),
  common_gain_u: z
    .number()
    .min(0)
    .describe('uncertainty that all points share, as a fraction of the power: the class of the better meter'),
  common_offset_u_w: z.number().min(0).describe('the same, in watts'),
});
export type Calibration = Immutable<z.output<typeof Calibration>>;

/** Results of `joulediff meter check` for one meter on one machine. Null: not applicable, or unknown. */
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
  jitter_s: z.number().describe('standard deviation of the readings from an even clock'),
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
    .describe('how late the meter shows a step; null: none was seen'),
  reply: z
    .strictObject({ mean_s: z.number(), max_s: z.number() })
    .optional()
    .describe('time from a request to its reading; absent: the meter is not polled'),
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
  settling: z
    .strictObject({
      after_s: z
        .number()
        .min(0)
        .nullable()
        .describe('time from the last load until the power was back in its idle noise; null: more than watched_s'),
      watched_s: z.number(),
    })
    .optional()
    .describe('absent: a model, no load was seen, or the idle time around the loads was disturbed'),
  passed: z.boolean().describe('no check failed'),
  calibration: Calibration.optional().describe('absent: its readings are used as they are'),
  checks: z.array(PassportCheck),
});
export type Passport = Immutable<z.output<typeof Passport>>;

/** Whether the checks are undecided: every step was disturbed, and nothing else is wrong. */
export function isUndecided({ checks }: Pick<Passport, 'checks'>): boolean {
  const failed = checks.filter(({ state }) => state === 'fail');
  return failed.length > 0 && failed.every(({ name, reason }) => name === 'wiring' && reason === 'disturbed');
}

/** Shortest guard for this meter, rounded up to tenths of a second; null: its passport has none. */
export function neededGuardS({ guard_needed_s, latency }: Pick<Passport, 'guard_needed_s' | 'latency'>): number | null {
  if (guard_needed_s === null) return null;
  return upToTenths(Math.max(guard_needed_s, latency?.max_s ?? 0));
}
