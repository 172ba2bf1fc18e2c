import type { Check } from '../../findings/checks.ts';
import { shapiroWilk } from '../../stats/shapiro-wilk.ts';
import { FALSE_ALARMS } from './alarm.ts';
import type { CheckedRuns } from './checked-runs.ts';

/**
 * Shapiro–Wilk of the blocks' log ratios (without blocks: of each variant's ln E). Descriptive: it chooses no test, and is never a
 * warning, because the headline does not need a normal distribution.
 */
export function normality({ good, variants, pairs, blocked }: CheckedRuns): Check[] {
  const samples = blocked
    ? pairs.map(({ blocks, ...of }) => ({ of, values: blocks.map(({ d }) => d) }))
    : variants.map((variant) => ({
        of: { variant },
        values: good.filter((r) => r.variant === variant).map((r) => Math.log(r.energyJ)),
      }));
  const tested = samples.flatMap(({ of, values }) => {
    const test = shapiroWilk(values);
    return test === null ? [] : [{ of, p: test.p }];
  });
  if (tested.length === 0) return [];
  const seen = tested.filter(({ p }) => p < FALSE_ALARMS / tested.length).map(({ of, p }) => ({ ...of, p }));
  const facts = {
    of: blocked ? ('differences' as const) : ('energies' as const),
    least_p: Math.min(...tested.map(({ p }) => p)),
    seen,
  };
  return [{ name: 'normality', state: 'ok', reason: seen.length === 0 ? 'normal' : 'not-normal', facts }];
}
