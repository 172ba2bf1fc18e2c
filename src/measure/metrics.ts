import { closeSync, readSync } from 'node:fs';
import type { Metric } from '../contracts/variant.ts';
import { sizeOf } from '../executors/output-tail.ts';
import { harnesses } from '../harnesses/registry.ts';
import { mayBeScaled, unitFactor } from '../input/units.ts';
import type { MetricValue } from '../store/records.ts';
import { openRegular } from '../system/open-regular.ts';

/** Bytes at the end of a longer output that are searched. */
const MAX_BYTES = 32 * 2 ** 20;
/** A number at the beginning of a text, with or without groups of thousands: `17226.53`, `1,234.5`, `1e6`. Linear in its length. */
const NUMBER = /^\s*([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![.,]*\d)/;

/** Part of a log file that holds what a command printed. */
export interface Printed {
  readonly logFile: string;
  readonly fromByte: number;
  /** Null: to the end of the file. */
  readonly toByte: number | null;
}

/** A number that may be in another unit than its metric's. */
export interface RefusedNumber {
  readonly metric: string;
  /** Line that holds the number. */
  readonly line: string;
  /** Text behind the number, which may be its unit. */
  readonly suffix: string;
}

export interface ReadMetrics {
  readonly values: readonly MetricValue[];
  readonly refused: readonly RefusedNumber[];
}

/** What a run of so many executions printed of these metrics, in their units; those that it didn't print are absent. */
export function readMetrics(printed: Printed, metrics: readonly Metric[], executions = 1): ReadMetrics {
  const values: MetricValue[] = [];
  const refused: RefusedNumber[] = [];
  if (metrics.length === 0) return { values, refused };
  // A line that is rewritten, as a display of progress is, counts as several.
  const output = endOf(printed);
  const lines = output.split(/[\r\n]+/);
  for (const one of metrics) {
    const { name: metric, unit } = one;
    if ('harness' in one) {
      const value = harnesses.find(({ name }) => name === one.harness)?.timeIn?.(output, executions) ?? null;
      if (value !== null) values.push({ metric, value });
      continue;
    }
    const pattern = one.line;
    const line = lines.findLast((one) => numberIn(one, pattern, unit) !== null) ?? '';
    const found = numberIn(line, pattern, unit);
    if (typeof found === 'number') values.push({ metric, value: found });
    else if (found !== null) refused.push({ metric, line, ...found });
  }
  return { values, refused };
}

function endOf({ logFile, fromByte, toByte }: Printed): string {
  const size = toByte ?? sizeOf(logFile);
  const from = Math.max(fromByte, size - MAX_BYTES);
  if (from >= size) return '';
  const file = openRegular(logFile, 'read');
  try {
    const buffer = Buffer.alloc(size - from);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from));
  } finally {
    closeSync(file);
  }
}

/** A decimal comma, with or without points between thousands: `1.234,5`, `1,02`. */
const DECIMAL_COMMA = /^\s*[-+]?\d+(?:\.\d{3})*(,\d+[^\s;:!)\]}"'|]*)/;
/** What may follow a number: the end, a blank, or a punctuation mark that ends it. */
const ENDED = /^(?:$|[ \t]|[,;:!)\]}"'|](?!\d)|\.(?:$|[ \t]))/;
/** Letters and signs that touch a number, or a word behind a blank, which may be its unit. */
const TOUCHING = /^[^\s,;:!)\]}"'|]+/;
const NEXT_WORD = /^ ([^\s\d,;:!)\]}"'|]+)/;

/**
 * The number in the place of the `*` of a pattern, in `unit`. Null: the line is another one. Its suffix, where the number touches letters or signs
 * that the pattern doesn't have, and that can't be converted.
 */
export function numberIn(line: string, pattern: string, unit = ''): number | { readonly suffix: string } | null {
  const fromStart = pattern.startsWith('^');
  const toEnd = pattern.endsWith('$');
  const [before = '', after = ''] = evenly(pattern.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined)).split('*');
  const text = evenly(line.trimEnd());
  for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
    if (fromStart && at > 0) return null;
    const found = NUMBER.exec(text.slice(at + before.length));
    const rest = found && text.slice(at + before.length + found[0].length);
    const comma = found === null ? DECIMAL_COMMA.exec(text.slice(at + before.length))?.[1] : undefined;
    if (comma !== undefined) return { suffix: comma };
    if (found !== null && rest !== null && (toEnd ? rest === after : rest.startsWith(after))) {
      const value = Number(found[1]?.replaceAll(',', ''));
      const scale = parseScale(found[1] ?? '', after, rest, unit);
      if (typeof scale !== 'number') return scale;
      if (Number.isFinite(value)) return value * scale;
    }
    if (before === '') return null;
  }
  return null;
}

/** Factor for a number, by the unit behind it. `rest`: the text behind it, which begins with the pattern's `after`. */
function parseScale(number: string, after: string, rest: string, unit: string): number | { readonly suffix: string } {
  // The pattern gives the text behind the number; its last word must end there.
  if (after !== '') {
    const isWord = /[\p{L}\d]$/u.test(after) && /^[\p{L}\d]/u.test(rest.slice(after.length));
    return isWord ? { suffix: TOUCHING.exec(rest.trimStart())?.[0] ?? rest } : 1;
  }
  if (!ENDED.test(rest)) {
    const suffix = TOUCHING.exec(rest)?.[0].replace(/\.$/, '') ?? rest.slice(0, 8);
    return unitFactor(suffix, unit) ?? { suffix };
  }
  // Three digits behind a blank may be the next thousand, or the next column.
  const group = /^ \d{3}(?!\d)/.exec(rest)?.[0];
  if (group !== undefined && /^[-+]?\d{1,3}$/.test(number)) return { suffix: group };
  const word = NEXT_WORD.exec(rest)?.[1]?.replace(/\.$/, '') ?? '';
  return mayBeScaled(word, unit) ? { suffix: ` ${word}` } : (unitFactor(word, unit) ?? 1);
}

/** Text with single blanks, since columns have more of them the shorter their numbers are. */
const evenly = (text: string): string =>
  // A no-break space between digits may group thousands, so it stays.
  text.replace(/[\u00a0\u2009\u202f](?!\d)/g, ' ').replace(/[ \t]+/g, ' ');
