import type { Comparison, Typical } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import type { Summary } from '../../findings/numbers.ts';
import { percent, quantity } from '../../text/numbers.ts';
import { type Table, table } from '../document/blocks.ts';
import { name } from '../document/text.ts';
import { unitOfWork } from '../per-execution.ts';
import { armsTexts } from '../words/change.ts';

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
 * Table of one comparison: the median run of both variants, and the difference of the medians; then the mean energies, which
 * determine the total cost. Each row adds up. The headline has the typical change, the verdict and its evidence. Null if neither
 * variant has an energy.
 */
export function oneComparison(findings: Findings, comparison: Comparison): Table | null {
  const compared = comparedRows(comparison);
  const rows = compared.length > 0 ? compared : medianRows(findings, comparison);
  if (rows.length === 0) return null;
  return table('Comparison', rows, [
    { head: unitOfWork(findings) === 'run' ? 'Median run' : 'Median run, per execution', cell: ({ what }) => what },
    { head: name(comparison.baseline), numeric: true, cell: ({ baseline }) => baseline },
    { head: name(comparison.variant), numeric: true, cell: ({ variant }) => variant },
    { head: 'Difference', numeric: true, cell: ({ change }) => change },
  ]);
}

function comparedRows({ typical }: Comparison): Row[] {
  const energy = typical?.energy_j;
  if (!energy) return [];
  const medians = QUANTITIES.flatMap(({ key, what, unit }) =>
    typical[key] === null ? [] : [rowOf(what, typical[key].median, unit)],
  );
  return [...medians, rowOf('Mean energy', energy.mean, 'J')];
}

function rowOf(what: string, arms: Typical['median'], unit: string): Row {
  const { baseline, variant, change } = armsTexts(arms, unit);
  const inPercent = percent((100 * (arms.variant - arms.baseline)) / arms.baseline);
  return { what, baseline, variant, change: `${change}, ${inPercent}` };
}

/** Medians over all runs, if nothing was compared. */
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
