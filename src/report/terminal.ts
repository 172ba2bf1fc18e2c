import { styleText } from 'node:util';
import type { Analysis } from '../analysis/results.ts';
import type { Verdict } from '../findings/comparison.ts';
import { plain } from '../text/plain.ts';
import { headlineBrief } from './brief.ts';
import { costIntro, costLines } from './cost-words.ts';
import { wrap } from './document/width.ts';
import { factorialLines } from './factorial.ts';
import { forestPlot } from './forest.ts';
import { visibleParts } from './sections.ts';
import { textTable } from './terminal-table.ts';
import { byWeight, notJudged, thresholdCount, thresholdsOf } from './threshold-words.ts';
import { phaseLines, resourceLines } from './use-lines.ts';
import { byInterest, primaryComparisons } from './verdict.ts';
import { plainText } from './words/compose.ts';
import { headline } from './words/headline.ts';
import { thresholdText } from './words/threshold.ts';
import { howParts, provenance, warnings, whyText } from './words.ts';

export interface TerminalOptions {
  /** ANSI colours and weights; the caller knows whether a terminal listens. */
  readonly colour: boolean;
  /** Columns; default 80. */
  readonly width?: number;
}

/** Lines of costs and of thresholds; all of them are in the report. */
const MOST_COSTS = 20;
const MOST_THRESHOLDS = 20;

type Style = (text: string) => string;

/** Verdict, table and reasons as plain text of at most `width` columns, with a line end at its end. */
export function terminalReport(
  { findings }: Pick<Analysis, 'findings'>,
  { colour, width = 80 }: TerminalOptions,
): string {
  const paint = (format: Parameters<typeof styleText>[0]): Style => {
    return (text) => (colour ? styleText(format, text, { validateStream: false }) : text);
  };
  const bold = paint('bold');
  const dim = paint('dim');
  const loud = paint(['bold', 'red']);
  const comparisons = primaryComparisons(findings);
  const { warning } = provenance(findings);
  const texts = headline(findings);
  const [sentence, rest] = [plainText(texts.sentence), plainText(texts.rest)];
  const lines: string[] = [];
  const say = (text: string, style: Style = (t) => t): void => {
    for (const line of wrap(plain(text, 1000), width)) lines.push(style(line));
  };

  if (warning !== null) {
    say(`!! ${warning}`, loud);
    lines.push('');
  }
  say(`${plain(findings.experiment.name, 80)}: ${sentence}`, bold);
  if (rest !== '') say(rest);
  // Of several comparisons the table says it.
  const brief = headlineBrief(findings);
  if (brief !== null) say(`${plain(brief.variant, 40)} ${brief.numbers}`);
  say([...howParts(findings), ...visibleParts(findings)].join(' · '), dim);
  if (comparisons.length > 0) {
    const plot = forestPlot(byInterest(comparisons), width);
    const ordered = byInterest(findings.comparisons);
    const { head, rows, notes } = textTable(findings, ordered, width);
    const painted = rows.map(({ text, verdict }, i) => text + paint(VERDICT_STYLE[ordered[i]!.verdict])(verdict));
    lines.push('', dim(head), ...painted, ...notes, ...(plot.length === 0 ? [] : ['', ...plot]));
    const first = comparisons[0]!;
    const why = comparisons.length === 1 ? whyText(first) : null;
    if (why !== null) {
      lines.push('');
      say(`Why: ${why}.`);
    }
    const phases = comparisons.length === 1 ? phaseLines(first) : [];
    if (phases.length > 0) lines.push('', 'Phases:');
    for (const line of phases) say(`  ${line}`);
  }
  const used = resourceLines(findings);
  if (used.length > 0) lines.push('', 'Used by a run (processor time: mean; memory and bytes: median):');
  for (const line of used.slice(0, MOST_COSTS)) say(`  ${line}`);
  const factorial = factorialLines(findings);
  if (factorial.length > 0) lines.push('');
  for (const line of factorial) say(line);
  const { costs } = findings;
  if (costs) {
    lines.push('');
    say(`Cost: ${costIntro(findings, costs)}`);
    for (const line of costLines(findings, costs, MOST_COSTS)) say(`  ${line}`);
  }
  const cut = notJudged(findings);
  const thresholds = cut === null ? byWeight(thresholdsOf(findings)) : [];
  if (cut !== null || thresholds.length > 0) lines.push('');
  if (cut !== null) say(cut);
  for (const result of thresholds.slice(0, MOST_THRESHOLDS)) {
    say(plainText(thresholdText(findings, result)), result.fails ? loud : undefined);
  }
  if (thresholds.length > MOST_THRESHOLDS) say(thresholdCount(findings) ?? '');
  const told = warnings(findings);
  if (told.length > 0) lines.push('');
  for (const { text, advice } of told) say(`! ${text}${advice === null ? '' : ` ${advice}`}`, paint('yellow'));
  return `${lines.join('\n')}\n`;
}

const VERDICT_STYLE: Readonly<Record<Verdict, Parameters<typeof styleText>[0]>> = {
  increase: ['bold', 'red'],
  decrease: ['bold', 'green'],
  'changed-within-margin': 'cyan',
  equivalent: 'cyan',
  inconclusive: 'yellow',
};
