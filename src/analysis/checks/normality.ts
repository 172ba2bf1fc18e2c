import type { Check } from '../../findings/checks.ts';
import { shapiroWilk } from '../../stats/shapiro-wilk.ts';
import { pText } from '../numbers.ts';
import type { CheckedRuns } from './checked-runs.ts';
import { FALSE_ALARMS } from './lamp.ts';

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
  const what = differences === null ? 'The energies' : 'The differences';
  const odd = tested.filter(({ p }) => p < FALSE_ALARMS / tested.length);
  const name = 'normality';
  if (odd.length === 0) {
    const least = Math.min(...tested.map(({ p }) => p));
    return [{ name, state: 'ok', detail: `${what} look normal (Shapiro–Wilk ${pText(least)}).`, advice: null }];
  }
  const which = odd.slice(0, 3).map(({ of, p }) => `${of}: ${pText(p)}`);
  const detail = `${what} do not look normal (Shapiro–Wilk; ${which.join(', ')}). The headline does not need it.`;
  const advice = 'Read the means and the t statistics beside it with care: a few runs may weigh on them.';
  return [{ name, state: 'ok', detail, advice }];
}
