import type { Comparison } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import type { Summary } from '../../findings/numbers.ts';
import { percentWithInterval, quantity } from '../../text/numbers.ts';
import { type Table, table } from '../document/blocks.ts';
import { name } from '../document/text.ts';
import { changeText, typicalTexts } from '../words/change.ts';

interface Row {
  readonly what: string;
  readonly baseline: string | null;
  readonly variant: string | null;
  readonly change: string | null;
}

const QUANTITIES = [
  { key: 'energy_j', what: 'Energy', unit: 'J' },
  { key: 'duration_s', what: 'Duration', unit: 's' },
  { key: 'mean_power_w', what: 'Mean power', unit: 'W' },
] as const;

/**
 * One comparison by itself: what a typical run took with either variant, and by how much that changed. The verdict and its evidence stand in
 * the headline. Without a change to tell, the medians of all runs stand in its place. Null where neither variant has an energy.
 */
export function oneComparison(findings: Findings, comparison: Comparison): Table | null {
  const typical = typicalRows(comparison);
  const rows = typical.length > 0 ? typical : medianRows(findings, comparison);
  if (rows.length === 0) return null;
  return table('Comparison', rows, [
    { head: typical.length > 0 ? 'Typical run' : 'Median run', cell: ({ what }) => what },
    { head: name(comparison.baseline), numeric: true, cell: ({ baseline }) => baseline },
    { head: name(comparison.variant), numeric: true, cell: ({ variant }) => variant },
    { head: 'Change (95 % CI)', numeric: true, cell: ({ change }) => change },
  ]);
}

function typicalRows(comparison: Comparison): Row[] {
  const { typical } = comparison;
  if (!typical?.energy_j) return [];
  return QUANTITIES.flatMap(({ key, what, unit }): Row[] => {
    const found = typical[key];
    if (found === null) return [];
    const { baseline, variant, change } = typicalTexts(found, unit);
    const { estimate, ci95 } = found.percent;
    const percent = key === 'energy_j' ? changeText(comparison) : percentWithInterval(estimate, ci95);
    return [{ what, baseline, variant, change: `${change}, ${percent}` }];
  });
}

function medianRows({ variants }: Findings, comparison: Comparison): Row[] {
  const median = (arm: string, key: (typeof QUANTITIES)[number]['key'], unit: string): string | null => {
    const summary: Summary | null = variants.find((v) => v.name === arm)?.[key] ?? null;
    return summary && quantity(summary.median, unit);
  };
  return QUANTITIES.flatMap(({ key, what, unit }): Row[] => {
    const [baseline, variant] = [median(comparison.baseline, key, unit), median(comparison.variant, key, unit)];
    return baseline === null && variant === null ? [] : [{ what, baseline, variant, change: null }];
  });
}
