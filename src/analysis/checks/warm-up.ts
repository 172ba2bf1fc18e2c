import type { Check } from '../../findings/checks.ts';
import { shiftEstimate } from '../../stats/hodges-lehmann.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { mannKendall } from '../../stats/trend.ts';
import { pText } from '../numbers.ts';
import { type CheckedRuns, machineSeries } from './checked-runs.ts';
import { FALSE_ALARMS, lamp, size } from './lamp.ts';

const LEAST_RUNS = 16;

/**
 * Was the machine still warming up? The first quarter of the compared runs against the rest (arm-centred ln E, Mann–Whitney), unless the
 * rest goes on in the same direction, which is drift. Harmless with blocks.
 */
export function warmUp({ good, differences }: CheckedRuns): Check[] {
  if (good.length < LEAST_RUNS) return [];
  const series = machineSeries(good);
  const quarter = Math.floor(series.length / 4);
  const early = series.slice(0, quarter);
  const rest = series.slice(quarter);
  const test = mannWhitney(rest, early);
  const shift = shiftEstimate(rest, early);
  if (test === null || shift === null) return [];
  const after = mannKendall(rest);
  const goesOn = after !== null && after.p < FALSE_ALARMS && Math.sign(after.s) === -Math.sign(shift.estimate);
  const more = shift.estimate > 0 ? 'more' : 'less';
  const blocked = differences !== null;
  const cure = blocked ? ' Both variants of a block had it alike.' : '';
  const words = `The first quarter of the runs used ${size(shift.estimate)} ${more} than the rest, whatever ran (Mann–Whitney ${pText(test.p)}).${cure}`;
  return [
    lamp(test.p < FALSE_ALARMS && !goesOn ? [words] : [], {
      name: 'warm-up',
      dark: 'No warm-up to be seen in the first quarter of the runs.',
      advice: blocked
        ? 'More warm-up blocks would make the interval a little narrower.'
        : 'Warm up longer before the runs that are compared, and run the variants in randomized blocks.',
      state: blocked ? 'ok' : 'warn',
    }),
  ];
}
