import { COMMENT_BUDGET, commentMarkdown } from '../comment.ts';
import { folded, markdownTable, paragraphs } from '../markdown.ts';
import { SUMMARY_BUDGET, summaryMarkdown } from '../summary.ts';
import { type Result, type Row, rowsOf, worstFirst } from './result.ts';
import {
  apartSection,
  foldedHead,
  gatheredFooter,
  gatheredSources,
  gatheredThresholds,
  gatheredTitle,
  gatheredVerdict,
  gatheredWarnings,
  rowlessSection,
} from './sections.ts';
import { gatheredTable, whatDiffers } from './table.ts';

/** How much is shown. Later steps show less; nothing is ever cut in its middle. */
interface Detail {
  readonly rows: number;
  readonly warnings: number;
  /** Bytes for one experiment's own text, folded; 0: none has one. */
  readonly each: number;
  /** Where not all have room, the worst have. */
  readonly last?: boolean;
}

const ALL = Number.POSITIVE_INFINITY;

const STEPS: readonly Detail[] = [
  ...[COMMENT_BUDGET, 12_000].map((each) => ({ rows: ALL, warnings: 12, each })),
  { rows: ALL, warnings: 12, each: 6000, last: true },
  { rows: ALL, warnings: 6, each: 0 },
  ...[100, 50, 25, 12, 6, 3].map((rows) => ({ rows, warnings: 3, each: 0 })),
];

/**
 * Body of the one comment about several experiments, without its hidden marker: a row a comparison, the worst first, and the text of each
 * experiment folded. At most `budget` bytes, by dropping detail in steps. Of a single experiment its own comment. `results` is not empty.
 */
export function gatheredComment(results: readonly Result[], budget = COMMENT_BUDGET): string {
  const [first] = results;
  if (first !== undefined && results.length === 1) return commentMarkdown(first.findings, budget);
  return fitted(results, budget, commentMarkdown);
}

/** The same for the job summary, with the longer text of each experiment. */
export function gatheredSummary(results: readonly Result[], budget = SUMMARY_BUDGET): string {
  const [first] = results;
  const own = (findings: Result['findings'], most: number): string => summaryMarkdown(findings, [], most);
  if (first !== undefined && results.length === 1) return own(first.findings, budget);
  const whole = compose(results, { rows: ALL, warnings: 100, each: SUMMARY_BUDGET }, budget, own);
  return whole !== null && Buffer.byteLength(whole) <= budget ? whole : fitted(results, budget, commentMarkdown);
}

type OwnText = (findings: Result['findings'], budget: number) => string;

function fitted(results: readonly Result[], budget: number, own: OwnText): string {
  for (const detail of STEPS) {
    const text = compose(results, detail, budget, own);
    if (text !== null && Buffer.byteLength(text) <= budget) return text;
  }
  return paragraphs(head(results, { rows: 0, warnings: 0, each: 0 }));
}

/** Null: the details don't fit. */
function compose(results: readonly Result[], detail: Detail, budget: number, own: OwnText): string | null {
  const parts = head(results, detail);
  const footer = gatheredFooter(results);
  const room = budget - Buffer.byteLength(paragraphs([...parts, footer]));
  const folds = room < 0 ? null : details(results, detail, room, own);
  return folds === null ? null : paragraphs([...parts, ...folds, footer]);
}

function head(results: readonly Result[], detail: Detail): (string | null)[] {
  const rows = rowsOf(results);
  const ordered = worstFirst(results);
  return [
    gatheredTitle(results, rows),
    gatheredSources(results, detail.warnings),
    gatheredVerdict(rows),
    gatheredThresholds(results, detail.warnings),
    apartSection(whatDiffers(results), results),
    table(rows, detail.rows, results),
    rowlessSection(ordered, rows, detail.warnings),
    gatheredWarnings(ordered, detail.warnings),
  ];
}

function table(rows: readonly Row[], most: number, results: readonly Result[]): string | null {
  if (rows.length === 0) return null;
  const shown = rows.slice(0, most);
  const note =
    shown.length === rows.length
      ? null
      : `${rows.length - shown.length} of ${rows.length} comparisons are not in this table, for its size; they are in the results of their own jobs.`;
  const drawn = shown.length === 0 ? null : markdownTable(gatheredTable(shown, whatDiffers(results)), 80);
  return [drawn, note].filter((part) => part !== null).join('\n\n');
}

/** Each experiment’s own text, folded, the worst first. Null: not all have room, and the next step has shorter texts for all. */
function details(results: readonly Result[], { each, last }: Detail, room: number, own: OwnText): string[] | null {
  if (each === 0) return [];
  const note = (left: number): string => `The details of ${left} more are in the results of their own jobs.`;
  let left = room - (last ? Buffer.byteLength(note(results.length)) + 2 : 0);
  const shown: string[] = [];
  for (const result of worstFirst(results)) {
    const text = folded(foldedHead(result), own(result.findings, each).trimEnd());
    left -= Buffer.byteLength(text) + 2;
    if (left < 0) return last ? [...shown, note(results.length - shown.length)] : null;
    shown.push(text);
  }
  return shown;
}
