import type { Verdict } from '../../findings/comparison.ts';

const VERDICTS: Readonly<Record<Verdict, { icon: string; mark: string; word: string }>> = {
  increase: { icon: '🔺', mark: '▲', word: 'more energy' },
  decrease: { icon: '🔽', mark: '▼', word: 'less energy' },
  'changed-within-margin': { icon: '≈', mark: '≈', word: 'within margin' },
  equivalent: { icon: '≈', mark: '≈', word: 'equivalent' },
  inconclusive: { icon: '❔', mark: '?', word: 'inconclusive' },
};

/** Emoji, for where the platform brings its own. */
export function verdictIcon(verdict: Verdict): string {
  return VERDICTS[verdict].icon;
}

/** A sign that every font has. */
export function verdictMark(verdict: Verdict): string {
  return VERDICTS[verdict].mark;
}

export function verdictWord(verdict: Verdict): string {
  return VERDICTS[verdict].word;
}
