import type { Findings } from '../../../../findings/findings.ts';
import {
  alert,
  type Details,
  firstItems,
  type Heading,
  note,
  type Part,
  paragraph,
  section,
  table,
} from '../../../../report/document/blocks.ts';
import { joined, name, type Text, text } from '../../../../report/document/text.ts';
import { warningTexts } from '../../../../report/sections/checks.ts';
import { comparisonColumns } from '../../../../report/sections/comparisons.ts';
import { failing, getStanding, shownAs } from '../../../../report/verdict.ts';
import { formatCounts, headline } from '../../../../report/words/headline.ts';
import { commitText, wholeCommit } from '../../../../report/words/measured.ts';
import { provenance } from '../../../../report/words/provenance.ts';
import { hasTail, tailsWords } from '../../../../report/words/tail.ts';
import { thresholdText } from '../../../../report/words/threshold.ts';
import { plural } from '../../../../text/plain.ts';
import { mergeWhatMayBe } from '../../analysis/merge.ts';
import { mergedSection } from '../sections/merged.ts';
import { notPooledWords } from '../words/merged.ts';
import { gravestRow, label, lackingTags, type Result, type Row, worstFirst } from './result.ts';

/** Sections about several experiments together. `null`: there is nothing to say. */

export function gatheredTitle(results: readonly Result[], rows: readonly Row[]): Heading {
  const counted = rows.length === 0 ? 'nothing to compare' : formatCounts(rows.map(getStanding)).short;
  const gravest = gravestRow(rows);
  const failed = results.flatMap(({ findings }) => failing(findings)).length;
  const tags = [
    ...sourceTags(results),
    ...(failed === 0 ? [] : [plural(failed, 'threshold not kept', 'thresholds not kept')]),
    ...lackingTags(results),
  ];
  return {
    kind: 'heading',
    level: 1,
    verdict: gravest === undefined ? 'none' : shownAs(gravest),
    text: text`${plural(results.length, 'experiment')}: ${counted}${tags.map((tag) => ` — ${tag}`).join('')}`,
  };
}

/** `emulated meter` where all are; `1 emulated meter` where one is. */
function sourceTags(results: readonly Result[]): string[] {
  const tags = results.map(({ findings }) => provenance(findings).tag?.toLowerCase() ?? null);
  return [...new Set(tags)].flatMap((tag) => {
    const count = tags.filter((other) => other === tag).length;
    return tag === null ? [] : [count === tags.length ? tag : `${count} ${tag}`];
  });
}

/** Thresholds that failed a job; those that are kept or open are in the details. */
export function gatheredThresholds(results: readonly Result[], most: number): Part {
  const items = results.flatMap((result) =>
    failing(result.findings).map((found) => text`${name(label(result))}: ${thresholdText(result.findings, found)}`),
  );
  if (items.length === 0 || most === 0) return null;
  const listed = firstItems(items, most, (count) => `… and ${count} more, in the details.`);
  return alert('caution', paragraph({ strong: ['This fails the job:'] }), listed);
}

/** Alert about models and emulators, placed before all numbers. */
export function gatheredSources(results: readonly Result[], most: number): Part {
  const byWarning = Map.groupBy(results, ({ findings }) => provenance(findings).warning);
  const lines = [...byWarning].flatMap(([warning, whose]) => {
    if (warning === null) return [];
    const named = whose.length === results.length ? [] : text`${names(whose, most)}: `;
    return [paragraph(...named, { strong: [warning] })];
  });
  return lines.length === 0 ? null : alert('caution', lines);
}

/** The commits that the experiments measured. Null: none is known. */
export function gatheredCommits(results: readonly Result[], most: number): Part {
  const byCommit = [...Map.groupBy(results, ({ findings }) => wholeCommit(findings)).values()];
  const said = byCommit.flatMap((whose) => {
    const commit = commitText((whose[0] as Result).findings);
    if (commit.length === 0) return [];
    return [byCommit.length === 1 ? commit : text`${commit} (${names(whose, most)})`];
  });
  return said.length === 0 ? null : note(...text`Measured at ${joined(said, '; ')}.`);
}

function names(results: readonly Result[], most: number): Text {
  const shown = results.slice(0, most).map((result): Text => [name(label(result))]);
  return joined([...shown, ...(results.length > most ? [[`${results.length - most} more`]] : [])], ', ');
}

/** Note if joules of different meters or machines are listed together. */
export function mindDifferences(results: readonly Result[]): Part {
  const { meters, machines } = differences(results);
  const kinds = new Set(results.map(({ findings }) => `${findings.meter.type} ${findings.meter.source}`)).size;
  if (!machines && !(meters && kinds > 1)) return null;
  const what = machines ? (meters && kinds > 1 ? 'machines and meters' : 'machines') : 'meters';
  return paragraph(`The experiments ran with different ${what}: compare within a row, not one row with another.`);
}

