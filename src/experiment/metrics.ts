import * as z from 'zod';
import { map, text } from '../input/leaves.ts';
import type { Path } from '../input/words.ts';
import type { Experiment } from './experiment.ts';

const NAME = '1 to 40 letters, digits and underscores, beginning with a letter';
const LINE =
  'a line of the output with one * in the place of the number, such as "SET: * requests per second": plain text, ^ for the start and $ for the end of the line';
const UNIT = 'a unit of 1 to 30 printable characters, such as requests/s, requests or ms';
const METRICS =
  'a map of names and metrics, such as { set: { line: "SET: * requests per second", unit: requests/s } }, 20 at most';

/** Numbers that the workload prints. */
export const metrics = z
  .record(
    text(NAME, /^[A-Za-z]\w{0,39}$/, 40),
    map({
      line: text(LINE, /^[^\p{C}*]*\*[^\p{C}*]*$/u, 500)
        .refine((line) => /[^\s^$*]/.test(line), { error: LINE })
        .meta({ description: 'Line of its output, with * for the number; the last such line of a run counts.' }),
      unit: text(UNIT, /^(?!\p{Z})[^\p{C}\p{Zl}\p{Zp}]{1,30}(?<!\p{Z})$/u, 30).meta({
        description: 'Unit of the number; of counts and rates, energy per unit is reported too.',
      }),
    }),
    { error: METRICS },
  )
  .refine((given) => Object.keys(given).length <= 20, { error: METRICS })
  .meta({ description: 'Numbers that the workload prints, compared like its duration.' });

export function resolveMetrics(
  given: z.output<typeof metrics> | undefined,
  order: (path: Path) => readonly string[],
): Pick<Experiment, 'metrics'> {
  const names = order(['metrics']);
  const all = Object.entries(given ?? {}).toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b));
  return all.length === 0 ? {} : { metrics: all.map(([name, { line, unit }]) => ({ name, line, unit })) };
}
