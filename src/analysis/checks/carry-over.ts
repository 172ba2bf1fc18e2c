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
 * the second follows the other variant, or the second arm of the baseline. The run before was drawn by chance with its block. If rests end by themselves, it also
 * checks whether runs after longer rests differ, from both runs of a block. For two variants.
 */
export function carryOver(runs: CheckedRuns): Check[] {
  const { sequence, variants, pairs } = runs;
  const [pair] = pairs;
  if (pair === undefined || variants.length !== 2) return [];
  const { baseline, variant, blocks } = pair;
  const places = new Map(sequence.map(({ run }, place) => [run, place]));
  const runBefore = ({ run }: { run: number }) => sequence[(places.get(run) ?? 0) - 1];
  const before = (one: { run: number }) => runBefore(one)?.variant;
  // Where another arm opened the block, the pair's first run always follows that arm, and never stands where an opening run does.
  const opened = blocks.filter(({ first }) => runBefore(first)?.block !== first.block);
  // Each order is centered by itself, since an order effect is no carry-over; so is what the second run follows, if an arm ran in between.
  const groups = Map.groupBy(opened, (block) => JSON.stringify([block.baselineFirst, before(block.second)]));
  const centered = [...groups.values()].flatMap((own) => {
    const middle = median(own.map(({ d }) => d));
    // d contains the first run's energy with a minus sign if that run is the baseline's.
    return own.map((block) => ({ ...block, more: block.baselineFirst ? middle - block.d : block.d - middle }));
  });
  const effects = centered.map(({ first, more }) => ({ after: before(first), effect: more }));
  const after = (name: string): number[] => effects.filter((e) => e.after === name).map((e) => e.effect);
  const [afterBaseline, afterVariant] = [after(baseline), after(variant)];
  if (afterBaseline.length < MIN_EACH || afterVariant.length < MIN_EACH) return [];
  const test = mannWhitney(afterBaseline, afterVariant);
  const shift = shiftEstimate(afterBaseline, afterVariant);
  if (test === null || shift === null) return [];
  const rested = restedLonger(centered);
  const facts = { baseline, variant, change_percent: toPercent(shift.estimate), p: test.p, rested };
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
  blocks: readonly (BlockDifference & { readonly more: number })[],
): { rho: number; p: number } | null {
  const seen = blocks.flatMap(({ first, second, more }) =>
    first.rest === undefined || second.rest === undefined ? [] : [{ longerS: first.rest.s - second.rest.s, more }],
  );
  // Rests that differ by less than the settling check's interval count as equal.
  const differing = seen.filter(({ longerS }) => Math.abs(longerS) > PACE_S).length;
  if (differing < MIN_EACH) return null;
  return spearman(
    seen.map(({ longerS }) => longerS),
    seen.map(({ more }) => more),
  );
}
