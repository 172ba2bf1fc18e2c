import * as z from 'zod';

/** Schema of a check by its name: `reason` is what was found, `facts` are its numbers; the words are made where it is shown. */
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
