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
  const blocks = pairs?.map(({ baseline, variant }) => [baseline.energyJ, variant.energyJ]) ?? [];
  return coarseContrast(blocks, [-1, 1]);
}

/** The same for a contrast of several energies: of each block, their sum with these weights. */
function coarseContrast(blocks: readonly (readonly number[])[], weights: readonly number[]): Coarse | null {
  const step = stepOf(blocks.flat());
  if (step === null) return null;
  const contrasts = blocks.map((block) => block.reduce((sum, joules, i) => sum + joules * (weights[i] as number), 0));
  const equal = Map.groupBy(contrasts, (joules) => Math.round(joules / step)).values();
  const most = Math.max(...[...equal].map((same) => same.length));
  return most >= EQUAL_BLOCKS * blocks.length ? { step_j: step, equal_blocks: most } : null;
}

/**
 * Widening of an interval for the same contrast of the logarithms, by the most that rounding can move it: half a step of each energy. 0 if steps
 * don't matter.
 */
export function contrastWidening(blocks: readonly (readonly number[])[], weights: readonly number[]): number {
  const half = (coarseContrast(blocks, weights)?.step_j ?? 0) / 2;
  if (half === 0) return 0;
  const middles = weights.map((_, i) => median(blocks.map((block) => block[i] as number)));
  return weights.reduce((sum, weight, i) => sum + Math.abs(weight) * Math.log1p(half / (middles[i] as number)), 0);
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

/** Percent values with both intervals widened by `room`, a logarithm, at either end; below 0: as the test alone gives them. */
export function withRoom<Of extends Pick<Comparison['percent'], 'ci95' | 'ci90'>>(percent: Of, room: number): Of {
  if (room === 0) return percent;
  const wide = (interval: Interval | null): Interval | null =>
    interval && inPercent([Math.log1p(interval[0] / 100), Math.log1p(interval[1] / 100)], room);
  return { ...percent, ci95: wide(percent.ci95), ci90: wide(percent.ci90) };
}
