import type { RunResult } from '../analysis/results.ts';
import type { Findings } from '../findings/findings.ts';
import { commentBlocks } from './comment.ts';
import { folded, type Part, paragraph } from './document/blocks.ts';
import { renderMarkdown } from './document/markdown.ts';
import { analysisPerExecution } from './per-execution.ts';
import { checks, warningAlert } from './sections/checks.ts';
import { footer, meansChart, reproduce } from './sections/closing.ts';
import { everyComparison, everyTable, forest, why } from './sections/comparisons.ts';
import { conditions } from './sections/conditions.ts';
import { costsInText } from './sections/costs.ts';
import { effects } from './sections/effects.ts';
import { explained, goesWithLine } from './sections/explain.ts';
import { factorial } from './sections/factorial.ts';
import { fairness, otherReasons } from './sections/fairness.ts';
import { measuringCost } from './sections/measuring-cost.ts';
import { metrics } from './sections/metrics.ts';
import { statistics } from './sections/statistics.ts';
import { thresholdDetails, thresholdOverview } from './sections/thresholds.ts';
import { estimateLine, how, provenanceAlert, title, verdictDetail } from './sections/top.ts';
import { clearResources, resources } from './sections/use.ts';
import { runs, variants } from './sections/variants.ts';

/** Maximum bytes of a job summary: the runner drops one that is larger than 1 MiB completely. */
export const SUMMARY_BUDGET = 900 * 1024;

/** Maximum runs in the folded table, in steps; all runs are in runs.csv. */
const RUN_STEPS = [5000, 1000, 200, 0];

/** Job summary: the comment, with variants, statistics and every run. At most `budget` bytes, by dropping detail in steps. */
export function summaryMarkdown(findings: Findings, all: readonly RunResult[], budget = SUMMARY_BUDGET): string {
  return renderMarkdown(summaryBlocks(findings, all, budget));
}

/** Blocks of the summary, before conversion to Markdown. */
export function summaryBlocks(found: Findings, all: readonly RunResult[], budget = SUMMARY_BUDGET): Part[] {
  const { findings, runs: shown } = analysisPerExecution({ findings: found, runs: all });
  for (const most of RUN_STEPS) {
    const parts = summary(findings, shown, most);
    if (Buffer.byteLength(renderMarkdown(parts)) <= budget) return parts;
  }
  return commentBlocks(found, budget);
}

function summary(findings: Findings, all: readonly RunResult[], mostRuns: number): Part[] {
  const comparisons = everyComparison(findings);
  return [
    title(findings),
    provenanceAlert(findings, all),
    estimateLine(findings),
    verdictDetail(findings),
    thresholdOverview(findings),
    paragraph(...how(findings)),
    everyTable(findings),
    forest(findings, 40),
    why(findings, 40),
    clearResources(findings),
    goesWithLine(findings),
    otherReasons(findings),
    factorial(findings, 'as table and in words'),
    effects(findings, 'as tables'),
    costsInText(findings, 200),
    warningAlert(findings, 100),
    variants(findings),
    metrics(findings),
    folded(resources(findings)),
    folded(explained(findings)),
    meansChart(findings, 12),
    folded(statistics(comparisons, true)),
    folded(checks(findings)),
    folded(fairness(findings)),
    thresholdDetails(findings, 1000),
    runs(all, mostRuns),
    folded(conditions(findings)),
    reproduce(findings),
    footer(findings),
    measuringCost(findings),
  ];
}
