import * as z from 'zod';
import { Verdict } from './comparison.ts';
import { type Immutable, Interval, probability } from './numbers.ts';

/** Percent values here are 100 times a mean log ratio: increases and decreases of equal size add up to zero. */
const logPercent = z.number().describe('100 × mean log ratio');
const logInterval = Interval.describe('100 × mean log ratio');

export const LeftOut = z.enum(['failed', 'untrusted', 'no-blocks', 'no-spread']);
export type LeftOut = z.output<typeof LeftOut>;

/** Schema of `joulediff merge --json`: one comparison on several machines. */
export const Merged = z.strictObject({
  baseline: z.string(),
  variant: z.string(),
  source: z.enum(['measured', 'modelled', 'emulated', 'unknown']).describe('of all numbers here'),
  by: z
    .enum(['machine', 'result'])
    .describe('what each of the machines below is: result: several may be of one machine'),
  machines: z.array(
    z.strictObject({
      name: z.string(),
      percent: logPercent,
      se_percent: z.number(),
      weight: probability.describe('share in the pooled change'),
      ci95: logInterval,
      results: z.array(z.string()).describe('what this machine measured; several are pooled before'),
      meter: z.string(),
      verdict: Verdict.describe('its own; of several results by their pooled interval and the margin'),
    }),
  ),
  pooled: z.strictObject({
    method: z.literal('reml-hartung-knapp'),
    percent: logPercent,
    ci95: logInterval,
    prediction95: logInterval.describe('of the change on a machine that was not measured yet'),
    tau_percent: z.number().describe('standard deviation of the change between machines'),
    tau_ci95: Interval,
    i2_percent: z.number().describe("variation between the machines that isn't their errors'"),
    i2_ci95: Interval,
    q: z.number(),
    p: probability.describe('of Q: whether the machines differ at all'),
  }),
  leave_one_out: z
    .array(z.strictObject({ without: z.string(), percent: logPercent, ci95: logInterval }))
    .describe('empty: two machines, or very many'),
  left_out: z.array(z.strictObject({ result: z.string(), because: LeftOut })),
  differs: z
    .array(z.enum(['experiment', 'meter', 'part', 'command', 'margin', 'partial']))
    .describe('what else than the machine is not the same'),
});
export type Merged = Immutable<z.output<typeof Merged>>;
