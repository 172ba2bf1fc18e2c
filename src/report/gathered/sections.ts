import type { Findings } from '../../findings/findings.ts';
import { plural } from '../../text/plain.ts';
import { htmlText, markdownName, markdownText } from '../escape.ts';
import { alertBox } from '../markdown.ts';
import { failing } from '../threshold-words.ts';
import { plainText } from '../words/compose.ts';
import { countsOf, headline } from '../words/headline.ts';
import { thresholdText } from '../words/threshold.ts';
import { provenance, verdictIcon, warnings } from '../words.ts';
import { label, type Result, type Row } from './result.ts';
import type { Apart } from './table.ts';

/** The paragraphs of the texts about several experiments, each as Markdown. `null`: there is nothing to say. */

export function gatheredTitle(results: readonly Result[], rows: readonly Row[]): string {
  const worst = rows[0]?.comparison.verdict;
  const short = rows.length === 0 ? 'nothing to compare' : countsOf(rows.map((row) => row.comparison)).short;
  const partial = results.filter(({ findings }) => !findings.experiment.complete).length;
  const failed = results.flatMap(({ findings }) => failing(findings)).length;
  const tags = [
    ...sourceTags(results),
    ...(failed === 0 ? [] : [plural(failed, 'threshold not kept', 'thresholds not kept')]),
    ...(partial === 0 ? [] : [`${partial} partial`]),
  ];
  return `### ${worst === undefined ? '⚪' : verdictIcon(worst)} ${plural(results.length, 'experiment')}: ${short}${tags.map((tag) => ` — ${tag}`).join('')}`;
}

/** `emulated meter` where all are; `1 emulated meter` where one is. */
function sourceTags(results: readonly Result[]): string[] {
  const tags = results.map(({ findings }) => provenance(findings).tag?.toLowerCase() ?? null);
  return [...new Set(tags)].flatMap((tag) => {
    const count = tags.filter((other) => other === tag).length;
    return tag === null ? [] : [count === tags.length ? tag : `${count} ${tag}`];
  });
}

export function gatheredVerdict(rows: readonly Row[]): string | null {
  return rows.length === 0 ? null : `**${plainText(countsOf(rows.map((row) => row.comparison)).sentence)}**`;
}

/** Thresholds that failed a job; those that are kept or open are in the details. */
export function gatheredThresholds(results: readonly Result[], most: number): string | null {
  const all = results.flatMap((result) =>
    failing(result.findings).map((threshold) => ({
      result,
      sentence: plainText(thresholdText(result.findings, threshold)),
    })),
  );
  if (all.length === 0 || most === 0) return null;
  const lines = all.slice(0, most).map(({ result, sentence }) => {
    return `- ${markdownName(label(result))}: ${markdownText(sentence, 600)}`;
  });
  if (all.length > most) lines.push(`- … and ${all.length - most} more, in the details.`);
  return alertBox('CAUTION', ['**This fails the job:**', ...lines]);
}

/** Models and emulators first, so that nobody reads a number before. */
export function gatheredSources(results: readonly Result[], most: number): string | null {
  const byWarning = Map.groupBy(results, ({ findings }) => provenance(findings).warning);
  const lines = [...byWarning].flatMap(([warning, of]) => {
    if (warning === null) return [];
    const whose = of.length === results.length ? '' : `${names(of, most)}: `;
    return [`${whose}**${markdownText(warning)}**`];
  });
  return lines.length === 0 ? null : alertBox('CAUTION', separated(lines));
}

function names(results: readonly Result[], most: number): string {
  const shown = results.slice(0, most).map((result) => markdownName(label(result)));
  return [...shown, ...(results.length > most ? [`${results.length - most} more`] : [])].join(', ');
}

/** A box shows lines that follow each other as one. */
function separated(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => (i === 0 ? [line] : ['', line]));
}

/** Said where joules of different meters or machines stand one above the other. */
export function apartSection({ meters, machines }: Apart, results: readonly Result[]): string | null {
  const kinds = new Set(results.map(({ findings }) => `${findings.meter.type} ${findings.meter.source}`)).size;
  if (!machines && !(meters && kinds > 1)) return null;
  const what = machines ? (meters && kinds > 1 ? 'machines and meters' : 'machines') : 'meters';
  return `The experiments ran with different ${what}: compare within a row, not one row with another.`;
}

/** Experiments that have no row in the table, and why. */
export function rowlessSection(results: readonly Result[], rows: readonly Row[], most: number): string | null {
  const without = results.filter((result) => !rows.some((row) => row.result === result));
  const lines = without.slice(0, most).map((result) => {
    return `- ${markdownName(label(result))}: ${markdownText(plainText(headline(result.findings).sentence), 300)}`;
  });
  if (without.length > most && most > 0) lines.push(`- … and ${without.length - most} more without a comparison.`);
  return lines.length === 0 ? null : lines.join('\n');
}

export function gatheredWarnings(results: readonly Result[], most: number): string | null {
  const all = results.flatMap((result) => warnings(result.findings).map((warning) => ({ result, ...warning })));
  if (all.length === 0 || most === 0) return null;
  const lines = all.slice(0, most).map(({ result, text, advice }) => {
    return `- ${markdownName(label(result))}: ${markdownText(text, 300)}${advice === null ? '' : ` ${markdownText(advice, 300)}`}`;
  });
  if (all.length > most) lines.push(`- … and ${all.length - most} more, in the details.`);
  return alertBox('WARNING', lines);
}

/** Head of an experiment's details. It is HTML, in which code holds no mentions, links or emoji. */
export function foldedHead(result: Result): string {
  const { verdict, short } = headline(result.findings);
  return `${verdict === null ? '⚪' : verdictIcon(verdict)} <code>${htmlText(label(result), 80)}</code>: ${htmlText(short)}`;
}

export function gatheredFooter(results: readonly Result[]): string {
  const versions = [...new Set(results.map(({ findings }) => version(findings)))];
  const words = 'Differences are variant minus baseline: positive means that the variant used more.';
  return `<sub>${words} joulediff ${versions.slice(0, 3).join(', ')}</sub>`;
}

function version({ experiment }: Findings): string {
  return markdownText(experiment.joulediff_version, 20);
}
