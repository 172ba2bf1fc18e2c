import type { Alternatives, Descriptive } from '../../findings/alternatives.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { signedRank } from '../../stats/signed-rank.ts';
import { moments } from '../../stats/sums.ts';
import { ratioPercent } from './percent.ts';
import type { Sample } from './sample.ts';

type OrderEffect = NonNullable<Descriptive['order_effect']>;
type OrderAdjusted = NonNullable<Alternatives['order_adjusted']>;

/** Minimum blocks of each order. */
const MIN_EACH = 4;

/**
 * Order effect from blocks with the baseline first against the others: the later run's extra π is in both with opposite signs, d = τ ± π, so it
 * is half of the difference of their means. Mann–Whitney, since orders are drawn by chance. Null with fewer than four of either order.
 */
export function orderEffect(sample: Sample): OrderEffect | null {
  const groups = byOrder(sample);
  if (groups === null) return null;
  const { baselineFirst, variantFirst } = groups;
  if (baselineFirst.length < MIN_EACH || variantFirst.length < MIN_EACH) return null;
  const [ab, ba] = [moments(baselineFirst).mean, moments(variantFirst).mean];
  return {
    baseline_first: { blocks: baselineFirst.length, mean_percent: toPercent(ab) },
    variant_first: { blocks: variantFirst.length, mean_percent: toPercent(ba) },
    later_percent: toPercent((ab - ba) / 2),
    p: mannWhitney(variantFirst, baselineFirst)?.p ?? null,
  };
}

/** The headline after subtracting the order effect from each block: approximate, not exact. */
export function orderAdjusted(sample: Sample, effect: OrderEffect | null): OrderAdjusted | null {
  const groups = byOrder(sample);
  if (groups === null || effect === null || effect.p === null || effect.p >= 0.05) return null;
  const later = Math.log1p(effect.later_percent / 100);
  const adjusted = [...groups.baselineFirst.map((d) => d - later), ...groups.variantFirst.map((d) => d + later)];
  const { estimate, ci95 } = ratioPercent(adjusted);
  return estimate === null ? null : { estimate, ci95, p: signedRank(adjusted)?.p ?? null };
}

function byOrder({ pairs, logRatios }: Sample): { baselineFirst: number[]; variantFirst: number[] } | null {
  if (pairs === null || logRatios === null) return null;
  const of = (first: boolean): number[] =>
    logRatios.filter((_, i) => {
      const pair = pairs[i];
      return pair !== undefined && pair.baseline.run < pair.variant.run === first;
    });
  return { baselineFirst: of(true), variantFirst: of(false) };
}
