import { htmlText } from '../../report/escape.ts';
import type { TrendSeries } from '../trend.ts';
import { type ExperimentRow, type Link, rebuiltRows, rowReader, stepRows } from './rows.ts';

/** Rows that the page shows without its program. */
export const FIRST_ROWS = 30;
const MOST_MARKS = 100;

export function linkHtml({ text, href }: Link): string {
  return href === null ? htmlText(text) : `<a href="${htmlText(href, 2500)}" rel="noreferrer">${htmlText(text)}</a>`;
}

const nameHtml = (name: string): string => `<bdi>${htmlText(name, 100)}</bdi>`;

function tableHtml(
  label: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  classes: ReadonlyMap<number, string>,
): string {
  const of = (i: number): string => (classes.has(i) ? ` class="${classes.get(i)}"` : '');
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${htmlText(label)}"><table>`,
    `<thead><tr>${head.map((cell, i) => `<th scope="col"${of(i)}>${cell}</th>`).join('')}</tr></thead>`,
    `<tbody>${rows.map((row) => `<tr>${row.map((cell, i) => `<td${of(i)}>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody>`,
    '</table></div>',
  ].join('\n');
}

/** Empty without steps. */
export function stepsHtml(series: TrendSeries): string {
  const rows = stepRows(series);
  if (rows.length === 0) return '<p class="note">No change of level was found.</p>';
  const cells = rows
    .slice(0, MOST_MARKS)
    .map((row) => [
      row.date,
      nameHtml(row.variant),
      htmlText(row.size),
      `${linkHtml(row.before)} → ${linkHtml(row.behind)}`,
      row.range.length === 0 ? 'only there' : row.range.map(linkHtml).join(' to '),
      htmlText(row.changed),
    ]);
  const head = [
    'First measured after it (UTC)',
    'Variant',
    'Size',
    'Between the commits',
    'It may begin at',
    'What else changed',
  ];
  return `<h3>Steps found</h3>\n${tableHtml(
    'Steps found',
    head,
    cells,
    new Map([
      [2, 'number'],
      [5, 'long'],
    ]),
  )}${more(rows.length)}`;
}

/** Empty where no image was rebuilt. */
export function rebuiltHtml(series: TrendSeries): string {
  const rows = rebuiltRows(series);
  if (rows.length === 0) return '';
  const cells = rows
    .slice(0, MOST_MARKS)
    .map((row) => [
      row.date,
      `<code>${nameHtml(row.reference)}</code>`,
      code(row.from),
      code(row.to),
      linkHtml(row.commit),
    ]);
  const head = ['First used (UTC)', 'Image', 'Digest before', 'Digest now', 'Commit'];
  return `<h3>Images rebuilt under the same tag</h3>\n${tableHtml('Images rebuilt under the same tag', head, cells, new Map())}${more(rows.length)}`;
}

const code = (text: string): string => `<code>${htmlText(text, 80)}</code>`;
const more = (count: number): string =>
  count > MOST_MARKS
    ? `\n<p class="note">The latest ${MOST_MARKS} of ${count}; all of them are in history.csv.</p>`
    : '';

/** The latest experiments; the program of the page leads to all others. */
export function experimentsHtml(series: TrendSeries): string {
  const read = rowReader(series);
  const count = series.startedAt.length;
  const rows = Array.from({ length: Math.min(count, FIRST_ROWS) }, (_, i) => rowHtml(read(count - 1 - i)));
  const head = experimentHead(series).map((text) => `<bdi>${htmlText(text, 100)}</bdi>`);
  const remarks = series.lines.length + 2;
  const classes = new Map([...series.lines.map((_, i): [number, string] => [i + 2, 'number']), [remarks, 'long']]);
  const note =
    count > FIRST_ROWS
      ? `\n<p class="note static">The latest ${FIRST_ROWS} of ${count}; all of them are in history.csv.</p>`
      : '';
  return `${tableHtml('Experiments', head, rows, classes)}${note}`;
}

/** Column heads of the experiments' table. */
export function experimentHead({ lines }: TrendSeries): string[] {
  return ['Measured (UTC)', 'Commit', ...lines.map(({ variant }) => `${variant} (J)`), 'Remarks', 'Report'];
}

function rowHtml({ date, commit, energies, notes, report }: ExperimentRow): string[] {
  return [
    date,
    linkHtml(commit),
    ...energies.map((text) => htmlText(text)),
    htmlText(notes.join('; '), 2000),
    linkHtml(report),
  ];
}
