import type { Check } from '../../findings/checks.ts';
import { shapiroWilk } from '../../stats/shapiro-wilk.ts';
import { FALSE_ALARMS } from './alarm.ts';
import type { CheckedRuns } from './checked-runs.ts';

/**
 * Shapiro–Wilk of the blocks' log ratios (without blocks: of each variant's ln E). Descriptive: it chooses no test, and is never a
 * warning, because the headline does not need a normal distribution.
 */
export function normality({ good, baseline, others, differences }: CheckedRuns): Check[] {
  const samples =
    differences?.map(({ variant, blocks }) => ({ of: variant, values: blocks.map(({ d }) => d) })) ??
    [baseline, ...others].map((of) => ({
      of,
      values: good.filter((r) => r.variant === of).map((r) => Math.log(r.energyJ)),
    }));
  const tested = samples.flatMap(({ of, values }) => {
    const test = shapiroWilk(values);
    return test === null ? [] : [{ of, p: test.p }];
  });
  if (tested.length === 0) return [];
  const seen = tested.filter(({ p }) => p < FALSE_ALARMS / tested.length).map(({ of, p }) => ({ variant: of, p }));
  const facts = {
    of: differences === null ? ('energies' as const) : ('differences' as const),
    least_p: Math.min(...tested.map(({ p }) => p)),
    seen,
  };
  return [{ name: 'normality', state: 'ok', reason: seen.length === 0 ? 'normal' : 'not-normal', facts }];
}
