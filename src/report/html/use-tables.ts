import type { Findings } from '../../findings/findings.ts';
import type { Summary } from '../../findings/numbers.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { bytes, fixed, MISSING, percentWithInterval, quantity, significant } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { type Cell, name, type Table } from '../tables.ts';
import { primaryComparisons } from '../verdict.ts';

/** Where the energy went by phase, and what else a run used. `null`: the findings have nothing of it. */

export function phasesTable({ variants }: Findings): Table | null {
  const rows = variants.flatMap((v) =>
    (v.phases ?? []).map((p): Cell[] => [
      name(v.name),
      name(p.phase),
      plural(p.runs, 'run'),
      spread(p.energy_j, 'J'),
      shareOf(p.energy_j, v),
      spread(p.duration_s, 's'),
      p.duration_s.mean > 0 ? quantity(p.energy_j.mean / p.duration_s.mean, 'W') : MISSING,
      p.short ? 'short: its energy is rough' : '',
    ]),
  );
  if (rows.length === 0) return null;
  return {
    head: [
      'Variant',
      'Phase',
      '>In',
      '>Energy, mean ± sd',
      '>Of the run',
      '>Duration, mean ± sd',
      '>Mean power',
      'Note',
    ],
    rows,
  };
}

export function phaseComparisonsTable(findings: Findings): Table | null {
  const rows = primaryComparisons(findings).flatMap((c) =>
    (c.phases ?? []).map((p): Cell[] => [
      name(c.variant),
      name(c.baseline),
      name(p.phase),
      quantity(p.mean_energy_j.variant, 'J'),
      quantity(p.mean_energy_j.baseline, 'J'),
      p.percent.estimate === null ? MISSING : percentWithInterval(p.percent.estimate, p.percent.ci95),
      signedJoules(p.difference_j),
      p.share === null ? MISSING : `${fixed(100 * p.share, 0)} %`,
      String(p.blocks),
    ]),
  );
  if (rows.length === 0) return null;
  return {
    head: [
      'Variant',
      'Baseline',
      'Phase',
      '>Mean energy',
      '>Of the baseline',
      '>Δ (95 % CI)',
      '>Difference',
      '>Of the whole difference',
      '>Blocks',
    ],
    rows,
  };
}

export function resourcesTable({ variants }: Findings): Table | null {
  const rows = variants.flatMap((v): Cell[][] => {
    const r = v.resources;
    if (!r) return [];
    const cpu = r.cpu_s;
    const cores = cpu === null || v.duration_s === null || v.duration_s.mean <= 0 ? null : cpu.mean / v.duration_s.mean;
    return [
      [
        name(v.name),
        spread(cpu, 's'),
        cores === null ? MISSING : significant(cores, 3),
        amount(r.peak_memory_bytes),
        amount(r.read_bytes),
        amount(r.written_bytes),
      ],
    ];
  });
  if (rows.length === 0) return null;
  return {
    head: [
      'Variant',
      '>Processor time, mean ± sd',
      '>Processors busy',
      '>Peak memory (median)',
      '>Read (median)',
      '>Written (median)',
    ],
    rows,
  };
}

/** What each channel carries of a difference on the primary one. */
export function channelsTable(findings: Findings): Table | null {
  const rows = primaryComparisons(findings).flatMap((c) =>
    (c.contributions ?? []).map((part): Cell[] => [
      name(c.variant),
      name(c.baseline),
      name(part.channel),
      signedJoules(part.difference_j),
      part.ci95 === null ? MISSING : `${significant(part.ci95[0])} to ${significant(part.ci95[1])} J`,
      part.share === null ? MISSING : `${fixed(100 * part.share, 0)} %`,
    ]),
  );
  if (rows.length === 0) return null;
  return { head: ['Variant', 'Baseline', 'Channel', '>Difference', '>95 % CI', '>Of the whole difference'], rows };
}

function spread(s: Summary | null, unit: string): string {
  return s === null ? MISSING : `${significant(s.mean)}${s.sd === null ? '' : ` ± ${significant(s.sd, 2)}`} ${unit}`;
}

function amount(s: Summary | null): string {
  return s === null ? MISSING : bytes(s.median);
}

function shareOf(energy: Summary, { energy_j: whole }: VariantFindings): string {
  return whole === null || whole.mean <= 0 ? MISSING : `${fixed((100 * energy.mean) / whole.mean, 1)} %`;
}

function signedJoules(joules: number): string {
  return `${joules > 0 ? '+' : ''}${quantity(joules, 'J')}`;
}
