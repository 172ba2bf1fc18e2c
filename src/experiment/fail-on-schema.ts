import * as z from 'zod';
import { label, map, quantity } from '../input/leaves.ts';
import { ABOVE, BELOW, type Limit, limit } from '../input/quantities.ts';

const MOST_THRESHOLDS = 100;
const ABOVE_TEXT = 'a limit with its unit, such as "5%" or "20 J"';
const BELOW_TEXT = 'a limit with its sign and unit, such as "-5%" or "-20 J"';
const THRESHOLD = `${ABOVE_TEXT}, or a map with above or below, such as { above: 5%, variant: container }`;
const YES = 'true or false';

const fits = ({ metric, value }: Limit): boolean => metric === 'joules' || (value > -100 && value <= 10_000);
const above = quantity(ABOVE_TEXT, ABOVE, limit, fits);
const below = quantity(BELOW_TEXT, BELOW, limit, fits);

export const threshold = z.union(
  [
    above,
    map({
      above: above.optional().meta({ description: 'Crossed when the variant uses more than this more.' }),
      below: below.optional().meta({ description: 'Crossed when the variant uses more than this less.' }),
      variant: label.optional().meta({ description: 'Default: every variant that is compared.' }),
      channel: label.optional().meta({ description: 'Default: the primary one.' }),
      'even-if-inconclusive': z.boolean({ error: YES }).optional().meta({
        description: 'true: fails unless the interval lies within the limit, so that an open result fails too.',
      }),
    }),
  ],
  { error: THRESHOLD },
);

/** Changes that fail the job: more energy by more than so much, shown beyond the interval. */
export const failOn = z
  .union([threshold, z.array(threshold, { error: THRESHOLD }).max(MOST_THRESHOLDS, { error: THRESHOLD })], {
    error: THRESHOLD,
  })
  .meta({
    description:
      'Limits for the change of every variant, such as 5% or "20 J", or a list: one that is crossed with its whole 95 % interval makes the exit code 1.',
  });

export type ThresholdFile = z.output<typeof threshold>;
