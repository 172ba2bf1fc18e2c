import type { RunResult } from '../../analysis/results.ts';
import { quantity } from '../../text/numbers.ts';
import { type Details, details, paragraph, type Table, table } from '../document/blocks.ts';
import { name } from '../words/compose.ts';
import { runReasonText } from '../words/run-reason.ts';

/** Every execution on every channel, folded: the first `most` of them. */
export function runs(all: readonly RunResult[], most: number): Details | null {
  if (most === 0 || all.length === 0) return null;
  const left = all.length - most;
  const more = left > 0 ? paragraph(`${left} more runs are in runs.csv.`) : null;
  return details([`All ${all.length} runs`], runTable(all.slice(0, most)), more);
}

export function runTable(runs: readonly RunResult[]): Table {
  const known = (value: number | null, unit: string): string | null => (value === null ? null : quantity(value, unit));
  return table('Runs', runs, [
    { head: 'Run', numeric: true, cell: (r) => String(r.run) },
    { head: 'Block', numeric: true, cell: (r) => (r.block === null ? null : String(r.block)) },
    { head: 'Variant', cell: (r) => name(r.variant) },
    { head: 'Channel', cell: (r) => name(r.channel) },
    { head: 'Status', cell: (r) => r.status },
    { head: 'Duration', numeric: true, cell: (r) => known(r.durationS, 's') },
    { head: 'Energy', numeric: true, cell: (r) => known(r.energyJ, 'J') },
    { head: 'Above idle', numeric: true, cell: (r) => known(r.netEnergyJ, 'J') },
    { head: 'Power', numeric: true, cell: (r) => known(r.meanPowerW, 'W') },
    { head: 'Reason', cell: (r) => (r.reason === null ? '' : runReasonText(r.reason)) },
  ]);
}
