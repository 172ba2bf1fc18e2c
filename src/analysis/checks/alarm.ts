import type { Check, CheckOf } from '../../findings/checks.ts';

/**
 * Each check may raise a false alarm in this share of experiments in which nothing is wrong (identical variants, independent runs). What it
 * looks at in several ways, or for several comparisons, shares it (Bonferroni).
 */
export const FALSE_ALARMS = 0.05;

/** Checks that have seen something, or nothing. */
type Alarm = Extract<Check, { readonly reason: 'none' | 'seen' }>['name'];

/** `state`: of what was seen; `ok` where it is told and does no harm. */
export function alarm<Name extends Alarm>(
  name: Name,
  isSeen: boolean,
  facts: CheckOf<Name>['facts'],
  state: Check['state'] = 'warn',
): Check {
  return { name, state: isSeen ? state : 'ok', reason: isSeen ? 'seen' : 'none', facts } as CheckOf<Name>;
}
