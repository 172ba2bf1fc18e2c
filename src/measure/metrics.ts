import { closeSync, openSync, readSync } from 'node:fs';
import { sizeOf } from '../executors/output-tail.ts';
import type { Metric } from '../experiment/experiment.ts';
import type { MetricValue } from '../store/records.ts';

/** Of a longer output so much of its end is looked through. */
const MOST_BYTES = 32 * 2 ** 20;
/** With or without thousands in groups: `17226.53`, `1,234.5`, `1e6`. */
const NUMBER = /^\s*([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\d.,]*\d)/;

/** Where in a log it stands what a command printed. */
export interface Printed {
  readonly logFile: string;
  readonly fromByte: number;
  /** Null: to its end. */
  readonly toByte: number | null;
}

/** What a run printed of these metrics; those that it didn't print are absent. */
export function readMetrics(printed: Printed, metrics: readonly Metric[]): MetricValue[] {
  if (metrics.length === 0) return [];
  // A line that is written over again and again, as progress is, is several.
  const lines = endOf(printed).split(/[\r\n]+/);
  return metrics.flatMap(({ name, line: pattern }) => {
    const values = lines.map((line) => numberIn(line, pattern)).filter((value) => value !== null);
    const value = values.at(-1);
    return value === undefined ? [] : [{ metric: name, value }];
  });
}

function endOf({ logFile, fromByte, toByte }: Printed): string {
  const size = toByte ?? sizeOf(logFile);
  const from = Math.max(fromByte, size - MOST_BYTES);
  if (from >= size) return '';
  const file = openSync(logFile, 'r');
  try {
    const buffer = Buffer.alloc(size - from);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from));
  } finally {
    closeSync(file);
  }
}

/** The number in the place of the `*` of a pattern; null: the line is another one. */
export function numberIn(line: string, pattern: string): number | null {
  const fromStart = pattern.startsWith('^');
  const toEnd = pattern.endsWith('$');
  const [before = '', after = ''] = evenly(pattern.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined)).split('*');
  const text = evenly(line.trimEnd());
  for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
    if (fromStart && at > 0) return null;
    const found = NUMBER.exec(text.slice(at + before.length));
    const rest = found && text.slice(at + before.length + found[0].length);
    if (rest !== null && (toEnd ? rest === after : rest.startsWith(after))) {
      const value = Number(found?.[1]?.replaceAll(',', ''));
      if (Number.isFinite(value)) return value;
    }
    if (before === '') return null;
  }
  return null;
}

/** What stands in columns has more blanks the shorter its numbers are. */
const evenly = (text: string): string => text.replace(/[ \t]+/g, ' ');
