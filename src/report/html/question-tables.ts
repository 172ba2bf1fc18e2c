import type { Findings } from '../../findings/findings.ts';
import { costIntro, costTable } from '../cost-words.ts';
import type { Table } from '../tables.ts';
import { byWeight, thresholdsOf, thresholdTable } from '../threshold-words.ts';

/** Tables of questions that only some experiments ask. `null`: this one didn't. */

export function thresholdsTable(findings: Findings): Table | null {
  const all = thresholdsOf(findings);
  return all.length === 0 ? null : thresholdTable(findings, byWeight(all));
}

export function costsTable(findings: Findings): Table | null {
  const { costs } = findings;
  return costs ? costTable(findings, costs, Number.POSITIVE_INFINITY) : null;
}

/** What the costs rest on: prices, which energy, what the task is. */
export function costsNote(findings: Findings): string {
  return findings.costs ? costIntro(findings, findings.costs) : '';
}
