import type { Findings } from '../findings/findings.ts';
import { blocksOf, details, folded, note, type Part, paragraph } from './document/blocks.ts';
import { renderMarkdown } from './document/markdown.ts';
import { perExecution } from './per-execution.ts';
import { warningAlert } from './sections/checks.ts';
import { differencesText, meansChart, reproduce } from './sections/closing.ts';
import { forest, otherChannels, primaryTables, why } from './sections/comparisons.ts';
import { conditions } from './sections/conditions.ts';
import { costs } from './sections/costs.ts';
import { effects } from './sections/effects.ts';
import { goesWithLine } from './sections/explain.ts';
import { factorial } from './sections/factorial.ts';
import { otherReasons } from './sections/fairness.ts';
import { measuringCost } from './sections/measuring-cost.ts';
import { statistics } from './sections/statistics.ts';
import { thresholdDetails, thresholdOverview } from './sections/thresholds.ts';
import { estimateLine, how, howInShort, provenanceAlert, title, verdictDetail } from './sections/top.ts';
import { clearResources } from './sections/use.ts';
import { variants } from './sections/variants.ts';
import { byInterest, type Standing } from './verdict.ts';
import { headline } from './words/headline.ts';

/** Leaves room for the hidden marker, a note and links inside the 60,000 bytes that a comment may have. */
export const COMMENT_BUDGET = 56_000;

/** Maximum numbers of shown items. Later steps show less; no item is ever cut. */
interface Detail {
  /** Maximum rows of the main table. */
  readonly rows: number;
  readonly thresholds: number;
  readonly costs: number;
  /** Maximum rows of the other channels. */
  readonly channels: number;
  readonly warnings: number;
  readonly why: number;
  /** Maximum lines that say which functions account for a difference, as observed runs showed it. */
  readonly goesWith: number;
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
  goesWith: 12,
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
    const least = {
      mermaid: 0,
      conditions: false,
      warnings: 3,
      why: 3,
      goesWith: 3,
      thresholds: 0,
      costs: 0,
      channels: 0,
    };
    return { ...FEWER, ...least, rows, forest: Math.min(8, rows) };
  }),
];

/**
 * Body of the pull-request comment, without its hidden marker. At most `budget` bytes, by dropping detail in steps. It uses only the
 * findings, so that a job with write permission can create it from the findings.json of a job without.
 */
export function commentMarkdown(findings: Findings, budget = COMMENT_BUDGET): string {
  return renderMarkdown(commentBlocks(findings, budget));
}

/** Blocks of the comment, before conversion to Markdown. */
export function commentBlocks(found: Findings, budget = COMMENT_BUDGET): Part[] {
  const findings = perExecution(found);
  for (const detail of STEPS) {
    const parts = comment(findings, detail);
    if (Buffer.byteLength(renderMarkdown(parts)) <= budget) return parts;
  }
  return comment(findings, { ...STEPS.at(-1)!, rows: 0, forest: 0, why: 0, goesWith: 0, warnings: 0 });
}

/** Verdicts whose evidence is folded; for all others, the explanation is visible. */
const SETTLED: ReadonlySet<Standing | null> = new Set(['increase', 'decrease', 'changed-within-margin', 'equivalent']);

function comment(findings: Findings, detail: Detail): Part[] {
  const chart = findings.suite === undefined ? meansChart(findings, detail.mermaid) : null;
  const isSettled = SETTLED.has(headline(findings).verdict);
  const evidence = verdictDetail(findings);
  const [interaction, ...contrasts] = blocksOf([factorial(findings, 'as table')]);
  return [
    title(findings),
    provenanceAlert(findings),
    estimateLine(findings),
    isSettled ? null : evidence,
    thresholdOverview(findings),
    paragraph(...howInShort(findings)),
    primaryTables(findings, detail.rows),
    forest(findings, detail.forest),
    why(findings, detail.why),
    clearResources(findings),
    goesWithLine(findings, detail.goesWith),
    otherReasons(findings),
    interaction ?? null,
    contrasts.length === 0 ? null : details(['Two factors'], contrasts),
    effects(findings, 'in words'),
    folded(costs(findings, detail.costs)),
    warningAlert(findings, detail.warnings),
    details(
      ['Evidence'],
      isSettled ? evidence : null,
      paragraph(...how(findings)),
      paragraph(differencesText(findings)),
    ),
    chart && details(['Chart'], chart),
    otherChannels(findings, detail.channels),
    thresholdDetails(findings, detail.thresholds),
    detail.statistics ? folded(statistics(byInterest(findings.comparisons), false)) : null,
    detail.variants ? folded(variants(findings)) : null,
    detail.conditions ? folded(conditions(findings)) : null,
    reproduce(findings),
    note(`joulediff ${findings.experiment.joulediff_version}`),
    measuringCost(findings),
  ];
}
