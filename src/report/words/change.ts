import type { Comparison } from '../../findings/comparison.ts';
import { changeOfAmount, confidenceText, fixed, percentWithInterval, unitFor } from '../../text/numbers.ts';
import type { Standing } from '../verdict.ts';

export function percentOfLog(log: number): number {
  return 100 * Math.expm1(log);
}

interface Changed {
  readonly percent: Pick<Comparison['percent'], 'estimate' | 'ci95' | 'confidence'>;
}

/** `+3.2 % (+2.8 to +3.6)`, and the confidence where few blocks reach less than 95 %. */
export function changeText({ percent: { estimate, ci95, confidence } }: Changed): string {
  const less = confidence === null || confidence >= 0.95 ? '' : `, at ${confidenceText(confidence, 0.95)}`;
  return ci95 === null
    ? percentWithInterval(estimate, ci95)
    : percentWithInterval(estimate, ci95).replace(/\)$/, `${less})`);
}

/** The headline's change in joules, with its interval; null: it isn't known. */
export function joulesChange({ joules }: Pick<Comparison, 'joules'>): ReturnType<typeof changeOfAmount> | null {
  const estimate = joules?.estimate ?? null;
  return estimate === null ? null : changeOfAmount(estimate, joules?.ci95 ?? null, (most) => unitFor(most, 'J'));
}

/** `+8.0 J (+7.0 to +9.0)`. */
export function joulesText(comparison: Pick<Comparison, 'joules'>): string | null {
  const found = joulesChange(comparison);
  return found && (found.interval === null ? found.change : `${found.change} (${found.interval})`);
}

export function effectText(comparison: Comparison): string | null {
  const { cliffs_delta: delta, hedges_g: g } = comparison.effect;
  if (delta !== null) return `Cliff’s δ ${fixed(delta.value, 2)} (${delta.magnitude})`;
  return g === null ? null : `Hedges’ g ${fixed(g.value, 2)} (${g.magnitude})`;
}

const VERDICTS: Readonly<Record<Standing, { icon: string; mark: string; word: string }>> = {
  increase: { icon: '🔺', mark: '▲', word: 'more energy' },
  decrease: { icon: '🔽', mark: '▼', word: 'less energy' },
  'changed-within-margin': { icon: '≈', mark: '≈', word: 'within margin' },
  equivalent: { icon: '≈', mark: '≈', word: 'equivalent' },
  inconclusive: { icon: '❔', mark: '?', word: 'inconclusive' },
  untrusted: { icon: '⚠️', mark: '!', word: "can't be trusted" },
  failed: { icon: '⛔', mark: '×', word: 'failed' },
};

/** Emoji, for where the platform brings its own. */
export function verdictIcon(verdict: Standing): string {
  return VERDICTS[verdict].icon;
}

/** A sign that every font has. */
export function verdictMark(verdict: Standing): string {
  return VERDICTS[verdict].mark;
}

export function verdictWord(verdict: Standing): string {
  return VERDICTS[verdict].word;
}
