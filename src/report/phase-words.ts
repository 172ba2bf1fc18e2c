import type { Comparison } from '../findings/comparison.ts';
import { fixed } from '../text/numbers.ts';
import { plain } from '../text/plain.ts';

/** Less of the difference than this is not worth a word. */
const LEAST_SHARE = 0.1;
const MOST = 3;

/**
 * Which phases carry the difference: `phase “sort” carries 78 % of it, “write” 15 %`. Plain text with the workload's own names in it; null
 * without phases, or without a clear difference.
 */
export function phaseText({ phases = [] }: Pick<Comparison, 'phases'>): string | null {
  const parts = phases
    .flatMap(({ phase, share, outside = false }) =>
      share === null || Math.abs(share) < LEAST_SHARE ? [] : [{ phase, share, outside }],
    )
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
    .slice(0, MOST);
  const [first, ...others] = parts;
  if (first === undefined) return null;
  const named = (phase: string): string => `“${plain(phase, 40)}”`;
  const percent = (share: number): string => `${fixed(100 * share, 0)} %`;
  return [
    `${first.outside ? 'what is outside of its phases' : `the phase ${named(first.phase)}`} carries ${percent(first.share)} of it`,
    ...others.map(
      ({ phase, share, outside }) => `${outside ? 'what is outside of the phases' : named(phase)} ${percent(share)}`,
    ),
  ].join(', ');
}
