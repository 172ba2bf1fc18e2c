import { htmlText } from '../escape.ts';
import { type Cell, headText, isNumeric, type Table } from '../tables.ts';

/** Building stones of the report page; what they are given as Cell or text is escaped here. */

export function cell(content: Cell): string {
  return typeof content === 'string' ? htmlText(content) : `<code><bdi>${htmlText(content.name, 300)}</bdi></code>`;
}

/** A column of drawings behind the first ones: HTML of ours. */
export interface Drawings {
  readonly before: number;
  readonly head: string;
  readonly cells: readonly string[];
}

/** Rows of a class of their own, by their place. */
export type Marks = readonly (string | null)[];

export function table({ head, rows }: Table, label: string, drawings?: Drawings, marks: Marks = []): string {
  const numeric = head.map(isNumeric);
  const td = (content: Cell, i: number): string =>
    `<td${numeric[i] ? ' class="number"' : isLong(content) ? ' class="long"' : ''}>${cell(content)}</td>`;
  const th = (content: Cell, i: number): string =>
    `<th scope="col"${numeric[i] ? ' class="number"' : ''}>${cell(headText(content))}</th>`;
  const row = (cells: readonly string[], drawing?: string, mark?: string | null): string => {
    const all = drawing === undefined || !drawings ? cells : cells.toSpliced(drawings.before, 0, drawing);
    return `<tr${mark ? ` class="${mark}"` : ''}>${all.join('')}</tr>`;
  };
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${htmlText(label)}"><table>`,
    `<thead>${row(head.map(th), drawings?.head)}</thead>`,
    `<tbody>${rows.map((cells, i) => row(cells.map(td), drawings?.cells[i], marks[i])).join('\n')}</tbody>`,
    '</table></div>',
  ].join('\n');
}

/** Text that is broken into lines; what is shorter stays on one. */
function isLong(content: Cell): boolean {
  return (typeof content === 'string' ? content : content.name).length > 30;
}

/** A part of the page that its contents lead to. Empty without body. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

export function section({ id, title, body }: Section): string {
  return `<section id="${id}" aria-labelledby="${id}-heading">\n<h2 id="${id}-heading">${htmlText(title)}</h2>\n${body}\n</section>`;
}

export function details(title: string, body: string): string {
  return `<details>\n<summary>${htmlText(title)}</summary>\n${body}\n</details>`;
}

export function note(text: string): string {
  return `<p class="note">${htmlText(text)}</p>`;
}

/** Rows that stand in the open. */
const MOST_OPEN = 30;

/** A table whose rows beyond the first are folded where there are very many. */
export function longTable(content: Table, label: string, drawings?: Drawings): string {
  const { head, rows } = content;
  if (rows.length <= MOST_OPEN + 5) return table(content, label, drawings);
  const part = (from: number, to?: number): [Table, string, Drawings?] => [
    { head, rows: rows.slice(from, to) },
    from === 0 ? label : `${label}, continued`,
    drawings && { ...drawings, cells: drawings.cells.slice(from, to) },
  ];
  const rest = rows.length - MOST_OPEN;
  return `${table(...part(0, MOST_OPEN))}\n${details(`${rest} more`, table(...part(MOST_OPEN)))}`;
}
