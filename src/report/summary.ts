import type { RunResult } from '../analysis/results.ts';
import type { Findings } from '../findings/findings.ts';
import { commentMarkdown } from './comment.ts';
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
import { checksTable, conditionsTable, runTable, variantTable } from './tables.ts';
import { thresholdDetails, thresholdSection } from './threshold-section.ts';
import { byInterest, primaryComparisons } from './verdict.ts';

/** A job summary may have 1 MiB a step: more is dropped whole by the runner. */
export const SUMMARY_BUDGET = 900 * 1024;

/** Most runs in the folded table; all of them are in runs.csv. */
const RUN_STEPS = [5000, 1000, 200, 0];

/** The comment with more: variants, statistics and every run. At most `budget` bytes, by dropping detail in steps. */
export function summaryMarkdown(findings: Findings, runs: readonly RunResult[], budget = SUMMARY_BUDGET): string {
  for (const most of RUN_STEPS) {
    const text = compose(findings, runs, most);
    if (Buffer.byteLength(text) <= budget) return text;
  }
  return commentMarkdown(findings, budget);
}

function compose(findings: Findings, runs: readonly RunResult[], mostRuns: number): string {
  const primary = primaryComparisons(findings);
  const ordered = [...byInterest(primary), ...byInterest(findings.comparisons.filter((c) => !primary.includes(c)))];
  const few = ordered.length <= 4;
  return paragraphs([
    titleSection(findings),
    provenanceSection(findings),
    verdictSection(findings),
    thresholdSection(findings),
    howSection(findings),
    ordered.length === 0 ? null : markdownTable(compactTable(findings, ordered)),
    forestSection(primary, 40),
    whySection(primary, 40),
    factorialSection(findings, true),
    costSection(findings, 200),
    warningsSection(findings, 100),
    findings.variants.length === 0 ? null : `#### Variants\n\n${markdownTable(variantTable(findings))}`,
    mermaidSection(findings, 12),
    ordered.length === 0
      ? null
      : folded('Statistics', markdownTable(few ? statisticsTable(ordered) : manyStatisticsTable(ordered))),
    findings.quality.checks.length === 0 ? null : folded('Checks', markdownTable(checksTable(findings))),
    thresholdDetails(findings, 1000),
    runSection(runs, mostRuns),
    folded('Machine, meter and conditions', markdownTable(conditionsTable(findings), 400)),
    reproduceSection(findings),
    footerSection(findings),
  ]);
}

function runSection(all: readonly RunResult[], most: number): string | null {
  if (most === 0 || all.length === 0) return null;
  const note = all.length > most ? `\n\n${all.length - most} more runs are in runs.csv.` : '';
  return folded(`All ${all.length} runs`, `${markdownTable(runTable(all.slice(0, most)))}${note}`);
}
