import type { Check } from '../../findings/checks.ts';
import { shiftEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { mannKendall } from '../../stats/trend.ts';
import { alarm, FALSE_ALARMS } from './alarm.ts';
import { type CheckedRuns, machineSeries } from './checked-runs.ts';

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
  const blocked = differences !== null;
  const facts = { blocked, change_percent: toPercent(shift.estimate), p: test.p };
  return [alarm('warm-up', test.p < FALSE_ALARMS && !goesOn, facts, blocked ? 'ok' : 'warn')];
}
