import type { Check } from '../../findings/checks.ts';
import { shiftEstimate } from '../../stats/hodges-lehmann.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { median } from '../../stats/quantiles.ts';
import { alarm, FALSE_ALARMS } from './alarm.ts';
import type { BlockDifference, CheckedRuns } from './checked-runs.ts';

const MIN_EACH = 4;

/**
 * Does a run use more after one variant than after the other (heat, caches, a busy disk)? Only the first run of a block can tell: the
 * second always follows the other variant. What ran before it was drawn by chance with the block before. For two variants.
 */
export function carryOver(runs: CheckedRuns): Check[] {
  const { baseline, others, differences } = runs;
  const [variant] = others;
  const blocks = others.length === 1 ? (differences?.[0]?.blocks ?? []) : [];
  const places = new Map(runs.all.map((run, place) => [run.run, place]));
  // Each order has its own middle: an order effect is no carry-over.
  const [ofBaselineFirst, ofVariantFirst] = [middle(blocks, true), middle(blocks, false)];
  const effects = blocks.flatMap((block) => {
    const before = runs.all[(places.get(block.first.run) ?? 0) - 1];
    if (before === undefined) return [];
    const off = block.d - (block.baselineFirst ? ofBaselineFirst : ofVariantFirst);
    // The first run stands in d with a minus where it is the baseline's.
    return [{ after: before.variant, effect: block.baselineFirst ? -off : off }];
  });
  const after = (name: string | undefined): number[] => effects.filter((e) => e.after === name).map((e) => e.effect);
  const [afterBaseline, afterVariant] = [after(baseline), after(variant)];
  if (afterBaseline.length < MIN_EACH || afterVariant.length < MIN_EACH) return [];
  const test = mannWhitney(afterBaseline, afterVariant);
  const shift = shiftEstimate(afterBaseline, afterVariant);
  if (test === null || shift === null) return [];
  const facts = { baseline, variant: variant as string, change_percent: toPercent(shift.estimate), p: test.p };
  return [alarm('carry-over', test.p < FALSE_ALARMS, facts)];
}

function middle(blocks: readonly BlockDifference[], baselineFirst: boolean): number {
  const own = blocks.filter((block) => block.baselineFirst === baselineFirst);
  return own.length === 0 ? 0 : median(own.map(({ d }) => d));
}
