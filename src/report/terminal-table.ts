import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { confidenceText, MISSING, percent, percentInterval, quantity } from '../text/numbers.ts';
import { plain } from '../text/plain.ts';
import { displayWidth, fitWidth, padEnd, padStart, wrap } from './document/width.ts';
import { distinctLabels } from './labels.ts';
import { meanEnergies } from './verdict.ts';
import { sourcesText, verdictWord } from './words.ts';

interface Column {
  readonly head: string;
  readonly cell: (comparison: Comparison) => string;
  readonly numeric: boolean;
  /** The higher, the earlier it goes when the names have no room; 0: never. */
  readonly dispensable: number;
}

export interface TextTable {
  readonly head: string;
  /** One a comparison, in the order given; the verdict is the last word. */
  readonly rows: readonly { readonly text: string; readonly verdict: string }[];
  readonly notes: readonly string[];
}

const NAME_ROOM = 16;

/** A row a comparison in at most `width` columns: what can be spared makes room for the names. */
export function textTable(findings: Findings, comparisons: readonly Comparison[], width: number): TextTable {
  const verdicts = Math.max('verdict'.length, ...comparisons.map((c) => verdictWord(c.verdict).length));
  const columns = columnsOf(findings).map((column) => {
    const widths = [column.head, ...comparisons.map(column.cell)].map(displayWidth);
    return { ...column, width: Math.max(...widths) };
  });
  const room = (): number => width - verdicts - 2 - columns.reduce((sum, c) => sum + c.width + 2, 0);
  while (room() < NAME_ROOM && columns.some((c) => c.dispensable > 0)) {
    const most = Math.max(...columns.map((c) => c.dispensable));
    columns.splice(
      columns.findIndex((c) => c.dispensable === most),
      1,
    );
  }
  const several = findings.meter.channels.length > 1;
  const names = comparisons.map((c) => plain(several ? `${c.variant} [${c.channel}]` : c.variant, 200));
  const most = Math.max(4, room());
  const labels = distinctLabels(names, (name) => fitWidth(name, most)).map((label) => fitWidth(label, most));
  const nameWidth = Math.max(Math.min('variant'.length, most), ...labels.map(displayWidth));
  const line = (name: string, cell: (column: (typeof columns)[number]) => string): string =>
    [
      padEnd(name, nameWidth),
      ...columns.map((c) => (c.numeric ? padStart(cell(c), c.width) : padEnd(cell(c), c.width))),
    ].join('  ');
  return {
    head: `${line(fitWidth('variant', most), (c) => c.head)}  verdict`,
    rows: comparisons.map((c, i) => ({
      text: `${line(labels[i]!, (column) => column.cell(c))}  `,
      verdict: verdictWord(c.verdict),
    })),
    notes: [...confidenceNote(comparisons, width), ...sourceNote(findings, width)],
  };
}

function columnsOf(findings: Findings): Column[] {
  const mean = (c: Comparison, arm: 'variant' | 'baseline'): string => quantity(meanEnergies(findings, c)[arm], 'J');
  return [
    { head: 'mean', cell: (c) => mean(c, 'variant'), numeric: true, dispensable: 1 },
    { head: 'baseline', cell: (c) => mean(c, 'baseline'), numeric: true, dispensable: 2 },
    { head: 'change', cell: (c) => percent(c.percent.estimate, c.percent.ci95), numeric: true, dispensable: 0 },
    { head: '95 % CI', cell: interval, numeric: true, dispensable: 0 },
    { head: 'effect', cell: (c) => c.effect.cliffs_delta?.magnitude ?? MISSING, numeric: false, dispensable: 3 },
  ];
}

function interval({ percent: { ci95, confidence } }: Comparison): string {
  return `${percentInterval(ci95)}${ci95 !== null && confidence !== null && confidence < 0.95 ? '*' : ''}`;
}

function sourceNote(findings: Findings, width: number): string[] {
  const text = sourcesText(findings);
  return text === '' ? [] : wrap(text, width);
}

function confidenceNote(comparisons: readonly Comparison[], width: number): string[] {
  const low = comparisons
    .filter((c) => c.percent.ci95 !== null && c.percent.confidence !== null && c.percent.confidence < 0.95)
    .map((c) => c.percent.confidence ?? 0);
  if (low.length === 0) return [];
  return wrap(`* So few blocks reach no more than ${confidenceText(Math.min(...low), 0.95)} confidence.`, width);
}
