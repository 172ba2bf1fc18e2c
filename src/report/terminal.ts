import type { Analysis } from '../analysis/results.ts';
import { blocksOf, note, type Part, paragraph } from './document/blocks.ts';
import { renderTerminal, type TerminalOptions } from './document/terminal.ts';
import { perExecution } from './per-execution.ts';
import { reading, warningAlert } from './sections/checks.ts';
import { everyTable, forest, why } from './sections/comparisons.ts';
import { costsInText } from './sections/costs.ts';
import { effects } from './sections/effects.ts';
import { goesWithLine } from './sections/explain.ts';
import { factorial } from './sections/factorial.ts';
import { ingredients, otherReasons } from './sections/fairness.ts';
import { metrics } from './sections/metrics.ts';
import { thresholdOverview } from './sections/thresholds.ts';
import { estimateLine, how, provenanceAlert, title, verdictDetail } from './sections/top.ts';
import { phases, resources } from './sections/use.ts';
import { primaryComparisons } from './verdict.ts';
import { sourcesText } from './words/provenance.ts';
import { ofChanged } from './words/suite.ts';

/** Maximum rows of costs; the report has all of them. */
const MAX_COSTS = 20;
const EVERY = Number.POSITIVE_INFINITY;

/** The result as plain text of at most `width` columns, with a line end at its end. */
export function terminalReport(analysis: Pick<Analysis, 'findings'>, options: TerminalOptions): string {
  const findings = perExecution(analysis.findings);
  const changed = ofChanged(findings);
  const sources = sourcesText(findings);
  const parts: Part[] = [
    provenanceAlert(findings),
    title(findings),
    estimateLine(findings),
    verdictDetail(findings),
    note(...how(findings)),
    reading(findings),
    everyTable(findings),
    // Only this line has the full names of channels, which tables may shorten.
    sources === '' ? null : paragraph(sources),
    forest(findings, EVERY, options.width),
    primaryComparisons(findings).length === 1 ? why(findings, 1) : null,
    goesWithLine(findings),
    otherReasons(findings),
    ingredients(findings),
    metrics(changed),
    phases(changed),
    resources(changed, true),
    factorial(findings, 'in words'),
    effects(findings, 'in words'),
    costsInText(findings, MAX_COSTS),
    thresholdOverview(findings),
    warningAlert(findings, EVERY),
  ];
  return renderTerminal(blocksOf(parts), options);
}
