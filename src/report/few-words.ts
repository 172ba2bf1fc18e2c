import type { Comparison } from '../findings/findings.ts';
import { percent } from '../text/numbers.ts';

/** More comparisons than these are counted instead. */
export const MOST_NAMED = 3;

/**
 * A few comparisons with one baseline in a sentence that a person would say, in the order given: `alpine uses 7.8 % more energy than
 * native, debian 3.5 % more; busybox is inconclusive.` Plain text: names are put in as they are.
 */
export function fewSentence(comparisons: readonly Comparison[]): string {
  const changed = comparisons.filter((c) => c.verdict !== 'inconclusive' && c.verdict !== 'equivalent');
  const clauses = changed.map((c, i) => {
    const within = c.verdict === 'changed-within-margin' ? ', which is within the margin' : '';
    return i === 0
      ? `${c.variant} uses ${amount(c)} energy than ${c.baseline}${within}`
      : `${c.variant} ${amount(c)}${within}`;
  });
  const same = comparisons.filter((c) => c.verdict === 'equivalent');
  const open = comparisons.filter((c) => c.verdict === 'inconclusive');
  const against = changed.length === 0 && same.length > 0 ? ` to ${same[0]?.baseline}` : '';
  const parts = [
    clauses.join(', '),
    isAre(same, `equivalent${against}`),
    isAre(open, changed.length + same.length === 0 ? `inconclusive against ${open[0]?.baseline}` : 'inconclusive'),
  ];
  return `${parts.filter((part) => part !== '').join('; ')}.`;
}

/**
 * Why an interval that lies off zero is called inconclusive: the comparisons are judged together. Empty where no such one is. Plain text.
 */
export function byThemselves(comparisons: readonly Comparison[]): string {
  const off = comparisons.filter(
    ({ verdict, percent: { ci95, confidence }, p_holm: p }) =>
      verdict === 'inconclusive' &&
      ci95 !== null &&
      (ci95[0] > 0 || ci95[1] < 0) &&
      (confidence ?? 0) >= 0.95 &&
      (p ?? 0) >= 0.05,
  );
  if (off.length === 0) return '';
  const names = off.map((c) => c.variant);
  const one = off.length === 1;
  const who = one ? names[0] : off.length > MOST_NAMED ? `${off.length} of them` : listOf(names);
  const judged = `but one of ${comparisons.length} comparisons comes out so by chance too easily (Holm’s method)`;
  return `By ${one ? 'itself' : 'themselves'}, ${who} would show a change, ${judged}.`;
}

const listOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** `7.8 % more`. */
function amount({ percent: { estimate, ci95 } }: Comparison): string {
  const text = percent(Math.abs(estimate ?? 0), ci95).replace(/^\+/, '');
  return `${text} ${(estimate ?? 0) < 0 ? 'less' : 'more'}`;
}

function isAre(comparisons: readonly Comparison[], what: string): string {
  if (comparisons.length === 0) return '';
  const names = comparisons.map((c) => c.variant);
  const list = names.length === 1 ? names[0] : listOf(names);
  return `${list} ${names.length === 1 ? 'is' : 'are'} ${what}`;
}
