import type { Check } from '../../findings/checks.ts';
import { toPercent } from '../../stats/log-ratio.ts';
import { fixed } from '../numbers.ts';

/**
 * Each check may raise a false alarm in this share of experiments in which nothing is wrong (identical variants, independent runs). What it
 * looks at in several ways, or for several comparisons, shares it (Bonferroni).
 */
export const FALSE_ALARMS = 0.05;

export interface LampWords {
  readonly name: string;
  /** What is said when nothing was seen. */
  readonly dark: string;
  readonly advice: string;
  /** Default `warn`. An `ok` lamp with advice tells what was seen and that it does no harm here. */
  readonly state?: Check['state'];
}

/** A check from what was seen: `seen` holds a sentence for each thing that gave alarm. */
export function lamp(seen: readonly string[], { name, dark, advice, state = 'warn' }: LampWords): Check {
  if (seen.length === 0) return { name, state: 'ok', detail: dark, advice: null };
  const most = 3;
  const more = seen.length > most ? ` (And ${seen.length - most} more.)` : '';
  return { name, state, detail: `${seen.slice(0, most).join(' ')}${more}`, advice };
}

/** A change of logarithms as `1.4 %`, without its sign. */
export function size(logDifference: number): string {
  const percent = Math.abs(toPercent(logDifference));
  return `${fixed(percent, percent < 0.1 ? 3 : percent < 1 ? 2 : 1)} %`;
}

/** `rose` or `fell`. */
export function direction(change: number): string {
  return change > 0 ? 'rose' : 'fell';
}
