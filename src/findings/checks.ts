import { z } from 'zod';
import type { Immutable } from './numbers.ts';

/** A check of the runs, or of a meter. */
export const Check = z.strictObject({
  name: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  advice: z.string().nullable(),
});
export type Check = Immutable<z.output<typeof Check>>;
