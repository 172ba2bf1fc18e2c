import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { median } from '../../stats/quantiles.ts';
import { stepOf } from '../../stats/resolution.ts';
import type { Sample } from './sample.ts';

type Coarse = NonNullable<Comparison['coarse']>;

/**
 * With so many blocks of the same difference, the steps of the meter are about twice the scatter of a run or more: rounding alone then calls
 * variants equivalent that differ by the margin (in simulation, in up to 66 % of experiments; in 2 % with half a step of room).
 */
const EQUAL_BLOCKS = 0.4;

/** Blocks whose differences say little because the meter counts in steps. Null: they don't, or there are no blocks. */
export function coarseBlocks({ pairs }: Sample): Coarse | null {
  if (pairs === null || pairs.length === 0) return null;
  const step = stepOf(pairs.flatMap(({ baseline, variant }) => [baseline.energyJ, variant.energyJ]));
  if (step === null) return null;
  const steps = pairs.map(({ baseline, variant }) => Math.round((variant.energyJ - baseline.energyJ) / step));
  const equal = Math.max(...[...Map.groupBy(steps, (count) => count).values()].map((same) => same.length));
  return equal >= EQUAL_BLOCKS * pairs.length ? { step_j: step, equal_blocks: equal } : null;
}

/** An interval in percent with half a step of room at either end. */
export function withRoom(interval: Interval | null, { step_j }: Coarse, { x }: Sample): Interval | null {
  if (interval === null || !(median(x) > 0)) return interval;
  const room = Math.log1p(step_j / 2 / median(x));
  return [toPercent(Math.log1p(interval[0] / 100) - room), toPercent(Math.log1p(interval[1] / 100) + room)];
}
