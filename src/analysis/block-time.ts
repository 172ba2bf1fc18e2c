import { median } from '../stats/quantiles.ts';
import type { RunResult } from './results.ts';

/**
 * What one block took, rests, preparation and all variants included, seconds: the median time from the first window of a block to that
 * of the next. Null where the file tells no times, or there is no block behind another in one session.
 */
export function blockSeconds(runs: readonly RunResult[]): number | null {
  const starts = new Map<number, bigint>();
  for (const { block, startNs, status } of runs) {
    if (block === null || startNs === null || status !== 'ok') continue;
    const first = starts.get(block);
    if (first === undefined || startNs < first) starts.set(block, startNs);
  }
  const lengths = [...starts].flatMap(([block, startNs]) => {
    const next = starts.get(block + 1);
    // The clock of another session may stand anywhere.
    return next !== undefined && next > startNs ? [Number(next - startNs) / 1e9] : [];
  });
  return lengths.length === 0 ? null : median(lengths);
}
