import { MISSING, quantity } from '../../text/numbers.ts';
import { type Cell, name, type Table } from '../tables.ts';
import { meanEnergies } from '../verdict.ts';
import { changeText, effectText, provenance, verdictIcon, verdictWord } from '../words.ts';
import { label, type Result, type Row } from './result.ts';

/** `watts-up-pro`, `estimate (estimated by a model, not measured)`. */
export function meterName({ findings }: Result): string {
  const { meter } = findings;
  return meter.source === 'measured' ? meter.type : `${meter.type} (${provenance(findings).short})`;
}

/** Null: not known. */
export function machineName({ findings: { conditions: c } }: Result): string | null {
  return c === null ? null : [c.hostname, c.machine ?? c.cpu].filter(Boolean).join(', ');
}

/** Which of the columns that tell experiments apart are needed: a meter or a machine that all share needs none. */
export interface Apart {
  readonly meters: boolean;
  readonly machines: boolean;
}

export function whatDiffers(results: readonly Result[]): Apart {
  const differs = (of: (result: Result) => string | null): boolean => new Set(results.map(of)).size > 1;
  return {
    meters: differs(meterName) || results.some(({ findings }) => findings.meter.source !== 'measured'),
    machines: differs(machineName),
  };
}

/** A row a comparison, with the experiment, and with meter and machine where not all have the same. */
export function gatheredTable(rows: readonly Row[], { meters, machines }: Apart): Table {
  const columns: [Cell, (row: Row) => Cell][] = [
    ['Experiment', ({ result }) => name(label(result))],
    ['Variant', ({ comparison }) => name(comparison.variant)],
    ['>Mean energy', ({ result, comparison }) => quantity(meanEnergies(result.findings, comparison).variant, 'J')],
    ['Baseline', ({ comparison }) => name(comparison.baseline)],
    ['>Mean energy', ({ result, comparison }) => quantity(meanEnergies(result.findings, comparison).baseline, 'J')],
    ['>Δ (95 % CI)', ({ comparison }) => changeText(comparison)],
    ['Effect size', ({ comparison }) => effectText(comparison) ?? MISSING],
    ['Verdict', ({ comparison: { verdict } }) => `${verdictIcon(verdict)} ${verdictWord(verdict)}`],
  ];
  if (meters) columns.push(['Meter', ({ result }) => name(meterName(result))]);
  if (machines) columns.push(['Machine', ({ result }) => name(machineName(result) ?? 'unknown')]);
  return { head: columns.map(([head]) => head), rows: rows.map((row) => columns.map(([, cell]) => cell(row))) };
}
