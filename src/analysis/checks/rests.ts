import type { Check } from '../../findings/checks.ts';
import type { Findings } from '../../findings/findings.ts';

/** Maximum share of rests with the longest allowed length; with more, the machine does not settle. */
const MAX_LONGEST = 0.1;

/** Whether the machine had settled before the runs, if rests end by themselves. */
export function restsCheck(rests: Findings['experiment']['rests']): Check[] {
  if (rests === undefined) return [];
  const { runs, longest, up_to_s, median_s } = rests;
  const isSettled = longest <= MAX_LONGEST * runs;
  return [
    {
      name: 'rests',
      state: isSettled ? 'ok' : 'warn',
      reason: isSettled ? 'settled' : 'not-settled',
      facts: { rests: runs, longest, up_to_s, median_s },
    },
  ];
}
