import type { Findings } from '../../findings/findings.ts';
import { plainText } from '../words/compose.ts';
import { countsOf, headline } from '../words/headline.ts';
import { provenance } from '../words/provenance.ts';
import { type Result, rowsOf } from './result.ts';

/** The result of all in a sentence of plain text, names in it as they are. `results` is not empty. */
export function gatheredSentence(results: readonly Result[]): string {
  const [first] = results;
  const tags = [...new Set(results.map(({ findings }) => provenance(findings).tag))].filter((tag) => tag !== null);
  const tagged = tags.length === 0 ? '' : ` (${tags.join(', ').toLowerCase()})`;
  if (first !== undefined && results.length === 1) {
    return `${first.findings.experiment.name}${tagged}: ${plainText(headline(first.findings).sentence)}`;
  }
  const rows = rowsOf(results);
  const counts =
    rows.length === 0 ? 'Nothing to compare.' : plainText(countsOf(rows.map((row) => row.comparison)).sentence);
  return `${results.length} experiments${tagged}. ${counts}`;
}

/**
 * The findings that the outputs are of: of one experiment its own; of several those of the gravest comparison, that one only, with the
 * thresholds of all.
 */
export function gravest(results: readonly Result[]): Findings | null {
  const [first] = results;
  const [row] = rowsOf(results);
  if (results.length === 1 || row === undefined) return first?.findings ?? null;
  const thresholds = results.flatMap(({ findings }) => findings.thresholds ?? []);
  const asked = results.some(({ findings }) => findings.thresholds !== undefined);
  return { ...row.result.findings, comparisons: [row.comparison], ...(asked && { thresholds }) };
}
