import type { Comparison, Magnitude } from '../../findings/comparison.ts';
import { cliffsDelta } from '../../stats/cliffs-delta.ts';
import { cohensD, hedgesG } from '../../stats/cohens-d.ts';

/** Limits of negligible, small and medium for Cliff's δ (Romano et al. 2006) and for d and g (Cohen 1988). */
const DELTA_LIMITS = [0.147, 0.33, 0.474] as const;
const D_LIMITS = [0.2, 0.5, 0.8] as const;

/** Effect sizes of the arms, variant over baseline. Descriptive only: with a quiet meter, 0.1 % is "large". */
export function effectSizes(x: readonly number[], y: readonly number[]): Comparison['effect'] {
  const cliff = cliffsDelta(x, y);
  const d = cohensD(x, y);
  const g = d && hedgesG(d, x.length + y.length - 2);
  return {
    cliffs_delta: cliff && { value: cliff.delta, ci95: cliff.ci95, magnitude: magnitude(cliff.delta, DELTA_LIMITS) },
    vargha_delaney_a: cliff && (cliff.delta + 1) / 2,
    vargha_delaney_a_ci95: cliff?.ci95 ? [(cliff.ci95[0] + 1) / 2, (cliff.ci95[1] + 1) / 2] : null,
    cohens_d: d,
    hedges_g: g && { ...g, magnitude: magnitude(g.value, D_LIMITS) },
  };
}

function magnitude(value: number, [small, medium, large]: readonly [number, number, number]): Magnitude {
  const size = Math.abs(value);
  if (size < small) return 'negligible';
  if (size < medium) return 'small';
  return size < large ? 'medium' : 'large';
}
