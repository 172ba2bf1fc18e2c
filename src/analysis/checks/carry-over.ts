import type { Check } from '../../findings/checks.ts';
import { spearman } from '../../stats/correlation.ts';
import { shiftEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { median } from '../../stats/quantiles.ts';
import { alarm, FALSE_ALARMS } from './alarm.ts';
import type { BlockDifference, CheckedRuns } from './checked-runs.ts';

const MIN_EACH = 4;

/** Interval at which the settling of the machine is checked, seconds. */
const PACE_S = 0.1;

/**
 * Checks whether a run uses more after one variant than after the other (heat, caches, a busy disk). Only the first run of a block can show it:
 * the second always follows the other variant. The run before was drawn by chance with its block. If rests end by themselves, it also
 * checks whether runs after longer rests differ, from both runs of a block. For two variants.
 */
export function carryOver(runs: CheckedRuns): Check[] {
  const { baseline, others, differences } = runs;
  const [variant] = others;
  const blocks = others.length === 1 ? (differences?.[0]?.blocks ?? []) : [];
  const places = new Map(runs.all.map((run, place) => [run.run, place]));
  // Each order is centered by itself, since an order effect is no carry-over.
  const [ofBaselineFirst, ofVariantFirst] = [middle(blocks, true), middle(blocks, false)];
  const effects = blocks.flatMap((block) => {
    const before = runs.all[(places.get(block.first.run) ?? 0) - 1];
    if (before === undefined) return [];
    const off = block.d - (block.baselineFirst ? ofBaselineFirst : ofVariantFirst);
    // d contains the first run's energy with a minus sign if that run is the baseline's.
    return [{ after: before.variant, effect: block.baselineFirst ? -off : off }];
  });
  const after = (name: string | undefined): number[] => effects.filter((e) => e.after === name).map((e) => e.effect);
  const [afterBaseline, afterVariant] = [after(baseline), after(variant)];
  if (afterBaseline.length < MIN_EACH || afterVariant.length < MIN_EACH) return [];
  const test = mannWhitney(afterBaseline, afterVariant);
  const shift = shiftEstimate(afterBaseline, afterVariant);
  if (test === null || shift === null) return [];
  const rested = restedLonger(blocks, [ofBaselineFirst, ofVariantFirst]);
  const facts = { baseline, variant: variant as string, change_percent: toPercent(shift.estimate), p: test.p, rested };
  const ps = [test.p, ...(rested === null ? [] : [rested.p])];
  return [
    alarm(
      'carry-over',
      ps.some((p) => p < FALSE_ALARMS / ps.length),
      facts,
    ),
  ];
}

/** Correlation of the first run's energy against the second's with the difference of their rests. */
function restedLonger(
  blocks: readonly BlockDifference[],
  [ofBaselineFirst, ofVariantFirst]: readonly [number, number],
): { rho: number; p: number } | null {
  const seen = blocks.flatMap(({ d, baselineFirst, first, second }) => {
    if (first.rest === undefined || second.rest === undefined) return [];
    const off = d - (baselineFirst ? ofBaselineFirst : ofVariantFirst);
    return [{ longerS: first.rest.s - second.rest.s, more: baselineFirst ? -off : off }];
  });
  // Rests that differ by less than the settling check's interval count as equal.
  const differing = seen.filter(({ longerS }) => Math.abs(longerS) > PACE_S).length;
  if (differing < MIN_EACH) return null;
  const found = spearman(
    seen.map(({ longerS }) => longerS),
    seen.map(({ more }) => more),
  );
  return found && { rho: found.rho, p: found.p };
}

function middle(blocks: readonly BlockDifference[], baselineFirst: boolean): number {
  const own = blocks.filter((block) => block.baselineFirst === baselineFirst);
  return own.length === 0 ? 0 : median(own.map(({ d }) => d));
}
