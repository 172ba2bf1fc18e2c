import { COMMENT_BUDGET, commentMarkdown } from '../comment.ts';
import { folded, markdownTable, paragraphs } from '../markdown.ts';
import { SUMMARY_BUDGET, summaryMarkdown } from '../summary.ts';
import { type Result, type Row, rowsOf, worstFirst } from './result.ts';
import {
  apartSection,
  foldedHead,
  gatheredFooter,
  gatheredSources,
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
}

const ALL = Number.POSITIVE_INFINITY;

const STEPS: readonly Detail[] = [
  ...[COMMENT_BUDGET, 12_000, 6000].map((each) => ({ rows: ALL, warnings: 12, each })),
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
  return Buffer.byteLength(whole) <= budget ? whole : fitted(results, budget, commentMarkdown);
}

type OwnText = (findings: Result['findings'], budget: number) => string;

function fitted(results: readonly Result[], budget: number, own: OwnText): string {
  for (const detail of STEPS) {
    const text = compose(results, detail, budget, own);
    if (Buffer.byteLength(text) <= budget) return text;
  }
  return compose(results, { rows: 0, warnings: 0, each: 0 }, budget, own);
}

function compose(results: readonly Result[], detail: Detail, budget: number, own: OwnText): string {
  const rows = rowsOf(results);
  const apart = whatDiffers(results);
  const parts = [
    gatheredTitle(results, rows),
    gatheredSources(results, detail.warnings),
    gatheredVerdict(rows),
    apartSection(apart, results),
    table(rows, detail.rows, results),
    rowlessSection(worstFirst(results), rows, detail.warnings),
    gatheredWarnings(worstFirst(results), detail.warnings),
  ];
  const footer = gatheredFooter(results);
  const room = budget - Buffer.byteLength(paragraphs([...parts, footer]));
  return paragraphs([...parts, ...details(results, detail.each, room, own), footer]);
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

/** Each experiment's own text, folded, for as many as there is room; the worst first. */
function details(results: readonly Result[], each: number, room: number, own: OwnText): string[] {
  if (each === 0) return [];
  const texts = worstFirst(results).map((result) => folded(foldedHead(result), own(result.findings, each).trimEnd()));
  const needed = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 0);
  // Too much for this step: the next one has shorter texts, and says the same of all.
  return needed <= room || each <= 6000 ? fitting(texts, room) : texts;
}

function fitting(texts: readonly string[], room: number): string[] {
  const note = (left: number): string => `The details of ${left} more are in the results of their own jobs.`;
  let left = room - Buffer.byteLength(note(texts.length)) - 2;
  const shown: string[] = [];
  for (const text of texts) {
    const bytes = Buffer.byteLength(text) + 2;
    if (bytes > left) break;
    left -= bytes;
    shown.push(text);
  }
  return shown.length === texts.length || shown.length === 0 ? shown : [...shown, note(texts.length - shown.length)];
}
