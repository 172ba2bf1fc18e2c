import type { RunResult } from '../../analysis/results.ts';
import type { RunReason } from '../../findings/run-reason.ts';

/** A run's block as its table names it; null: it is in none. Warm-ups are counted down to 0 in the files, which nobody would read as such. */
export function blockText({ block, status }: Pick<RunResult, 'block' | 'status'>): string | null {
  if (block === null) return null;
  return block < 1 && status !== 'ok' ? 'warm-up' : String(block);
}

/** The same behind the number of a run: `, block 3`; empty: it is in none. */
export function blockWords(run: Pick<RunResult, 'block' | 'status'>): string {
  const text = blockText(run);
  if (text === null) return '';
  return text === String(run.block) ? `, block ${text}` : `, ${text}`;
}

/** Why a run is not compared: a sentence without its end, with a command's or a file's own words in it as they are. */
export function runReasonText(reason: RunReason): string {
  switch (reason.kind) {
    case 'recorded':
      return reason.text;
    case 'block-repeated':
      return 'its block was repeated';
    case 'empty-window':
      return 'its window is empty';
    case 'no-readings-between-guards':
      return 'there are no readings between its guards';
    case 'missing-reading-between-guards':
      return 'a reading is missing between its guards';
    case 'missing-readings-in-window':
      return 'readings are missing in its window';
    case 'no-idle-readings':
      return 'there are no readings of idle around it';
    case 'other-executions':
      return `its window holds ${reason.executions} executions of the command, those of the others ${reason.others}`;
    case 'no-energy-to-subtract':
      return `there is no energy of ${reason.channel} to take off`;
  }
}
