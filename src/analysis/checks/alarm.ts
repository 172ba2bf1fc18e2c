import type { Check, CheckOf } from '../../findings/checks.ts';

/**
 * False-positive rate of each check, in experiments without problems (identical variants, independent runs). A check with several
 * tests or comparisons divides it among them (Bonferroni).
 */
export const FALSE_ALARMS = 0.05;

/** Names of checks that have either seen a problem or not. */
type Alarm = Extract<Check, { readonly reason: 'none' | 'seen' }>['name'];

/** Builds a check's result. `state`: that of a seen problem; `ok` if it is only reported and does no harm. */
export function alarm<Name extends Alarm>(
  name: Name,
  isSeen: boolean,
  facts: CheckOf<Name>['facts'],
  state: Check['state'] = 'warn',
): Check {
  return { name, state: isSeen ? state : 'ok', reason: isSeen ? 'seen' : 'none', facts } as CheckOf<Name>;
}
