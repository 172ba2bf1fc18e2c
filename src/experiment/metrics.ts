import * as z from 'zod';
import type { Metric } from '../contracts/variant.ts';
import { map, text } from '../input/leaves.ts';

const NAME = '1 to 40 letters, digits and underscores, beginning with a letter';
const LINE =
  'a line of the output with one * in the place of the number, such as "SET: * requests per second": plain text, ^ for the start and $ for the end of the line';
const UNIT = 'a unit of 1 to 30 printable characters, such as requests/s, requests or ms';
const METRICS =
  'a map of names and metrics, such as { set: { line: "SET: * requests per second", unit: requests/s } }, 20 at most';

/** Schema of `metrics`: numbers that the workload prints. */
export const metrics = z
  .record(
    text(NAME, /^[A-Za-z]\w{0,39}$/, 40),
    map({
      line: text(LINE, /^[^\p{C}*]*\*[^\p{C}*]*$/u, 500)
        .refine((line) => /[^\s^$*]/.test(line), { error: LINE })
        .meta({ description: 'Line of its output, with * for the number; the last matching line of a run counts.' }),
      unit: text(UNIT, /^(?!\p{Z})[^\p{C}\p{Zl}\p{Zp}]{1,30}(?<!\p{Z})$/u, 30).meta({
        description: 'Unit of the number; for counts and rates, energy per unit is reported too.',
      }),
    }),
    { error: METRICS },
  )
  .refine((given) => Object.keys(given).length <= 20, { error: METRICS })
  .meta({ description: 'Numbers that the workload prints, compared like its duration.' });

interface Printing {
  readonly metrics?: readonly Metric[];
}

export function resolveMetrics(given: z.output<typeof metrics> | undefined): Printing {
  const all = Object.entries(given ?? {});
  return all.length === 0 ? {} : { metrics: all.map(([name, { line, unit }]) => ({ name, line, unit })) };
}

/** Metrics of this workload: the experiment's, with its own added or replacing those of the same name. */
export function mergeMetrics({ metrics = [] }: Printing, { metrics: own = [] }: Printing): readonly Metric[] {
  return [...metrics.filter(({ name }) => !own.some((other) => other.name === name)), ...own];
}
