import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import type { CheckedRuns } from './checked-runs.ts';

/** Ratio from which a misread unit or thousands separator is more likely than a real difference. */
const DOUBTFUL = 300;

/** Energies of one variant, or the medians of two, that are about a thousandfold apart. */
export function scale({ good, variants, pairs }: CheckedRuns): Check[] {
  const energiesOf = (name: string) => good.filter(({ variant }) => variant === name).map(({ energyJ }) => energyJ);
  const arms = variants
    .map((variant) => ({ variant, energiesJ: energiesOf(variant) }))
    .filter(({ energiesJ }) => energiesJ.length > 0);
  const within = arms.flatMap(({ variant, energiesJ }) => {
    const [lowJ, highJ] = [energiesJ.reduce((a, b) => Math.min(a, b)), energiesJ.reduce((a, b) => Math.max(a, b))];
    return highJ / lowJ < DOUBTFUL ? [] : [{ variant, low_j: lowJ, high_j: highJ }];
  });
  if (within.length > 0) return [{ name: 'scale', state: 'warn', reason: 'within', facts: { seen: within } }];
  const middles = new Map(arms.map(({ variant, energiesJ }) => [variant, median(energiesJ)]));
  const apart = pairs.flatMap(({ baseline, variant }) => {
    const both = [middles.get(baseline), middles.get(variant)].filter((middle) => middle !== undefined);
    const [lowJ, highJ] = [Math.min(...both), Math.max(...both)];
    return both.length < 2 || highJ / lowJ < DOUBTFUL ? [] : [{ baseline, variant, low_j: lowJ, high_j: highJ }];
  });
  return apart.length === 0 ? [] : [{ name: 'scale', state: 'warn', reason: 'between', facts: { seen: apart } }];
}
