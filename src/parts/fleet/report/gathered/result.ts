import type { Comparison } from '../../../../findings/comparison.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { plainText } from '../../../../report/document/text.ts';
import { perExecution } from '../../../../report/per-execution.ts';
import {
  benchmarksIn,
  type Compared,
  getStanding,
  primaryComparisons,
  rankByInterest,
} from '../../../../report/verdict.ts';
import { formatCounts, headline } from '../../../../report/words/headline.ts';
import { provenance } from '../../../../report/words/provenance.ts';
import { plural } from '../../../../text/plain.ts';

/** One of several experiments that are shown together. */
export interface Result {
  /** Name of its artifact or folder; may come from outside. */
  readonly name: string;
  readonly findings: Findings;
}

/** One comparison and the experiment that it belongs to. */
export interface Row extends Compared {
  readonly result: Result;
}

/** The primary comparisons of all, in order of interest, with numbers per execution as in each experiment's own text. */
export function rowsOf(results: readonly Result[]): Row[] {
  const rows = results.flatMap((result) => {
    const findings = perExecution(result.findings);
    return primaryComparisons(findings).map((comparison): Row => ({ result, findings, comparison }));
  });
  return rankByInterest(rows);
}

/** The results, those with the gravest comparison first, those without any last. */
export function worstFirst(results: readonly Result[]): Result[] {
  return [...new Set([...rowsOf(results).map((row) => row.result), ...results])];
}

/** What a result is called where it stands among others. */
export function label({ name, findings: { experiment } }: Result): string {
  return experiment.name === name ? name : `${experiment.name} (${name})`;
}

/** The result of all in a sentence of plain text, names in it as they are. `results` is not empty. */
export function gatheredSentence(results: readonly Result[]): string {
  const [first] = results;
  const tags = [...new Set(results.map(({ findings }) => provenance(findings).tag))].filter((tag) => tag !== null);
  const tagged = tags.length === 0 ? '' : ` (${tags.join(', ').toLowerCase()})`;
  if (first !== undefined && results.length === 1) {
    return `${first.findings.experiment.name}${tagged}: ${plainText(headline(first.findings).sentence)}`;
  }
  const rows = rowsOf(results);
  const counts = rows.length === 0 ? 'Nothing to compare.' : plainText(formatCounts(rows.map(getStanding)).sentence);
  const lacking = lackingTags(results).map((tag) => `, ${tag}`);
  return `${results.length} experiments${tagged}${lacking.join('')}. ${counts}`;
}

/** How much the results lack: `1 partial`, `2 benchmarks failed`. */
export function lackingTags(results: readonly Result[]): string[] {
  const partial = results.filter(({ findings }) => !findings.experiment.complete).length;
  const benchmarks = (state: 'failed' | 'invalid') =>
    results.flatMap(({ findings }) => benchmarksIn(findings, state)).length;
  const [failed, invalid] = [benchmarks('failed'), benchmarks('invalid')];
  return [
    ...(partial === 0 ? [] : [`${partial} partial`]),
    ...(failed === 0 ? [] : [plural(failed, 'benchmark failed', 'benchmarks failed')]),
    ...(invalid === 0 ? [] : [plural(invalid, 'benchmark could not be measured', 'benchmarks could not be measured')]),
  ];
}

/** The gravest of `rows`, which are in order of interest: an increase before a larger decrease. */
export function gravestRow(rows: readonly Row[]): Row | undefined {
  const [first] = rows;
  const isDecrease = first !== undefined && getStanding(first) === 'decrease';
  return (isDecrease && rows.find((row) => getStanding(row) === 'increase')) || first;
}

/** The findings that the outputs are of: of one experiment its own; of several those of the gravest comparison, that one only. */
export function gravest(results: readonly Result[]): Findings | null {
  const [first] = results;
  const row = gravestRow(rowsOf(results));
  if (results.length === 1 || row === undefined) return first?.findings ?? null;
  const { findings } = row.result;
  const whole = findings.comparisons[row.findings.comparisons.indexOf(row.comparison)] as Comparison;
  return { ...findings, comparisons: [whole] };
}