/** Which of the columns that tell experiments apart are needed: a meter or a machine that all share needs none. */
function differences(results: readonly Result[]): { readonly meters: boolean; readonly machines: boolean } {
  const differs = (of: (result: Result) => string | null): boolean => new Set(results.map(of)).size > 1;
  return {
    meters: differs(meterName) || results.some(({ findings }) => findings.meter.source !== 'measured'),
    machines: differs(machineName),
  };
}

/** `watts-up-pro`, `estimate (estimated by a model, not measured)`. */
function meterName({ findings }: Result): string {
  const { meter } = findings;
  return meter.source === 'measured' ? meter.type : `${meter.type} (${provenance(findings).short})`;
}

/** Null: not known. */
function machineName({ findings: { conditions: c } }: Result): string | null {
  return c === null ? null : [c.hostname, c.machine ?? c.cpu].filter(Boolean).join(', ');
}

/** A row a comparison, with the experiment, and with meter and machine where not all have the same. */
export function gatheredTable(all: readonly Row[], most: number, results: readonly Result[]): Part {
  if (all.length === 0) return null;
  const { meters, machines } = differences(results);
  const rows = all.slice(0, most);
  const left = all.length - rows.length;
  const shown = table('Comparisons', rows, [
    { head: 'Experiment', cell: ({ result }) => name(label(result)) },
    ...comparisonColumns(null),
    meters && { head: 'Meter', cell: ({ result }) => name(meterName(result)) },
    machines && { head: 'Machine', cell: ({ result }) => name(machineName(result) ?? 'unknown') },
  ]);
  const why = `${left} of ${all.length} comparisons are left out of this table because of its size; they are in the results of their own jobs.`;
  return [rows.length === 0 ? null : shown, left === 0 ? null : paragraph(why)];
}

/** The same experiment on several machines: what holds beyond one of them, or why nothing is pooled. */
export function machinesTogether(results: readonly Result[]): Part {
  const byExperiment = Map.groupBy(results, ({ findings }) => findings.experiment.name);
  return [...byExperiment].flatMap(([experiment, same]): Part[] => {
    const sources = Map.groupBy(same, ({ findings }) => findings.meter.source);
    if (sources.size > 1) return [paragraph(...notPooledWords(experiment, sources))];
    const merged = mergeWhatMayBe(same, 'machine');
    return merged.map((one) => {
      const title = merged.length === 1 ? [] : [', ', name(one.variant), ' against ', name(one.baseline)];
      const head = text`${name(experiment)}${title} on ${String(one.machines.length)} machines`;
      return section('', head, mergedSection(one, { isFolded: true }));
    });
  });
}

/** Comparisons whose mean change disagrees with the headline, listed beside the table. */
export function gatheredTails(rows: readonly Row[], most: number): Part {
  const items = rows
    .filter(({ comparison }) => hasTail(comparison))
    .map(({ result, comparison }) => text`${name(label(result))}: ${tailsWords([comparison])}`);
  if (items.length === 0 || most === 0) return null;
  return firstItems(items, most, (count) => `… and ${count} more whose mean tells a different story.`);
}

/** Experiments that have no row in the table, and why. */
export function withoutRow(results: readonly Result[], rows: readonly Row[], most: number): Part {
  const without = worstFirst(results).filter((result) => !rows.some((row) => row.result === result));
  if (without.length === 0 || most === 0) return null;
  const items = without.map((result) => text`${name(label(result))}: ${headline(result.findings).sentence}`);
  return firstItems(items, most, (count) => `… and ${count} more without a comparison.`);
}

export function gatheredWarnings(results: readonly Result[], most: number): Part {
  const items = worstFirst(results).flatMap((result) =>
    warningTexts(result.findings).map((warning) => text`${name(label(result))}: ${warning}`),
  );
  if (items.length === 0 || most === 0) return null;
  return alert(
    'warning',
    firstItems(items, most, (count) => `… and ${count} more, in the details.`),
  );
}

/** What an experiment's own text is folded under. */
export function detailsHead(result: Result): Omit<Details, 'blocks'> {
  const { verdict, short } = headline(result.findings);
  return { kind: 'details', verdict: verdict ?? 'none', summary: text`${name(label(result))}: ${short}` };
}

export function gatheredFooter(results: readonly Result[]): Part {
  const versions = [...new Set(results.map(({ findings }) => version(findings)))];
  const words = 'Differences are variant minus baseline: positive means that the variant used more.';
  return note(`${words} joulediff ${versions.slice(0, 3).join(', ')}`);
}

function version({ experiment }: Findings): string {
  return experiment.joulediff_version;
}
