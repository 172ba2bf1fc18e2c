import type { Check } from '../../findings/checks.ts';
import { shiftEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { mannKendall } from '../../stats/trend.ts';
import { alarm, FALSE_ALARMS } from './alarm.ts';
import { type CheckedRuns, machineSeries } from './checked-runs.ts';
import { differencesDrift } from './drift.ts';

const MIN_RUNS = 16;

/**
 * Whether the machine was still warming up: the first quarter of the compared runs against the rest (arm-centered ln E, Mann–Whitney), unless the
 * rest continues in the same direction, which is drift. Harmless with blocks.
 */
export function warmUp(checked: CheckedRuns): Check[] {
  const { good, variants, blocked } = checked;
  if (good.length < MIN_RUNS) return [];
  const series = machineSeries(good);
  const quarter = Math.floor(series.length / 4);
  const rest = series.slice(quarter);
  const seen = earlyAgainstRest(series);
  if (seen === null) return [];
  const after = mannKendall(rest);
  const goesOn = after !== null && after.p < FALSE_ALARMS && Math.sign(after.s) === -Math.sign(seen.change);
  const facts = {
    blocked,
    change_percent: toPercent(seen.change),
    p: seen.p,
    seen_in: variants.filter((variant) => {
      const own = earlyAgainstRest(good.filter((run) => run.variant === variant).map((run) => Math.log(run.energyJ)));
      const level = FALSE_ALARMS / variants.length;
      return own !== null && own.p < level && Math.sign(own.change) === Math.sign(seen.change);
    }),
    difference_drifts: differencesDrift(checked),
  };
  return [alarm('warm-up', seen.p < FALSE_ALARMS && !goesOn, facts, blocked ? 'ok' : 'warn')];
}

/** Compares the first quarter of a series with the rest. */
function earlyAgainstRest(series: readonly number[]): { readonly change: number; readonly p: number } | null {
  const quarter = Math.floor(series.length / 4);
  if (quarter === 0) return null;
  const [early, rest] = [series.slice(0, quarter), series.slice(quarter)];
  const test = mannWhitney(rest, early);
  const shift = shiftEstimate(rest, early);
  return test && shift && { change: shift.estimate, p: test.p };
}
