import { htmlText } from '../escape.ts';
import { type Cell, headText, isNumeric, type Table } from '../tables.ts';

/** Building stones of the report page; what they are given as Cell or text is escaped here. */

export function cell(content: Cell): string {
  return typeof content === 'string' ? htmlText(content) : `<code><bdi>${htmlText(content.name, 300)}</bdi></code>`;
}

export function table({ head, rows }: Table, label: string): string {
  const numeric = head.map(isNumeric);
  const td = (content: Cell, i: number): string => `<td${numeric[i] ? ' class="number"' : ''}>${cell(content)}</td>`;
  const th = (content: Cell, i: number): string =>
    `<th scope="col"${numeric[i] ? ' class="number"' : ''}>${cell(headText(content))}</th>`;
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${htmlText(label)}"><table>`,
    `<thead><tr>${head.map(th).join('')}</tr></thead>`,
    `<tbody>${rows.map((row) => `<tr>${row.map(td).join('')}</tr>`).join('\n')}</tbody>`,
    '</table></div>',
  ].join('\n');
}

export function section(title: string, body: string): string {
  return `<section>\n<h2>${htmlText(title)}</h2>\n${body}\n</section>`;
}

export function details(title: string, body: string): string {
  return `<details>\n<summary>${htmlText(title)}</summary>\n${body}\n</details>`;
}
