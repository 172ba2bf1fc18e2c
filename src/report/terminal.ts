import { styleText } from 'node:util';
import type { Analysis, Verdict } from '../analysis/findings.ts';
import { plain } from './escape.ts';
import { forestPlot } from './forest.ts';
import { MISSING, percent, percentInterval, quantity } from './format.ts';
import { distinctLabels } from './labels.ts';
import { byInterest, headline, meanEnergyJ, primaryComparisons } from './verdict.ts';
import { fitWidth, padEnd, padStart, wrap } from './width.ts';
import { howParts, provenance, verdictWord, warnings, whyText } from './words.ts';

export interface TerminalOptions {
  /** ANSI colours and weights; the caller knows whether a terminal listens. */
  readonly colour: boolean;
  /** Columns; default 80. */
  readonly width?: number;
}

type Style = (text: string) => string;

/** Verdict, table and reasons as plain text of at most `width` columns, with a line end at its end. */
export function terminalReport(analysis: Analysis, { colour, width = 80 }: TerminalOptions): string {
  const paint = (format: Parameters<typeof styleText>[0]): Style => {
    return (text) => (colour ? styleText(format, text, { validateStream: false }) : text);
  };
  const bold = paint('bold');
  const dim = paint('dim');
  const loud = paint(['bold', 'red']);
  const { findings } = analysis;
  const comparisons = primaryComparisons(analysis);
  const { warning } = provenance(findings);
  const { sentence, rest } = headline(analysis);
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
  say(howParts(findings).join(' · '), dim);
  if (comparisons.length > 0) {
    const plot = forestPlot(byInterest(comparisons), width);
    lines.push('', ...table(analysis, width, paint), ...(plot.length === 0 ? [] : ['', ...plot]));
    const first = comparisons[0]!;
    const why = comparisons.length === 1 ? whyText(first) : null;
    if (why !== null) {
      lines.push('');
      say(`Why: ${why}.`);
    }
  }
  const told = warnings(findings);
  if (told.length > 0) lines.push('');
  for (const { text, advice } of told) say(`! ${text}${advice === null ? '' : ` ${advice}`}`, paint('yellow'));
  return `${lines.join('\n')}\n`;
}

function table(analysis: Analysis, width: number, paint: (format: Parameters<typeof styleText>[0]) => Style): string[] {
  const rows = byInterest(analysis.findings.comparisons);
  const { channels } = analysis.findings.meter;
  const named = channels.length > 1 ? rows.map((c) => `${c.variant} [${c.channel}]`) : rows.map((c) => c.variant);
  const cells = rows.map((c) => [
    quantity(meanEnergyJ(analysis, c.variant, c.channel), 'J'),
    quantity(meanEnergyJ(analysis, c.baseline, c.channel), 'J'),
    percent(c.percent.estimate, c.percent.ci95),
    c.percent.ci95 === null ? MISSING : percentInterval(c.percent.ci95),
    c.effect.cliffs_delta === null ? MISSING : c.effect.cliffs_delta.magnitude,
    verdictWord(c.verdict),
  ]);
  const head = ['mean', 'baseline', 'change', '95 % CI', 'effect', 'verdict'];
  const widths = head.map((h, i) => Math.max(h.length, ...cells.map((row) => row[i]!.length)));
  const room = Math.max(8, width - widths.reduce((sum, w) => sum + w + 2, 0));
  const labels = distinctLabels(
    named.map((n) => plain(n, 200)),
    (n) => fitWidth(n, room),
  );
  const nameWidth = Math.min(room, Math.max('variant'.length, ...labels.map((l) => [...l].length)));
  const line = (name: string, row: readonly string[], style: Style = (t) => t): string => {
    const right = row.slice(0, 4).map((cell, i) => padStart(cell, widths[i]!));
    return [padEnd(fitWidth(name, nameWidth), nameWidth), ...right, padEnd(row[4]!, widths[4]!), style(row[5]!)].join(
      '  ',
    );
  };
  return [
    paint('dim')(line('variant', head)),
    ...rows.map((c, i) => line(labels[i]!, cells[i]!, paint(VERDICT_STYLE[c.verdict]))),
  ];
}

const VERDICT_STYLE: Readonly<Record<Verdict, Parameters<typeof styleText>[0]>> = {
  increase: ['bold', 'red'],
  decrease: ['bold', 'green'],
  'changed-within-margin': 'cyan',
  equivalent: 'cyan',
  inconclusive: 'yellow',
};
