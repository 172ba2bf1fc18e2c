import * as z from 'zod';
import { count, type Immutable } from './numbers.ts';

const kind = <Kind extends string, Facts extends z.core.$ZodLooseShape>(name: Kind, facts: Facts) =>
  z.strictObject({ kind: z.literal(name), ...facts });

/** Reasons for not comparing a run. The report makes the words. */
export const RunReason = z.discriminatedUnion('kind', [
  kind('recorded', { text: z.string().describe('as it was recorded with the run, or is written in the file') }),
  kind('block-repeated', {}),
  kind('empty-window', {}),
  kind('no-readings-between-guards', {}),
  kind('missing-reading-between-guards', {}),
  kind('missing-readings-in-window', {}),
  kind('no-idle-readings', {}),
  kind('other-executions', { executions: count, others: count.nullable() }),
  kind('no-energy-to-subtract', { channel: z.string() }),
]);
export type RunReason = Immutable<z.output<typeof RunReason>>;
