import * as z from 'zod';

/** Shape of a check by its name: `reason` says what was found, `facts` how much of it; the words are made where they are shown. */
export function check<Name extends string, Reason extends string, Facts extends z.core.$ZodLooseShape>(
  name: Name,
  reasons: readonly [Reason, ...Reason[]],
  facts: Facts,
) {
  return z.strictObject({
    name: z.literal(name),
    state: State,
    reason: z.enum(reasons),
    facts: z.strictObject(facts),
  });
}

const State = z.enum(['ok', 'warn', 'fail']);
