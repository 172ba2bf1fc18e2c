import type { SmallestVisible } from '../../analysis/smallest-visible.ts';
import type { MeterSheet } from '../../meters/meter.ts';
import { MIN_READINGS } from '../../schedule/batch.ts';
import { short, significant } from '../../text/numbers.ts';

/** Text for a table cell: `0.94 %`, `too short`. */
export function smallestVisibleCell(found: SmallestVisible): string {
  if ('percent' in found) return `${significant(found.percent, 2)} %`;
  return { 'few-blocks': 'too few blocks', 'short-runs': 'too short', 'unknown-edges': 'unknown' }[found.unseen];
}

/** ± 0.5 % ± 0.4 W; `not published`. */
export function accuracyWords(accuracy: MeterSheet['accuracy']): string {
  if (accuracy === null) return 'not published';
  const { gainPercent, offsetW } = accuracy;
  return `± ${short(gainPercent, 2)} %${offsetW === 0 ? '' : ` ± ${short(offsetW, 2)} W`}`;
}

/** Shortest run, in seconds, that has enough readings; 0 for a counter. */
export function shortestRunS({ integration, samplingPeriodS }: MeterSheet['channel']): number {
  return integration === 'counter' ? 0 : MIN_READINGS * samplingPeriodS;
}
