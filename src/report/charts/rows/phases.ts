import type { Analysis } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import type { VariantFindings } from '../../../findings/variant.ts';
import { percentWithInterval, quantity } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import { unitOfWork } from '../../per-execution.ts';
import { primaryComparisons } from '../../verdict.ts';
import { variantLabels } from '../canvas/font.ts';
import { seriesStyle, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisFromZero } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { chosenVariants, fromBaseline, notDrawn } from '../parts/variant-runs.ts';
import { type DotRow, dotRowsChart, rowsExtent } from './dot-rows.ts';

const MAX_VARIANTS = 6;
const MAX_ROWS = 36;

type Phase = NonNullable<VariantFindings['phases']>[number];

/** Mean energy of each phase, by variant. `null` when the workload has no phases. */
export function phasesChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const { places, note } = chosenVariants(analysis, MAX_VARIANTS);
  const names = [...new Set(places.flatMap((i) => (findings.variants[i]!.phases ?? []).map((p) => p.phase)))];
  const phases = names.slice(0, Math.max(1, Math.floor(MAX_ROWS / places.length)));
  const rows = phases.flatMap((phase) => rowsOf(analysis, phase, places));
  if (rows.length === 0) return null;
  const nameOf = (some: readonly number[]): string[] => some.map((i) => findings.variants[i]!.name);
  const reported = places.filter((i) => (findings.variants[i]!.phases ?? []).length > 0);
  const short = places.some((i) => (findings.variants[i]!.phases ?? []).some((p) => p.short));
  const compared = findings.comparisons.some((c) => (c.phases ?? []).length > 0);
  const caption =
    'Point: mean energy of the phase over the runs, with its 95 % interval, which may be narrower than the point. ' +
    (compared ? `Below: difference${fromBaseline(findings.comparisons)} by blocks, exploratory. ` : '') +
    (short ? 'Open: some were too short for this meter, so their energy is rough. ' : '') +
    (phases.length < names.length ? `The first ${phases.length} of ${names.length} phases are drawn. ` : '') +
    note +
    notDrawn(nameOf(places), nameOf(reported), 'no phases');
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

function rowsOf(analysis: Analysis, phase: string, places: readonly number[]): DotRow[] {
  const { variants } = analysis.findings;
  const labels = variantLabels(variants.map((v) => v.name));
  const comparisons = primaryComparisons(analysis.findings);
  const several = new Set(comparisons.map((c) => c.baseline)).size > 1;
  const found = places.flatMap((place) => {
    const own = variants[place]!.phases?.find((p) => p.phase === phase);
    return own === undefined ? [] : [{ place, own }];
  });
  return found.map(({ place, own }, i): DotRow => {
    const comparison = comparisons.find((c) => c.variant === variants[place]!.name);
    return {
      ...(i === 0 ? { heading: plain(phase, 80) } : {}),
      label: labels[place]!,
      detail: `${several && comparison ? `against ${plain(comparison.baseline, 30)}, ` : ''}n = ${own.runs}`,
      value: own.energy_j.mean,
      interval: own.energy_j.mean_ci95,
      style: seriesStyle(place),
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
