import type { Findings } from '../../findings/findings.ts';
import type { Interval } from '../../findings/numbers.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { percentWithInterval, quantity, short, significant } from '../../text/numbers.ts';
import { type Section, section, table } from '../document/blocks.ts';
import { name } from '../document/text.ts';
import { primaryComparisons } from '../verdict.ts';
import { spread } from './variants.ts';

type Metric = NonNullable<VariantFindings['metrics']>[number];

/** Minimum joules per unit; below it, the energy of more units is given. */
const MIN_JOULES = 0.1;
const MAX_UNITS = 1e9;

/** Printed metrics, and the energy per counted unit; null: the experiment has no metrics, or no valid run. */
export function metrics(findings: Findings): Section | null {
  const measured = findings.variants.filter(({ runs }) => runs > 0);
  const rows = measured.flatMap((variant) => (variant.metrics ?? []).map((metric) => ({ variant, metric })));
  if (rows.length === 0) return null;
  const printed = table('What the workload printed', rows, [
    { head: 'Metric', cell: ({ metric }) => name(metric.name) },
    { head: 'Variant', cell: ({ variant }) => name(variant.name) },
    { head: 'Runs', numeric: true, spare: 2, cell: ({ metric, variant }) => runsText(metric, variant) },
    { head: 'Mean ± sd', numeric: true, cell: ({ metric }) => spread(metric.value, metric.unit) },
    { head: 'Energy per unit, mean (95 % CI)', numeric: true, cell: ({ metric }) => energyText(metric, findings) },
  ]);
  const compared = primaryComparisons(findings).filter(({ verdict }) => verdict !== 'failed');
  const changes = compared.flatMap((comparison) =>
    (comparison.metrics ?? []).map((metric) => ({ comparison, metric })),
  );
  const changed = table('Changes of what the workload printed', changes, [
    { head: 'Metric', cell: ({ metric }) => name(metric.name) },
    { head: 'Variant', cell: ({ comparison }) => name(comparison.variant) },
    { head: 'Baseline', spare: 1, cell: ({ comparison }) => name(comparison.baseline) },
    { head: 'Δ (95 % CI)', numeric: true, cell: ({ metric }) => changeText(metric.percent) },
    {
      head: 'Δ of the energy per unit (95 % CI)',
      numeric: true,
      cell: ({ metric }) => changeText(metric.energy_per_unit_percent),
    },
  ]);
  return section('metrics', ['What the workload printed'], printed, changes.length === 0 ? null : changed);
}

function runsText({ runs }: Metric, { runs: all }: VariantFindings): string {
  return runs === all ? String(runs) : `${runs} of ${all}`;
}

function changeText(change: { readonly estimate: number; readonly ci95: Interval | null } | null): string | null {
  return change && percentWithInterval(change.estimate, change.ci95);
}

/** `0.6412 J (0.6380 to 0.6444) per 1,000 requests`: with the same number of units for all variants, so that values are readable. */
function energyText(
  { name: metric, counts, energy_per_unit_j: energy }: Metric,
  { variants }: Findings,
): string | null {
  if (counts === null || energy === null) return null;
  const means = variants.flatMap(({ metrics: all = [] }) =>
    all.flatMap((other) => (other.name === metric && other.energy_per_unit_j ? [other.energy_per_unit_j.mean] : [])),
  );
  const most = Math.max(...means.map(Math.abs));
  let units = 1;
  while (most * units < MIN_JOULES && units < MAX_UNITS) units *= 1000;
  const { mean, mean_ci95: ci95 } = energy;
  const interval = ci95 === null ? '' : ` (${ci95.map((end) => significant(end * units)).join(' to ')})`;
  const per = units === 1 ? singular(counts) : `${short(units)} ${counts}`;
  return interval === ''
    ? `${quantity(mean * units, 'J')} per ${per}`
    : `${significant(mean * units)} J${interval} per ${per}`;
}

/** Singular of a plural unit: `request` for `requests`. */
function singular(units: string): string {
  if (/[^aeiou]ies$/.test(units)) return units.replace(/ies$/, 'y');
  return /[a-z]{2}[^s]s$/.test(units) ? units.slice(0, -1) : units;
}
