import { MISSING, unitsBound } from '../../text/numbers.ts';
import { latexText } from '../escape.ts';
import { verdictWord } from '../words/change.ts';
import type { Cell, Table } from './blocks.ts';
import type { Span, Text } from './text.ts';

/** Tables as LaTeX floats with booktabs rules, labeled by their captions. */
export function tablesLatex(tables: readonly Table[]): string {
  return `${['% \\usepackage{booktabs}', ...tables.map(tableLatex)].join('\n')}\n`;
}

function tableLatex({ label, columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `    ${cells.join(' & ')} \\\\`;
  return [
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${spanLatex(label)}}`,
    `  \\begin{tabular}{${columns.map(({ numeric }) => (numeric ? 'r' : 'l')).join('')}}`,
    '    \\toprule',
    line(columns.map(({ head }) => spanLatex(head))),
    '    \\midrule',
    ...rows.map(({ cells }) => line(cells.map(cellLatex))),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
  ].join('\n');
}

function cellLatex(cell: Cell): string {
  if (cell === null) return spanLatex(MISSING);
  if (typeof cell === 'object' && 'verdict' in cell) {
    return 'estimate' in cell ? '' : spanLatex(cell.word ?? verdictWord(cell.verdict));
  }
  return (Array.isArray(cell) ? (cell as Text) : [cell as Span]).map(spanLatex).join('');
}

function spanLatex(span: Span): string {
  if (typeof span === 'string') return latexText(unitsBound(span));
  if ('strong' in span) return `\\textbf{${span.strong.map(spanLatex).join('')}}`;
  if ('link' in span) return latexText(span.link);
  return `\\texttt{${latexText('name' in span ? span.name : span.code, 80)}}`;
}
