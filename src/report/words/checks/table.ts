import type { CheckName, CheckOf } from '../../../findings/checks.ts';
import { fixed } from '../../../text/numbers.ts';
import { sentences, type Text } from '../../document/text.ts';

/** A check in words: its name where there is no better title, what was found, and what to do about it (left out: nothing). */
export interface CheckWords {
  readonly title?: Text;
  readonly found: Text;
  readonly advice?: Text;
  /** For a check that may fail: a clause that follows `The result can't be trusted: `. */
  readonly brief?: Text;
}

/** For each name the function that puts its checks into words. */
export type CheckTable = { readonly [Name in CheckName]: (check: CheckOf<Name>) => CheckWords };

export const MAX_LISTED = 5;

/** The first of many; `all` where only some of them are at hand. */
export function firstOf(each: readonly Text[], all = each.length): Text {
  const most = 3;
  return sentences([...each.slice(0, most), all > most ? [`(And ${all - most} more.)`] : []]);
}

/** `1.4 %`, without its sign. */
export function size(change: number): string {
  const percent = Math.abs(change);
  return `${fixed(percent, percent < 0.1 ? 3 : percent < 1 ? 2 : 1)} %`;
}

export const moreOrLess = (change: number): string => (change > 0 ? 'more' : 'less');
