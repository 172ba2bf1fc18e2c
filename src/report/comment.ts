import type { Comparison, Findings } from '../analysis/findings.ts';
import { folded, markdownTable, paragraphs } from './markdown.ts';
import {
  briefSection,
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
import { comparisonTable, conditionsTable, variantTable } from './tables.ts';
import { byInterest, isChanged, primaryComparisons } from './verdict.ts';
import { verdictIcon } from './words.ts';

/** Leaves room for the hidden marker, a note and links inside the 60,000 bytes that a comment may have. */
export const COMMENT_BUDGET = 56_000;

/** How much of everything is shown. Later steps show less; nothing is ever cut in its middle. */
interface Detail {
  /** Rows of the main table. */
  readonly rows: number;
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
  warnings: 12,
  why: 6,
  forest: 16,
  mermaid: 12,
  statistics: true,
  conditions: true,
  variants: true,
};

const STEPS: readonly Detail[] = [
  FULL,
  { ...FULL, variants: false },
  { ...FULL, variants: false, statistics: false },
  { ...FULL, variants: false, statistics: false, mermaid: 0, conditions: false, warnings: 6 },
  ...[100, 50, 25, 12, 6, 3].map((rows) => {
    return {
      ...FULL,
      rows,
      variants: false,
      statistics: false,
      mermaid: 0,
      conditions: false,
      warnings: 3,
      forest: Math.min(8, rows),
      why: 3,
    };
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
    briefSection(findings),
    verdictSection(findings),
    howSection(findings),
    mainTables(findings, detail),
    forestSection(primary, detail.forest),
    whySection(primary, detail.why),
    detail.warnings === 0 ? null : warningsSection(findings, detail.warnings),
    chart(findings, detail),
    statistics(findings.comparisons, detail),
    detail.variants && findings.variants.length > 0 ? folded('Variants', markdownTable(variantTable(findings))) : null,
    detail.conditions ? folded('Machine, meter and conditions', markdownTable(conditionsTable(findings), 160)) : null,
    reproduceSection(findings),
    footerSection(findings),
  ]);
}

/** What changed in the open, what did not folded as soon as there are many. */
function mainTables(findings: Findings, { rows }: Detail): string | null {
  const all = byInterest(findings.comparisons);
  if (all.length === 0) return null;
  const shown = all.slice(0, rows);
  const dropped = all.length - shown.length;
  const note =
    dropped === 0
      ? null
      : `${dropped} of ${all.length} comparisons are not in this table, for its size; they are in the report.`;
  if (shown.length <= 10) return [table(findings, shown), note].filter((part) => part !== null).join('\n\n');
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

function table(findings: Findings, comparisons: readonly Comparison[]): string {
  return comparisons.length === 0 ? '' : markdownTable(comparisonTable(findings, comparisons, verdictIcon));
}

function chart(findings: Findings, { mermaid }: Detail): string | null {
  const drawing = mermaid === 0 ? null : mermaidSection(findings, mermaid);
  return drawing === null ? null : folded('Chart', drawing);
}

function statistics(comparisons: readonly Comparison[], detail: Detail): string | null {
  if (!detail.statistics || comparisons.length === 0) return null;
  const few = comparisons.length <= SIDE_BY_SIDE;
  return folded(
    'Statistics',
    markdownTable(few ? statisticsTable(comparisons) : manyStatisticsTable(byInterest(comparisons))),
  );
}
