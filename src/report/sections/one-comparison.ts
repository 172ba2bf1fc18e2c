import type { Comparison } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import type { LogPart, Summary } from '../../findings/numbers.ts';
import { percentWithInterval, quantity } from '../../text/numbers.ts';
import { type Table, table } from '../document/blocks.ts';
import { name } from '../document/text.ts';
import { joulesText, percentOfLog } from '../words/change.ts';
import { hasTail } from '../words/tail.ts';

interface Row {
  readonly what: string;
  readonly baseline: string | null;
  readonly variant: string | null;
  readonly change: string | null;
}

/**
 * One comparison by itself: what a typical run took with either variant, and by how much that changed. The change in percent, the verdict
 * and its evidence stand in the headline. Null where neither variant has an energy.
 */
export function oneComparison({ variants }: Findings, comparison: Comparison): Table | null {
  const arms = [comparison.baseline, comparison.variant].map((of) => variants.find((v) => v.name === of));
  const medians = (of: (arm: (typeof variants)[number]) => Summary | null, unit: string) => {
    const [baseline = null, variant = null] = arms.map((arm) => {
      const summary = arm === undefined ? null : of(arm);
      return summary && quantity(summary.median, unit);
    });
    return { baseline, variant };
  };
  // Where a few runs are far off, means of logarithms tell another story than the median runs beside them.
  const { log_time: time, log_power: power } = hasTail(comparison)
    ? { log_time: null, log_power: null }
    : comparison.why;
  const rows: Row[] = [
    { what: 'Energy', ...medians((arm) => arm.energy_j, 'J'), change: joulesText(comparison) },
    { what: 'Duration', ...medians((arm) => arm.duration_s, 's'), change: logText(time) },
    { what: 'Mean power', ...medians((arm) => arm.mean_power_w, 'W'), change: logText(power) },
  ].filter(({ baseline, variant }) => baseline !== null || variant !== null);
  if (rows.length === 0) return null;
  return table('Comparison', rows, [
    { head: 'Median run', cell: ({ what }) => what },
    { head: name(comparison.baseline), numeric: true, cell: ({ baseline }) => baseline },
    { head: name(comparison.variant), numeric: true, cell: ({ variant }) => variant },
    { head: 'Change (95 % CI)', numeric: true, cell: ({ change }) => change },
  ]);
}

function logText(part: LogPart | null): string | null {
  if (part === null) return null;
  const { mean, ci95 } = part;
  return percentWithInterval(percentOfLog(mean), ci95 && [percentOfLog(ci95[0]), percentOfLog(ci95[1])]);
}
