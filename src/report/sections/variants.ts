import type { Findings } from '../../findings/findings.ts';
import type { Summary } from '../../findings/numbers.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { decimalsOf, fixed, significant, unitFor } from '../../text/numbers.ts';
import { type Section, section, table } from '../document/blocks.ts';
import { name } from '../words/compose.ts';

/** Every variant with its spread. */
export function variants({ variants: all }: Findings): Section | null {
  if (all.length === 0) return null;
  const rows = table('Variants', all, [
    { head: 'Variant', cell: (v) => name(v.name) },
    { head: 'Runs', numeric: true, cell: runsText },
    { head: 'Energy, mean ± sd', numeric: true, cell: (v) => spread(v.energy_j, 'J') },
    { head: 'Uncertainty of the mean (k = 2)', numeric: true, cell: uncertainty },
    { head: 'Median (quartiles)', numeric: true, cell: (v) => middle(v.energy_j) },
    { head: 'Above idle, mean ± sd', numeric: true, cell: (v) => spread(v.net_energy_j, 'J') },
    { head: 'Duration, mean ± sd', numeric: true, cell: (v) => spread(v.duration_s, 's') },
    { head: 'Power, mean ± sd', numeric: true, cell: (v) => spread(v.mean_power_w, 'W') },
    { head: 'Shapiro–Wilk p', numeric: true, cell: (v) => v.shapiro_wilk && significant(v.shapiro_wilk.p, 2) },
    {
      head: 'r(energy, time)',
      numeric: true,
      cell: (v) => v.energy_time_pearson && significant(v.energy_time_pearson.r, 2),
    },
  ]);
  return section('variants', ['Variants'], rows);
}

/** Runs of the command in a window are told only where there are several. */
function runsText({ runs, excluded, flagged, executions_per_run: executions }: VariantFindings): string {
  return [
    String(runs),
    executions && executions > 1 ? `of ${executions} executions each` : '',
    excluded.length > 0 ? `(${excluded.length} excluded)` : '',
    flagged.length > 0 ? `(${flagged.length} flagged)` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** How far the joules can be trusted: the meter's class and the noise together. Ratios are better: there the meter's gain cancels. */
function uncertainty({ energy_uncertainty_j: u, energy_j: energy }: VariantFindings): string {
  if (!u || u.of_mean === null || energy === null) return 'unknown';
  return `± ${significant(u.of_mean, 2)} J (${significant((100 * u.of_mean) / energy.mean, 2)} %)`;
}

function middle(s: Summary | null): string | null {
  if (s === null) return null;
  const { unit, size } = unitFor(s.median, 'J');
  const [median, q1, q3] = [s.median, s.q1, s.q3].map((value) => significant(value / size));
  return `${median} (${q1} to ${q3}) ${unit}`;
}

/** `249.8 ± 1.9 J`: the mean in four digits, but none behind the second of the deviation where it is close to zero: `0.008 ± 0.092`. */
export function spread(s: Summary | null, unit: string): string | null {
  if (s === null) return null;
  const best = unitFor(Math.abs(s.mean) >= (s.sd ?? 0) ? s.mean : (s.sd ?? 0), unit);
  const mean = s.mean / best.size;
  if (s.sd === null) return `${significant(mean)} ${best.unit}`;
  // What arithmetic leaves of equal values is no spread.
  const deviation = s.sd < 1e-12 * Math.abs(s.mean) ? '0' : significant(s.sd / best.size, 2);
  const isSmall = Math.abs(s.mean) < s.sd && s.sd >= 1e-9;
  return `${isSmall ? fixed(mean, decimalsOf(deviation)) : significant(mean)} ± ${deviation} ${best.unit}`;
}
