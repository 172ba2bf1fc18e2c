import type { Comparison, Typical } from '../../findings/comparison.ts';
import {
  changeOfAmount,
  confidenceText,
  fixed,
  percentWithInterval,
  signed,
  significant,
  unitFor,
} from '../../text/numbers.ts';
import { name, type Text, text } from '../document/text.ts';
import type { Shown } from '../verdict.ts';

export function percentOfLog(log: number): number {
  return 100 * Math.expm1(log);
}

interface Changed {
  readonly percent: Pick<Comparison['percent'], 'estimate' | 'ci95' | 'confidence'>;
}

/** `+3.2 % (+2.8 to +3.6)`, with the confidence if few blocks reach less than 95 %. */
export function changeText({ percent: { estimate, ci95, confidence } }: Changed): string {
  const less = confidence === null || confidence >= 0.95 ? '' : `, at ${confidenceText(confidence, 0.95)}`;
  return ci95 === null
    ? percentWithInterval(estimate, ci95)
    : percentWithInterval(estimate, ci95).replace(/\)$/, `${less})`);
}

/** Significant digits of a run's amount: four, or five if the change would not be visible in four. */
const DIGITS = { usual: 4, change: 1, max: 5 } as const;

type ArmsTexts = Readonly<Record<'baseline' | 'variant' | 'change', string>>;

/** `249.7 J`, `257.8 J`, `+8.1 J`: with the same unit and decimals, so that they add up as printed. */
export function armsTexts({ baseline, variant }: Pick<Typical, 'baseline' | 'variant'>, unit: string): ArmsTexts {
  const best = unitFor(Math.max(baseline, variant), unit);
  const [from, to] = [baseline / best.size, variant / best.size];
  const decimalsFor = (value: number, digits: number): number => digits - 1 - Math.floor(Math.log10(value));
  const largest = Math.max(from, to);
  const forChange = from === to ? 0 : decimalsFor(Math.abs(to - from), DIGITS.change);
  const most = Math.min(forChange, decimalsFor(largest, DIGITS.max));
  const decimals = Math.min(12, Math.max(0, decimalsFor(largest, DIGITS.usual), most));
  const rounded = (value: number): number => Number(value.toFixed(decimals));
  return {
    baseline: `${fixed(from, decimals)} ${best.unit}`,
    variant: `${fixed(to, decimals)} ${best.unit}`,
    change: `${signed(rounded(to) - rounded(from), decimals)} ${best.unit}`,
  };
}

/** Interval of the change in joules for a typical run of the baseline: `+7.0 to +9.0 J`; null: there is no 95 % interval. */
export function joulesInterval({ baseline, percent: { ci95 } }: Typical): string | null {
  if (ci95 === null) return null;
  const [low, high] = ci95.map((end) => (baseline * end) / 100) as [number, number];
  const { interval } = changeOfAmount(low, [low, high], (most) => unitFor(most, 'J'));
  return interval && `${interval} ${unitFor(Math.max(Math.abs(low), Math.abs(high)), 'J').unit}`;
}

/** A comparison's name: `debian`, or `debian against native` if `all` have several baselines. In a suite, the variant is enough. */
export function comparisonName(
  { variant, baseline }: Pick<Comparison, 'variant' | 'baseline'>,
  all: readonly Comparison[],
): Text {
  const baselines = new Set(all.filter(({ benchmark }) => benchmark === undefined).map((c) => c.baseline));
  return baselines.size > 1 ? text`${name(variant)} against ${name(baseline)}` : [name(variant)];
}

/** The smallest detectable change: `1.2 %`. */
export const detectableText = (percent: number | null): string | null =>
  percent === null ? null : `${significant(percent, 2)} %`;

export function effectText(comparison: Comparison): string | null {
  const { cliffs_delta: delta, hedges_g: g } = comparison.effect;
  if (delta !== null) return `Cliff’s δ ${fixed(delta.value, 2)} (${delta.magnitude})`;
  return g === null ? null : `Hedges’ g ${fixed(g.value, 2)} (${g.magnitude})`;
}

const VERDICTS: Readonly<Record<Shown, { icon: string; mark: string; word: string }>> = {
  increase: { icon: '🔺', mark: '▲', word: 'more energy' },
  decrease: { icon: '🔽', mark: '▼', word: 'less energy' },
  'unmeasured-increase': { icon: '↑', mark: '↑', word: 'more energy' },
  'unmeasured-decrease': { icon: '↓', mark: '↓', word: 'less energy' },
  'changed-within-margin': { icon: '≈', mark: '≈', word: 'within margin' },
  equivalent: { icon: '≈', mark: '≈', word: 'equivalent' },
  inconclusive: { icon: '❔', mark: '?', word: 'inconclusive' },
  untrusted: { icon: '⚠️', mark: '!', word: "can't be trusted" },
  failed: { icon: '⛔', mark: '×', word: 'failed' },
};

/** Emoji for platforms that have their own. */
export function verdictIcon(verdict: Shown): string {
  return VERDICTS[verdict].icon;
}

/** Symbol that every font has. */
export function verdictMark(verdict: Shown): string {
  return VERDICTS[verdict].mark;
}

export function verdictWord(verdict: Shown): string {
  return VERDICTS[verdict].word;
}
