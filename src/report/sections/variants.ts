import type { RunResult } from '../../analysis/results.ts';
import type { Findings } from '../../findings/findings.ts';
import type { Summary } from '../../findings/numbers.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { decimalsOf, fixed, quantity, significant, unitFor } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { type Details, details, paragraph, type Section, section, type Table, table } from '../document/blocks.ts';
import { name } from '../document/text.ts';
import { primaryComparisons } from '../verdict.ts';
import { blockText, runReasonText } from '../words/run-reason.ts';

/** All variants with the spread of their runs. */
export function variants(findings: Findings): Section | null {
  const { variants: all } = findings;
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
  const uneven = primaryComparisons(findings).some(
    ({ blocks, n_baseline, n_variant }) => blocks !== null && (n_baseline > blocks || n_variant > blocks),
  );
  const note = uneven
    ? paragraph(
        'Some runs have no counterpart in their block: means here are of all runs of a variant, and can differ because the blocks do. The comparison uses complete blocks only.',
      )
    : null;
  return section('variants', ['Variants'], rows, note);
}

/** The number of executions in a window is mentioned only if there are several. */
function runsText(variant: VariantFindings): string {
  const { runs, excluded, flagged, executions_per_run: executions, starts_per_run: starts } = variant;
  return [
    String(runs),
    executions && executions > 1
      ? `of ${plural(executions, 'execution')} each${starts && starts > 1 ? ', with their starts' : ''}`
      : '',
    excluded.length > 0 ? `(${excluded.length} excluded)` : '',
    flagged.length > 0 ? `(${flagged.length} flagged)` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Uncertainty of the joules, from the meter's class and the noise. Ratios are more precise, since the gain cancels in them. */
function uncertainty({ energy_uncertainty_j: u, energy_j: energy }: VariantFindings): string {
  if (!u || u.of_mean === null || energy === null) return 'unknown';
  // Of nothing, or of a power that the meter reads as negative, there is no share.
  const share = energy.mean > 0 ? ` (${significant((100 * u.of_mean) / energy.mean, 2)} %)` : '';
  return `± ${significant(u.of_mean, 2)} J${share}`;
}

function middle(s: Summary | null): string | null {
  if (s === null) return null;
  const { unit, size } = unitFor(s.median, 'J');
  const [median, q1, q3] = [s.median, s.q1, s.q3].map((value) => significant(value / size));
  return `${median} (${q1} to ${q3}) ${unit}`;
}

/** `249.8 ± 1.9 J`: the mean in four digits, more where its last one is coarser than the deviation: `20.80012 ± 0.00055`; near zero fewer: `0.008 ± 0.092`. */
export function spread(s: Summary | null, unit: string): string | null {
  if (s === null) return null;
  const best = unitFor(Math.abs(s.mean) >= (s.sd ?? 0) ? s.mean : (s.sd ?? 0), unit);
  const mean = s.mean / best.size;
  if (s.sd === null) return `${significant(mean)} ${best.unit}`;
  // Rounding errors of equal values are not a spread.
  const deviation = s.sd < 1e-12 * Math.abs(s.mean) ? '0' : significant(s.sd / best.size, 2);
  const isSmall = Math.abs(s.mean) < s.sd && s.sd >= 1e-9;
  const isFine = deviation !== '0' && s.sd / best.size < 10 ** -decimalsOf(significant(mean));
  return `${isSmall || isFine ? fixed(mean, decimalsOf(deviation)) : significant(mean)} ± ${deviation} ${best.unit}`;
}

/** Every execution on every channel, folded: the first `most` of them. */
export function runs(all: readonly RunResult[], most: number): Details | null {
  if (most === 0 || all.length === 0) return null;
  const left = all.length - most;
  const more = left > 0 ? paragraph(`${left} more ${left === 1 ? 'line is' : 'lines are'} in runs.csv.`) : null;
  return details([allRunsText(all)], runTable(all.slice(0, most)), more);
}

/** `All 90 runs, on 3 channels`, since a run has a line per channel. */
export function allRunsText(lines: readonly RunResult[]): string {
  const [runs, channels] = [
    new Set(lines.map(({ run }) => run)).size,
    new Set(lines.map(({ channel }) => channel)).size,
  ];
  return `All ${plural(runs, 'run')}${channels > 1 ? `, on ${channels} channels` : ''}`;
}

export function runTable(runs: readonly RunResult[]): Table {
  return table('Runs', runs, [
    { head: 'Run', numeric: true, cell: (r) => String(r.run) },
    { head: 'Block', numeric: true, cell: blockText },
    { head: 'Variant', cell: (r) => name(r.variant) },
    { head: 'Channel', cell: (r) => name(r.channel) },
    { head: 'Status', cell: (r) => r.status },
    { head: 'Duration', numeric: true, cell: (r) => quantity(r.durationS, 's') },
    { head: 'Energy', numeric: true, cell: (r) => quantity(r.energyJ, 'J') },
    { head: 'Above idle', numeric: true, cell: (r) => quantity(r.netEnergyJ, 'J') },
    { head: 'Power', numeric: true, cell: (r) => quantity(r.meanPowerW, 'W') },
    { head: 'Reason', cell: (r) => (r.reason === null ? '' : runReasonText(r.reason)) },
  ]);
}
