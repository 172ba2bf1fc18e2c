import type { RunResult } from '../../analysis/results.ts';
import type { RunReason } from '../../findings/run-reason.ts';

/** Block of a run for tables; null: none. Warm-up blocks, which the files count down to 0, are named differently. */
export function blockText({ block, status }: Pick<RunResult, 'block' | 'status'>): string | null {
  if (block === null) return null;
  return block < 1 && status !== 'ok' ? 'warm-up' : String(block);
}

/** Block as an addition to a run's number: `, block 3`; empty: none. */
export function blockWords(run: Pick<RunResult, 'block' | 'status'>): string {
  const text = blockText(run);
  if (text === null) return '';
  return text === String(run.block) ? `, block ${text}` : `, ${text}`;
}

/** Why a run is not compared: a clause without a full stop, with unescaped words of commands or files. */
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
      return `its window holds ${reason.executions} executions of the command, not ${reason.others} as in the others`;
    case 'no-energy-to-subtract':
      return `there is no energy of ${reason.channel} to take off`;
  }
}
