import type { Interval } from '../findings/numbers.ts';
import { createPrng } from './prng.ts';
import { quantileOfSorted } from './quantiles.ts';
import { moments } from './sums.ts';

export interface Bootstrap {
  readonly ci95: Interval;
  /** Standard deviation of the resampled values. */
  readonly se: number;
}

/**
 * Percentile bootstrap of 100·(mean(y)/mean(x) − 1), seeded: each resample draws places in x, then in y; with `blocks` the same places in
 * both, y_i belonging to x_i. Descriptive: with a few dozen runs such intervals are too narrow (Hesterberg 2015). Null below two values
 * an arm, and where a mean may not be above zero; arms without variation have an interval without width. Throws RangeError for blocks of unequal numbers.
 */
export function bootstrapPercent(
  x: readonly number[],
  y: readonly number[],
  blocks: boolean,
  { seed, resamples }: { readonly seed: number; readonly resamples: number },
): Bootstrap | null {
  if (blocks && x.length !== y.length) throw new RangeError(`${x.length} and ${y.length} values are no blocks`);
  if (x.length < 2 || y.length < 2 || !x.every((value) => value > 0)) return null;
  const reference = x[0] as number;
  const a = Float64Array.from(x, (value) => value - reference);
  const b = Float64Array.from(y, (value) => value - reference);
  const { index } = createPrng(seed);
  const values = new Float64Array(resamples);
  for (let k = 0; k < resamples; k++) {
    let ofX = 0;
    let ofY = 0;
    for (let i = 0; i < a.length; i++) {
      const place = index(a.length);
      ofX += a[place] as number;
      if (blocks) ofY += b[place] as number;
    }
    if (!blocks) for (let i = 0; i < b.length; i++) ofY += b[index(b.length)] as number;
    const mean = ofX / a.length;
    values[k] = (100 * (ofY / b.length - mean)) / (reference + mean);
  }
  const ascending = Array.from(values.sort());
  return {
    ci95: [quantileOfSorted(ascending, 0.025), quantileOfSorted(ascending, 0.975)],
    se: Math.sqrt(moments(ascending).variance ?? 0),
  };
}
