import * as z from 'zod';
import { label } from '../input/leaves.ts';
import { variantSchema } from './variant-schema.ts';

const LEVELS =
  'a map of two levels and what a variant has at each, such as { native: {}, container: { image: debian } }';
const FACTORS =
  'a map of two factors and their levels, such as { place: { native: {}, container: { image: debian } }, … }';

/** How many there are is looked at later, where a sentence can name them. */
export const factors = z
  .record(
    label,
    z.record(label, variantSchema, { error: LEVELS }).meta({
      description: 'Two levels; the first is what the second is compared with.',
    }),
    { error: FACTORS },
  )
  .meta({
    description:
      'In the place of `variants`: two factors of two levels each. Every block holds the four combinations, named "level/level".',
  });
