import * as z from 'zod';
import { map, wholeNumber } from '../input/leaves.ts';

const MOST_BLOCKS = 10_000;
const LOOKS = 'a list of 2 to 10 increasing whole numbers, such as [30, 45, 60]';
const REPETITIONS = `a whole number from 1 to ${MOST_BLOCKS.toLocaleString('en-US')}, or { looks: [30, 45, 60] } with 2 to 10 increasing ones`;

const looks = z
  .array(wholeNumber(1, MOST_BLOCKS), { error: LOOKS })
  .min(2, { error: LOOKS })
  .max(10, { error: LOOKS })
  .refine((list) => list.every((blocks, i) => blocks > (list[i - 1] ?? 0)), { error: LOOKS })
  .meta({
    description:
      'Blocks after which it may end, if every change is shown by then; the last ends it. The levels are stricter for it, so that looking early adds no false alarms.',
  });

/** How many blocks: a number that is fixed beforehand, or the looks of a group-sequential plan. */
export const repetitions = z
  .union([wholeNumber(1, MOST_BLOCKS), map({ looks })], { error: REPETITIONS })
  .meta({ description: 'Blocks: in each, every variant runs once, in random order.' });
