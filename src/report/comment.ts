import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { compactTable } from './compact-table.ts';
import { costSection } from './cost-section.ts';
import { factorialSection } from './factorial.ts';
import { folded, markdownTable, paragraphs } from './markdown.ts';
import {
  footerSection,
  forestSection,
  howSection,
  mermaidSection,
  provenanceSection,
  reproduceSection,
  titleSection,
  verdictSection,
  warningsSection,
  whySection,
} from './sections.ts';
import { manyStatisticsTable, statisticsTable } from './statistics.ts';
import { conditionsTable, variantTable } from './tables.ts';
import { thresholdDetails, thresholdSection } from './threshold-section.ts';
import { byInterest, isChanged, primaryComparisons } from './verdict.ts';

/** Leaves room for the hidden marker, a note and links inside the 60,000 bytes that a comment may have. */
export const COMMENT_BUDGET = 56_000;

/** How much of everything is shown. Later steps show less; nothing is ever cut in its middle. */
interface Detail {
  /** Rows of the main table. */
  readonly rows: number;
  readonly thresholds: number;
  readonly costs: number;
  /** Rows of the other channels. */
  readonly channels: number;
  readonly warnings: number;
  readonly why: number;
  readonly forest: number;
  readonly mermaid: number;
  readonly statistics: boolean;
  readonly conditions: boolean;
  readonly variants: boolean;
}

const FULL: Detail = {
  rows: Number.POSITIVE_INFINITY,
  thresholds: 40,
  costs: 40,
  channels: 60,
  warnings: 12,
  why: 24,
  forest: 16,
  mermaid: 12,
  statistics: true,
  conditions: true,
  variants: true,
};

const FEWER: Detail = { ...FULL, variants: false, statistics: false };

const STEPS: readonly Detail[] = [
  FULL,
  { ...FULL, variants: false },
  FEWER,
  { ...FEWER, mermaid: 0, conditions: false, warnings: 6, thresholds: 12, costs: 12, channels: 12 },
  ...[100, 50, 25, 12, 6, 3].map((rows) => {
    const least = { mermaid: 0, conditions: false, warnings: 3, why: 3, thresholds: 0, costs: 0, channels: 0 };
    return { ...FEWER, ...least, rows, forest: Math.min(8, rows) };
  }),
];

/** Columns of all statistics side by side that can still be read. */
const SIDE_BY_SIDE = 4;

/**
 * Body of the pull-request comment, without its hidden marker. At most `budget` bytes, by dropping detail in steps. From the findings
 * alone, so that a job with rights can write it from a findings.json of a job without.
 */
export function commentMarkdown(findings: Findings, budget = COMMENT_BUDGET): string {
  for (const detail of STEPS) {
    const text = compose(findings, detail);
    if (Buffer.byteLength(text) <= budget) return text;
  }
  return compose(findings, { ...STEPS.at(-1)!, rows: 0, forest: 0, why: 0, warnings: 0 });
}

function compose(findings: Findings, detail: Detail): string {
  const primary = primaryComparisons(findings);
  return paragraphs([
    titleSection(findings),
    provenanceSection(findings),
    verdictSection(findings),
    thresholdSection(findings),
    howSection(findings),
    mainTables(findings, detail),
    forestSection(primary, detail.forest),
    whySection(primary, detail.why),
    factorialSection(findings),
    costSection(findings, detail.costs),
    detail.warnings === 0 ? null : warningsSection(findings, detail.warnings),
    chart(findings, detail),
    otherChannels(findings, detail.channels),
    thresholdDetails(findings, detail.thresholds),
    statistics(findings.comparisons, detail),
    detail.variants && findings.variants.length > 0 ? folded('Variants', markdownTable(variantTable(findings))) : null,
    detail.conditions ? folded('Machine, meter and conditions', markdownTable(conditionsTable(findings), 400)) : null,
    reproduceSection(findings),
    footerSection(findings),
  ]);
}

/** Rows that stand in one table, changed or not. */
const MOST_OPEN = 5;

/** What changed in the open, what did not folded as soon as there are many. */
function mainTables(findings: Findings, { rows }: Detail): string | null {
  const all = byInterest(primaryComparisons(findings));
  if (all.length === 0) return null;
  const shown = all.slice(0, rows);
  const dropped = all.length - shown.length;
  const note =
    dropped === 0
      ? null
      : `${dropped} of ${all.length} comparisons are not in this table, for its size; they are in the report.`;
  if (shown.length <= MOST_OPEN) return [table(findings, shown), note].filter((part) => part !== null).join('\n\n');
  const changed = shown.filter(isChanged);
  const others = shown.filter((c) => !isChanged(c));
  const parts = [
    changed.length === 0 ? null : table(findings, changed),
    others.length === 0
      ? null
      : folded(`${others.length} more: inconclusive or within the margin`, table(findings, others)),
    note,
  ];
  return parts.filter((part) => part !== null).join('\n\n');
}

/** The comparisons on the channels beside the primary one, folded: the verdict doesn't rest on them. */
function otherChannels(findings: Findings, most: number): string | null {
  const primary = primaryComparisons(findings);
  const others = byInterest(findings.comparisons.filter((c) => !primary.includes(c)));
  if (others.length === 0 || most === 0) return null;
  const more = others.length > most ? `\n\n${others.length - most} more are in the report.` : '';
  return folded('Other channels', `${table(findings, others.slice(0, most))}${more}`);
}

function table(findings: Findings, comparisons: readonly Comparison[]): string {
  return comparisons.length === 0 ? '' : markdownTable(compactTable(findings, comparisons));
}

function chart(findings: Findings, { mermaid }: Detail): string | null {
  const drawing = mermaid === 0 ? null : mermaidSection(findings, mermaid);
  return drawing === null ? null : folded('Chart', drawing);
}

function statistics(comparisons: readonly Comparison[], detail: Detail): string | null {
  if (!detail.statistics || comparisons.length === 0) return null;
  const ordered = byInterest(comparisons);
  const few = ordered.length <= SIDE_BY_SIDE;
  return folded('Statistics', markdownTable(few ? statisticsTable(ordered, false) : manyStatisticsTable(ordered)));
}
