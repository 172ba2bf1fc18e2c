import * as z from 'zod';
import { wholeText } from '../text/numbers.ts';
import { BYTES, bytes, DURATION, durationS, PERCENT, percent } from './quantities.ts';

/** The pieces of the experiment file's schema. Every message completes the sentence "it must be …". */

/** 128 KiB: the longest single argument or variable that Linux hands to a program. */
const LONGEST_ARGUMENT = 131_071;
const NO_NUL = /^[^\0]*$/;

export function map<T extends z.core.$ZodLooseShape>(shape: T, must = `a map of ${Object.keys(shape).join(', ')}`) {
  return z.strictObject(shape, { error: must });
}

/** The length is checked before the pattern, so that no pattern runs on a text of unlimited length. */
export function text(must: string, pattern: RegExp, longest = 255) {
  return z.string({ error: must }).max(longest, { error: must, abort: true }).regex(pattern, { error: must });
}

export function wholeNumber(least: number, most: number, what = 'a whole number') {
  const must = `${what} from ${wholeText(least)} to ${wholeText(most)}`;
  return z.int({ error: must }).min(least, { error: must }).max(most, { error: must });
}

/** Converts what the user wrote, and limits it to a range. */
function converted<S extends z.ZodType, T>(
  written: S,
  must: string,
  convert: (given: z.output<S>) => T,
  fits: (value: T) => boolean,
) {
  return written.transform((given, context) => {
    const value = convert(given);
    if (!fits(value)) context.addIssue({ code: 'custom', message: must });
    return value;
  });
}

/** A text with a unit, converted by `convert` and limited to a range. */
export function quantity<T>(must: string, pattern: RegExp, convert: (given: string) => T, fits: (value: T) => boolean) {
  return converted(text(must, pattern, 40), must, convert, fits);
}

/** A text or number, converted by `convert` and limited to a range. */
function quantityOrNumber(
  must: string,
  pattern: RegExp,
  convert: (given: string | number) => number,
  fits: (value: number) => boolean,
) {
  const written = z.union([z.number({ error: must }), text(must, pattern, 40)], { error: must });
  return converted(written, must, convert, fits);
}

const SUCH_TIMES = 'such as 20s, 500ms, 2m, 1h or a number of seconds';

export function duration(must: string, fits: (seconds: number) => boolean) {
  return quantityOrNumber(`${must}, ${SUCH_TIMES}`, DURATION, durationS, fits);
}

const HOUR_S = 3600;
const LIMIT = '"none", or a time above 0 and up to 168h';

/** A time limit; `none`: unlimited. */
export const timeLimit = z.union(
  [
    z.literal('none', { error: `${LIMIT}, ${SUCH_TIMES}` }),
    duration('a time above 0 and up to 168h', (s) => s > 0 && s <= 168 * HOUR_S),
  ],
  { error: `${LIMIT}, ${SUCH_TIMES}` },
);

export function percentage(most: number) {
  const must = `a percentage from 0% to ${most}%, with its sign, such as 1%`;
  return quantity(must, PERCENT, percent, (value) => value >= 0 && value <= most);
}

export function size(least: number, must: string) {
  return quantityOrNumber(must, BYTES, bytes, (value) => value >= least && value <= Number.MAX_SAFE_INTEGER);
}

const COMMAND = 'a command: text for "sh -c", or a list with the program first and then its arguments';
const WORD = 'text without NUL, shorter than 128 KiB';
const word = text(WORD, NO_NUL, LONGEST_ARGUMENT);

export const command = z
  .union(
    [
      text(COMMAND, /^(?=\s*\S)[^\0]*$/, LONGEST_ARGUMENT),
      z.tuple([text('the name or path of a program', /^(?=\s*\S)[^\0]*$/, LONGEST_ARGUMENT)], word, { error: COMMAND }),
    ],
    { error: COMMAND },
  )
  .meta({ id: 'command' });

export const words = z.array(word, { error: 'a list of words; [] for none' });

export const environment = z
  .record(
    text('a name without "="', /^[^=\0]+$/, 1000),
    text(`${WORD}; "" for an empty one`, NO_NUL, LONGEST_ARGUMENT),
    {
      error: 'a map of variables and their texts',
    },
  )
  .meta({ id: 'environment' });

const NAME = '1 to 100 printable characters, without spaces at the ends';
/** Names appear in tables, charts and CSV: anything printable, nothing that a terminal or a log would obey. */
export const label = text(NAME, /^(?!\p{Z})[^\p{C}\p{Zl}\p{Zp}]{1,100}(?<!\p{Z})$/u).refine(
  (name) => name !== '__proto__',
  { error: NAME },
);

/** Schema of the user that a process runs as, for all kinds of places that have users. */
export const user = text('a user as "name", "uid", "name:group" or "uid:gid"', /^[^\s:-][^\s:]*(:[^\s:-][^\s:]*)?$/)
  .optional()
  .meta({
    description:
      "User that the workload runs as; default: the image's, or on the host the user who started joulediff. `caller` in a container: the user who started joulediff. On the host this needs root; the workload itself runs without root's privileges.",
  });

export function hostPath(must: string) {
  return text(must, /^(?=\s*\S)[^\0\n\r]*$/, 4096);
}
