import type { Comparison } from '../../findings/comparison.ts';
import { confidenceText, fixed, percentWithInterval } from '../../text/numbers.ts';
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
