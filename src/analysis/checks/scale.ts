import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import type { CheckedRuns } from './checked-runs.ts';

/** Ratio from which a misread unit or thousands separator is more likely than a real difference. */
const DOUBTFUL = 300;

/** Energies of one variant, or the medians of two, that are about a thousandfold apart. */
export function scale({ good, baseline, others }: CheckedRuns): Check[] {
  const energiesOf = (name: string) => good.filter(({ variant }) => variant === name).map(({ energyJ }) => energyJ);
  const arms = [baseline, ...others]
    .map((variant) => ({ variant, energiesJ: energiesOf(variant) }))
    .filter(({ energiesJ }) => energiesJ.length > 0);
  const within = arms.flatMap(({ variant, energiesJ }) => {
    const [lowJ, highJ] = [energiesJ.reduce((a, b) => Math.min(a, b)), energiesJ.reduce((a, b) => Math.max(a, b))];
    return highJ / lowJ < DOUBTFUL ? [] : [{ variant, low_j: lowJ, high_j: highJ }];
  });
  if (within.length > 0) return [{ name: 'scale', state: 'warn', reason: 'within', facts: { seen: within } }];
  const reference = arms.find(({ variant }) => variant === baseline);
  if (reference === undefined) return [];
  const baselineJ = median(reference.energiesJ);
  const apart = arms.flatMap(({ variant, energiesJ }) => {
    const middle = median(energiesJ);
    const [lowJ, highJ] = [Math.min(middle, baselineJ), Math.max(middle, baselineJ)];
    return highJ / lowJ < DOUBTFUL ? [] : [{ variant, low_j: lowJ, high_j: highJ }];
  });
  return apart.length === 0 ? [] : [{ name: 'scale', state: 'warn', reason: 'between', facts: { seen: apart } }];
}
