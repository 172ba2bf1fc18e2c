import type { Check } from '../../findings/checks.ts';
import { shiftEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { alarm, FALSE_ALARMS } from './alarm.ts';
import type { CheckedPair, CheckedRuns } from './checked-runs.ts';

/** Minimum blocks of each order: with fewer, no effect can be shown. */
const MIN_EACH = 4;

/**
 * Whether the position in a block matters: Mann–Whitney test of the differences in blocks with the baseline first against the
 * others. The orders were drawn by chance, so only an order effect makes them differ by more than chance.
 */
export function orderEffect({ baseline, pairs }: CheckedRuns): Check[] {
  const examined = pairs.flatMap((pair) => compared(pair));
  if (examined.length === 0) return [];
  const seen = examined
    .filter(({ p }) => p < FALSE_ALARMS / examined.length)
    .map(({ pair, p, later }) => ({ ...pair, later_percent: toPercent(later), p }));
  return [alarm('order effect', seen.length > 0, { baseline, seen })];
}

function compared({ baseline, variant, blocks }: CheckedPair) {
  const of = (baselineFirst: boolean): number[] =>
    blocks.filter((b) => b.baselineFirst === baselineFirst).map((b) => b.d);
  const variantLater = of(true);
  const variantEarlier = of(false);
  if (variantLater.length < MIN_EACH || variantEarlier.length < MIN_EACH) return [];
  const test = mannWhitney(variantEarlier, variantLater);
  const shift = shiftEstimate(variantEarlier, variantLater);
  // The later run's extra energy is in both groups, with opposite signs.
  return test && shift ? [{ pair: { baseline, variant }, p: test.p, later: shift.estimate / 2 }] : [];
}
