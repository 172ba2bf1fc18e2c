import type { Check } from '../../findings/checks.ts';
import { dipTest } from '../../stats/dip.ts';
import { alarm } from './alarm.ts';
import type { CheckedRuns } from './checked-runs.ts';

/**
 * Whether the runs of a variant form two groups: Hartigan's dip of ln E, for each variant. Left out if fewer than half of the
 * values are distinct: then the meter's resolution makes the groups.
 */
export function twoModes({ good, variants }: CheckedRuns): Check[] {
  const examined = variants.flatMap((variant) => {
    const values = good.filter((run) => run.variant === variant).map((run) => Math.log(run.energyJ));
    const test = dipTest(values);
    return test === null ? [] : [{ variant, ...test }];
  });
  if (examined.length === 0) return [];
  const seen = examined
    .filter(({ scaled, limit }) => scaled > limit)
    .map(({ variant, scaled, limit }) => ({ variant, scaled_dip: scaled, limit }));
  return [alarm('two modes', seen.length > 0, { seen })];
}
