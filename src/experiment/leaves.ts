import { z } from 'zod';
import { BYTES, bytes, DURATION, durationS, PERCENT, percent } from './quantities.ts';

/** The pieces of the experiment file's schema. Every message completes the sentence "it must be …". */

/** 128 KiB: the longest single argument or variable that Linux hands to a program. */
const LONGEST_ARGUMENT = 131_071;
const NO_NUL = /^[^\0]*$/;

export function map<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, { error: `a map of ${Object.keys(shape).join(', ')}` });
}

export function text(must: string, pattern: RegExp, longest = 255) {
  return z.string({ error: must }).regex(pattern, { error: must }).max(longest, { error: must });
}

export function wholeNumber(least: number, most: number, what = 'a whole number') {
  const must = `${what} from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
  return z.int({ error: must }).min(least, { error: must }).max(most, { error: must });
}

/** A text or number turned into a number by `convert`, kept to a range. */
function quantity(
  must: string,
  pattern: RegExp,
  convert: (given: string | number) => number,
  fits: (value: number) => boolean,
) {
  const written = z.union(
    [z.number({ error: must }), z.string({ error: must }).regex(pattern, { error: must }).max(40, { error: must })],
    {
      error: must,
    },
  );
  return written.transform((given, context) => {
    const value = convert(given);
    if (!fits(value)) context.addIssue({ code: 'custom', message: must });
    return value;
  });
}

export function duration(must: string, fits: (seconds: number) => boolean) {
  return quantity(`${must}, such as 20s, 500ms, 2m, 1h or a number of seconds`, DURATION, durationS, fits);
}

export function percentage(most: number) {
  return quantity(
    `a percentage from 0% to ${most}%, such as 1%`,
    PERCENT,
    percent,
    (value) => value >= 0 && value <= most,
  );
}

export function size(least: number, must: string) {
  return quantity(must, BYTES, bytes, (value) => value >= least && value <= Number.MAX_SAFE_INTEGER);
}

const COMMAND = 'a command: text for "sh -c", or a list with the program first and then its arguments';
const word = z
  .string({ error: 'text' })
  .regex(NO_NUL, { error: 'text without NUL' })
  .max(LONGEST_ARGUMENT, { error: 'shorter than 128 KiB' });

export const command = z
  .union(
    [
      z
        .string({ error: COMMAND })
        .regex(/\S/, { error: COMMAND })
        .regex(NO_NUL, { error: COMMAND })
        .max(LONGEST_ARGUMENT, { error: COMMAND }),
      z.tuple([word.regex(/\S/, { error: 'the name or path of a program' })], word, { error: COMMAND }),
    ],
    { error: COMMAND },
  )
  .meta({ id: 'command' });

export const words = z.array(word, { error: 'a list of words; [] for none' });

const ENVIRONMENT = 'a map of variables and their texts';
export const environment = z
  .record(
    z
      .string()
      .regex(/^[^=\0]+$/, { error: 'a name without "="' })
      .max(1000, { error: 'shorter than 1,000 characters' }),
    z
      .string({ error: 'text; "" for an empty one' })
      .regex(NO_NUL, { error: 'text without NUL' })
      .max(LONGEST_ARGUMENT, { error: 'shorter than 128 KiB' }),
    { error: ENVIRONMENT },
  )
  .meta({ id: 'environment' });

const NAME = '1 to 100 printable characters, without spaces at the ends';
/** Names appear in tables, charts and CSV: anything printable, nothing that a terminal or a log would obey. */
export const label = z
  .string({ error: NAME })
  .regex(/^(?!\p{Z})[^\p{C}\p{Zl}\p{Zp}]{1,100}(?<!\p{Z})$/u, { error: NAME })
  .refine((name) => name !== '__proto__', { error: NAME });

export function hostPath(must: string) {
  return text(must, /^[^\0\n\r]*[^\0\n\r\s][^\0\n\r]*$/, 4096);
}
