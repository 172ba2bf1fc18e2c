import type { Findings } from '../../findings/findings.ts';
import { MISSING, pText, quantity, significant } from '../../text/numbers.ts';
import { plain } from '../../text/plain.ts';
import { type Table, table } from '../document/blocks.ts';
import { tablesLatex } from '../document/latex.ts';
import { name } from '../document/text.ts';
import { executionsPerRun } from '../per-execution.ts';
import { byInterest, primaryComparisons, shownAs } from '../verdict.ts';
import { changeText } from '../words/change.ts';
import { provenance } from '../words/provenance.ts';
import { spread } from './variants.ts';

/** The results as two tables for a paper: comparisons on the primary channel, and variants with the mean and standard deviation of their runs. */
export function paperTables(findings: Findings): Table[] {
  const comparisons = byInterest(primaryComparisons(findings));
  const [only, ...others] = new Set(comparisons.map(({ baseline }) => baseline));
  const against = only === undefined || others.length > 0 ? '' : ` against ${plain(only, 60)}`;
  const source = provenance(findings).short;
  const per = executionsPerRun(findings) === 1 ? '' : ', per execution';
  const partial = findings.experiment.complete ? '' : ', partial experiment';
  const isSelected = findings.suite !== undefined && !findings.experiment.looks;
  const changes = table(
    `Change in energy${against} (${source}${per}${partial}). It is the Hodges–Lehmann estimate, not the ratio of the means.${isSelected ? ' Intervals of found changes are wider, to allow for their selection.' : ''}`,
    comparisons,
    [
      { head: 'Variant', cell: (c) => name(c.variant) },
      others.length > 0 && { head: 'Baseline', cell: (c) => name(c.baseline) },
      { head: 'Mean', numeric: true, cell: (c) => quantity(c.mean_energy_j.variant, 'J') },
      { head: 'Baseline’s mean', numeric: true, cell: (c) => quantity(c.mean_energy_j.baseline, 'J') },
      {
        head: 'Change (95 % CI)',
        numeric: true,
        cell: ({ percent }) => (percent.estimate === null ? MISSING : changeText({ percent })),
      },
      {
        head: comparisons.some(({ p_holm: holm }) => holm !== null) ? 'p (Holm)' : 'p',
        numeric: true,
        cell: ({ tests: { wilcoxon_signed_rank: paired, mann_whitney: arms }, p_holm: holm }) => {
          const p = holm ?? (paired ?? arms)?.p ?? null;
          return p === null ? null : pText(p).replace(/^p (?:= )?/, '');
        },
      },
      {
        head: 'Cliff’s δ',
        numeric: true,
        cell: ({ effect: { cliffs_delta: delta } }) => delta && significant(delta.value, 2),
      },
      { head: 'Verdict', cell: (comparison) => ({ verdict: shownAs({ findings, comparison }) }) },
    ],
  );
  const variants = table(
    `Runs of each variant, mean ± standard deviation (energy and power: ${source}${per}${partial}).`,
    findings.variants,
    [
      { head: 'Variant', cell: (v) => name(v.name) },
      { head: 'Runs', numeric: true, cell: (v) => String(v.runs) },
      { head: 'Energy', numeric: true, cell: (v) => spread(v.energy_j, 'J') },
      { head: 'Duration', numeric: true, cell: (v) => spread(v.duration_s, 's') },
      { head: 'Mean power', numeric: true, cell: (v) => spread(v.mean_power_w, 'W') },
    ],
  );
  return [changes, variants].filter(({ rows }) => rows.length > 0);
}

/** The tables for a paper in LaTeX. */
export const resultsLatex = (findings: Findings): string => tablesLatex(paperTables(findings));
