import type { Check } from '../../findings/checks.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { normalQuantile } from '../../stats/normal.ts';
import { autocorrelation } from '../../stats/trend.ts';
import { alarm, FALSE_ALARMS } from './alarm.ts';
import { type CheckedPair, type CheckedRuns, machineSeries } from './checked-runs.ts';
import { type Serial, serialDependence } from './serial.ts';

/** Minimum blocks for this check: with this number, all get the same order by chance in 3 % of experiments. */
export const MIN_FOR_ORDER = 6;

/**
 * Drift of the machine, whatever ran: arm-centered ln E in the order of the runs. Comparisons within blocks cancel it, so with blocks it is
 * only reported. It is a warning without blocks, and if all blocks have the same order: then drift within blocks always affects
 * the same variant.
 */
export function machineDrift(checked: CheckedRuns): Check[] {
  const { good, variants, pairs, blocked } = checked;
  const seen = serialDependence(machineSeries(good), FALSE_ALARMS);
  if (seen === null) return [];
  // Within blocks, shared drift cancels; without blocks, dependence makes the p values invalid.
  const echo = blocked ? null : findEcho(checked);
  const reason = seen.trends ? 'trend' : seen.correlated || echo !== null ? 'correlated' : 'none';
  const fixed = pairs.some(isFixedOrder);
  const facts = {
    blocked,
    fixed_order: fixed,
    change_percent: toPercent(seen.change),
    p: seen.trendP,
    lag1: seen.lag1,
    ...(echo !== null && { lag: echo.lag, correlation: echo.correlation }),
    seen_in: variants.filter((variant) => showsDrift(checked, variant, seen)),
    difference_drifts: differencesDrift(checked),
  };
  const state = echo !== null ? 'fail' : reason === 'none' || (blocked && !fixed) ? 'ok' : 'warn';
  return [{ name: 'drift', state, reason, facts }];
}

/** Autocorrelation from which runs are too dependent for any p value. */
const DEPENDENT = 0.5;
const MAX_LAGS = 4;
const MIN_FOR_ECHO = 12;

/** Lag at which values repeat, in all runs or in those of one variant; null: none. */
function findEcho({ good, variants }: CheckedRuns): { readonly lag: number; readonly correlation: number } | null {
  const own = variants.map((variant) =>
    good.filter((run) => run.variant === variant).map((run) => Math.log(run.energyJ)),
  );
  const series = [machineSeries(good), ...own].filter((values) => values.length >= MIN_FOR_ECHO);
  const alpha = FALSE_ALARMS / (2 * MAX_LAGS * series.length);
  for (const values of series) {
    const limit = Math.max(DEPENDENT, normalQuantile(1 - alpha / 2) / Math.sqrt(values.length));
    for (let lag = 1; lag <= MAX_LAGS; lag++) {
      const correlation = autocorrelation(values, lag);
      if (correlation !== null && Math.abs(correlation) > limit) return { lag, correlation };
    }
  }
  return null;
}

/** Whether the runs of this variant alone show what all runs show, in the same direction. */
function showsDrift({ good, variants }: CheckedRuns, variant: string, all: Serial): boolean {
  const logs = good.filter((run) => run.variant === variant).map((run) => Math.log(run.energyJ));
  const own = serialDependence(logs, FALSE_ALARMS / variants.length);
  if (own === null) return false;
  if (all.trends) return own.trends && Math.sign(own.change) === Math.sign(all.change);
  return own.correlated && Math.sign(own.lag1) === Math.sign(all.lag1);
}

/** Whether the difference between some variant and its baseline depends on time. */
export function differencesDrift(checked: CheckedRuns): boolean {
  return differenceDrift(checked).some(({ state }) => state !== 'ok');
}

function isFixedOrder({ blocks }: CheckedPair): boolean {
  return blocks.length >= MIN_FOR_ORDER && blocks.every((b) => b.baselineFirst === blocks[0]?.baselineFirst);
}

/** Checks for drift that blocks do not cancel: the differences change with time, or depend on the previous one. */
export function differenceDrift({ baseline, pairs }: CheckedRuns): Check[] {
  const examined = pairs.map(({ blocks, ...pair }) => {
    const values = blocks.map(({ d }) => d);
    return { pair, seen: serialDependence(values, FALSE_ALARMS / pairs.length) };
  });
  if (examined.every(({ seen }) => seen === null)) return [];
  const changed = examined.flatMap(({ pair, seen }) =>
    seen !== null && (seen.trends || seen.correlated)
      ? [{ ...pair, trend: seen.trends, change_percent: toPercent(seen.change), p: seen.trendP, lag1: seen.lag1 }]
      : [],
  );
  return [alarm('drift of the difference', changed.length > 0, { baseline, seen: changed })];
}
