import type { CheckName, CheckOf } from '../../../findings/checks.ts';
import { fixed } from '../../../text/numbers.ts';
import { sentences, type Text } from '../../document/text.ts';

/** Words of a check: its title, unless the usual one fits, the finding, and advice (absent: none). */
export interface CheckWords {
  readonly title?: Text;
  readonly found: Text;
  readonly advice?: Text;
  /** For checks that can fail: a clause that follows `The result can't be trusted: `. */
  readonly brief?: Text;
}

/** Maps each check's name to the function that puts it into words. */
export type CheckTable = { readonly [Name in CheckName]: (check: CheckOf<Name>) => CheckWords };

export const MAX_LISTED = 5;

/** The first of many items; `all`: the total number if only some are passed. */
export function firstOf(each: readonly Text[], all = each.length): Text {
  const most = 3;
  return sentences([...each.slice(0, most), all > most ? [`(And ${all - most} more.)`] : []]);
}

/** The size of a change without its sign: `1.4 %`. */
export function size(change: number): string {
  const percent = Math.abs(change);
  return `${fixed(percent, percent < 0.1 ? 3 : percent < 1 ? 2 : 1)} %`;
}

export const moreOrLess = (change: number): string => (change > 0 ? 'more' : 'less');
