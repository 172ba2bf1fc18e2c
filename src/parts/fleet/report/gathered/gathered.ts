import type { Findings } from '../../../../findings/findings.ts';
import { COMMENT_BUDGET, commentBlocks, commentMarkdown } from '../../../../report/comment.ts';
import { blocksOf, type Details, type Part, paragraph } from '../../../../report/document/blocks.ts';
import { renderMarkdown } from '../../../../report/document/markdown.ts';
import { SUMMARY_BUDGET, summaryBlocks, summaryMarkdown } from '../../../../report/summary.ts';
import { type Result, rowsOf, worstFirst } from './result.ts';
import {
  detailsHead,
  gatheredCommits,
  gatheredFooter,
  gatheredSources,
  gatheredTable,
  gatheredTails,
  gatheredThresholds,
  gatheredTitle,
  gatheredWarnings,
  machinesTogether,
  mindDifferences,
  withoutRow,
} from './sections.ts';

/** How much is shown. Later steps show less; nothing is ever cut in its middle. */
interface Detail {
  readonly rows: number;
  readonly warnings: number;
  /** Bytes for one experiment's own text, folded; 0: none has one. */
  readonly each: number;
  /** Whether, if space is short, only the most important experiments get their own text. */
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
  return renderMarkdown(fitted(results, budget));
}

/** The same for the job summary, with the longer text of each experiment. */
export function gatheredSummary(results: readonly Result[], budget = SUMMARY_BUDGET): string {
  const [first] = results;
  if (first !== undefined && results.length === 1) return summaryMarkdown(first.findings, [], budget);
  const own: OwnText = (findings, most) => summaryBlocks(findings, [], most);
  const whole = compose(results, { rows: ALL, warnings: 100, each: SUMMARY_BUDGET }, budget, own);
  return renderMarkdown(whole !== null && sizeOf(whole) <= budget ? whole : fitted(results, budget));
}

/** An experiment's own text, of at most so many bytes. */
type OwnText = (findings: Findings, budget: number) => readonly Part[];

function fitted(results: readonly Result[], budget: number): readonly Part[] {
  for (const detail of STEPS) {
    const parts = compose(results, detail, budget, commentBlocks);
    if (parts !== null && sizeOf(parts) <= budget) return parts;
  }
  return overview(results, { rows: 0, warnings: 0, each: 0 });
}

/** Null: this detail does not fit. */
function compose(results: readonly Result[], detail: Detail, budget: number, own: OwnText): Part[] | null {
  const parts = overview(results, detail);
  const footer = gatheredFooter(results);
  const room = budget - sizeOf([...parts, footer]);
  const folds = room < 0 ? null : ownTexts(results, detail, room, own);
  return folds === null ? null : [...parts, ...folds, footer];
}

function overview(results: readonly Result[], detail: Detail): Part[] {
  const rows = rowsOf(results);
  return [
    gatheredTitle(results, rows),
    gatheredSources(results, detail.warnings),
    gatheredCommits(results, detail.warnings),
    gatheredThresholds(results, detail.warnings),
    mindDifferences(results),
    gatheredTable(rows, detail.rows, results),
    detail.rows === ALL ? machinesTogether(results) : null,
    gatheredTails(rows, detail.warnings),
    withoutRow(results, rows, detail.warnings),
    gatheredWarnings(results, detail.warnings),
  ];
}

/** Each experiment’s own text, folded, the worst first. Null: not all have room, and the next step has shorter texts for all. */
function ownTexts(results: readonly Result[], { each, last }: Detail, room: number, own: OwnText): Part[] | null {
  if (each === 0) return [];
  const left = (count: number): Part => paragraph(`The details of ${count} more are in the results of their own jobs.`);
  let free = room - (last ? sizeOf([left(results.length)]) + 2 : 0);
  const shown: Part[] = [];
  for (const result of worstFirst(results)) {
    const text: Details = { ...detailsHead(result), blocks: blocksOf(own(result.findings, each)) };
    free -= sizeOf([text]) + 2;
    if (free < 0) return last ? [...shown, left(results.length - shown.length)] : null;
    shown.push(text);
  }
  return shown;
}

function sizeOf(parts: readonly Part[]): number {
  return Buffer.byteLength(renderMarkdown(parts));
}
