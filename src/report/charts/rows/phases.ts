import type { Analysis } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import type { VariantFindings } from '../../../findings/variant.ts';
import { percentWithInterval, quantity } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import { unitOfWork } from '../../per-execution.ts';
import { primaryComparisons } from '../../verdict.ts';
import type { Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisFromZero } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { type ChosenVariant, chosenVariants, fromBaseline, notDrawn } from '../parts/variant-runs.ts';
import { type DotRow, dotRowsChart, rowsExtent } from './dot-rows.ts';

const MAX_VARIANTS = 6;
const MAX_ROWS = 36;

type Phase = NonNullable<VariantFindings['phases']>[number];

/** Mean energy of each phase, by variant. `null` when the workload has no phases. */
export function phasesChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const { variants, note } = chosenVariants(analysis, MAX_VARIANTS);
  const all = variants.flatMap((v) => v.findings.phases ?? []);
  const names = [...new Set(all.map((p) => p.phase))];
  const phases = names.slice(0, Math.max(1, Math.floor(MAX_ROWS / variants.length)));
  const rows = phases.flatMap((phase) => rowsOf(analysis, phase, variants));
  if (rows.length === 0) return null;
  const reported = variants.filter((v) => (v.findings.phases ?? []).length > 0);
  const short = all.some((p) => p.short);
  const compared = findings.comparisons.some((c) => (c.phases ?? []).length > 0);
  const caption =
    'Point: mean energy of the phase over the runs, with its 95 % interval, which may be narrower than the point. ' +
    (compared ? `Below: difference${fromBaseline(findings.comparisons)} by blocks, exploratory. ` : '') +
    (short ? 'Open: some were too short for this meter, so their energy is rough. ' : '') +
    (phases.length < names.length ? `The first ${phases.length} of ${names.length} phases are drawn. ` : '') +
    note +
    notDrawn(variants, reported, 'no phases');
  return dotRowsChart(
    {
      id: 'phases',
      text: frameText(findings, 'energy by phase', caption.trim()),
      axis: axisFromZero(...rowsExtent(rows)),
      axisTitle: `Mean energy of the phase per ${unitOfWork(findings)} (J)`,
      rows,
    },
    theme,
  );
}

function rowsOf({ findings }: Analysis, phase: string, variants: readonly ChosenVariant[]): DotRow[] {
  const comparisons = primaryComparisons(findings);
  const several = new Set(comparisons.map((c) => c.baseline)).size > 1;
  const found = variants.flatMap((variant) => {
    const own = variant.findings.phases?.find((p) => p.phase === phase);
    return own === undefined ? [] : [{ ...variant, own }];
  });
  return found.map(({ name, label, style, own }, i): DotRow => {
    const comparison = comparisons.find((c) => c.variant === name);
    return {
      ...(i === 0 ? { heading: plain(phase, 80) } : {}),
      label,
      detail: `${several && comparison ? `against ${plain(comparison.baseline, 30)}, ` : ''}n = ${own.runs}`,
      value: own.energy_j.mean,
      interval: own.energy_j.mean_ci95,
      style,
      open: own.short,
      notes: listNotes(own, comparison),
    };
  });
}

function listNotes(own: Phase, comparison: Comparison | undefined): string[] {
  const change = comparison?.phases?.find((p) => p.phase === own.phase)?.percent;
  return [
    quantity(own.energy_j.mean, 'J'),
    ...(change === undefined || change.estimate === null ? [] : [percentWithInterval(change.estimate, change.ci95)]),
  ];
}
