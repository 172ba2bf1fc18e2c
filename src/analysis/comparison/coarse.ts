import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { median } from '../../stats/quantiles.ts';
import { stepOf } from '../../stats/resolution.ts';
import type { Sample } from './sample.ts';

type Coarse = NonNullable<Comparison['coarse']>;

/**
 * Share of blocks with equal differences from which the meter's steps are about the scatter of a run or more. The exact interval of such readings
 * covers the change in as few as 32 % of simulated experiments, and calls variants equivalent that differ by the margin in up to 66 %. Rounding
 * moves a difference by less than one step, so widening the interval by a step at either end is always enough (`npm run simulate`).
 */
const EQUAL_BLOCKS = 0.3;

/** Whether equal differences of blocks show a coarse meter. Null: they don't, or there are no blocks. */
export function coarseBlocks({ pairs }: Sample): Coarse | null {
  if (pairs === null || pairs.length === 0) return null;
  const step = stepOf(pairs.flatMap(({ baseline, variant }) => [baseline.energyJ, variant.energyJ]));
  if (step === null) return null;
  const steps = pairs.map(({ baseline, variant }) => Math.round((variant.energyJ - baseline.energyJ) / step));
  const equal = Math.max(...[...Map.groupBy(steps, (count) => count).values()].map((same) => same.length));
  return equal >= EQUAL_BLOCKS * pairs.length ? { step_j: step, equal_blocks: equal } : null;
}

/** Widening of an interval at either end by one step, in joules and as a logarithm; 0 if steps don't matter. */
export function stepWidening(sample: Sample): { readonly joules: number; readonly log: number } {
  const joules = coarseBlocks(sample)?.step_j ?? 0;
  const middle = joules > 0 ? median(sample.x) : 0;
  return { joules, log: middle > 0 ? Math.log1p(joules / middle) : 0 };
}

/** Converts an interval of logarithms to percent, widened by `room` at either end; below 0, without widening. */
export function inPercent([low, high]: Interval, room: number): Interval {
  return [toPercent(low - room), toPercent(high + room)];
}

/** The unwidened interval in percent, as the test alone gives it. */
export function withoutRoom(interval: Interval | null, room: number): Interval | null {
  return interval && inPercent([Math.log1p(interval[0] / 100), Math.log1p(interval[1] / 100)], -room);
}
