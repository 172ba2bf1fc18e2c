import type { Interval } from '../findings/findings.ts';

/** Numbers in sentences: the same in every locale, U+2212 for minus. */

const MOST_DECIMALS = 12;
/** What rounding of the machine leaves where there is nothing. */
const NOTHING = 1e-9;

/** `decimals` places; −0 is 0. */
export function fixed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** About `digits` significant digits, without an exponent between 1e−5 and 1e15. */
export function significant(value: number, digits: number): string {
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude >= 15 || magnitude < -5)
    return value
      .toExponential(digits - 1)
      .replaceAll('-', '−')
      .replace('e+', 'e');
  return fixed(value, Math.max(digits - 1 - magnitude, 0));
}

/** Decimals for percentages with this uncertainty: two digits of its half-width, and no end beside zero printed as zero. */
export function decimalsFor(interval: Interval | null): number {
  if (interval === null) return 1;
  const half = (interval[1] - interval[0]) / 2;
  let decimals = half > NOTHING ? Math.min(Math.max(Math.ceil(-Math.log10(half)), 1), MOST_DECIMALS) : 1;
  while (
    decimals < MOST_DECIMALS &&
    interval.some((end) => Math.abs(end) > NOTHING && Number(Math.abs(end).toFixed(decimals)) === 0)
  )
    decimals++;
  return decimals;
}

/** `p < 0.001`, `p = 0.012`, `p = 0.31`. */
export function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
}

/** `95 %`, or the achieved confidence when it is lower: `93.7 %`, rounded down, never up. */
export function confidenceText(confidence: number | null, nominal: number): string {
  if (confidence === null || confidence >= nominal) return `${Math.round(100 * nominal)} %`;
  return `${Math.floor(1000 * confidence) / 10} %`;
}

/** `1 block`, `2 blocks`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
