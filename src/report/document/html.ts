import { lowestInside } from '../../stats/log-ratio.ts';
import { fixed, MISSING, short, unitsBound } from '../../text/numbers.ts';
import { n } from '../charts/canvas/svg-values.ts';
import { axisAround } from '../charts/parts/axis.ts';
import { htmlProse, htmlText } from '../escape.ts';
import { verdictMark, verdictWord } from '../words/change.ts';
import {
  type Alert,
  type Block,
  blocksOf,
  type Cards,
  type Cell,
  type Column,
  type Figure,
  type Heading,
  type IntervalCell,
  isVerdict,
  type Part,
  type Section,
  type Table,
} from './blocks.ts';
import { plainText, type Text } from './text.ts';

/** Maximum visible rows of a table; a few more are not folded. */
const MAX_OPEN = 30;
const FEW_MORE = 5;
/** Maximum characters of a cell that is kept on one line. */
const ONE_LINE = 30;
const MAX_ADDRESS = 2500;

/** A document, or a part of one, in HTML. */
export function renderHtml(parts: readonly Part[]): string {
  return join(blocksOf(parts), false);
}

/** One line of text as HTML. */
export function htmlInline(text: Text): string {
  return text
    .map((span) => {
      if (typeof span === 'string') return htmlProse(unitsBound(span).replaceAll('< ', '<\u00a0'));
      if ('strong' in span) return `<strong>${htmlInline(span.strong)}</strong>`;
      if ('link' in span)
        return `<a href="${htmlText(span.href, MAX_ADDRESS)}" rel="noreferrer">${htmlText(span.link)}</a>`;
      return 'name' in span
        ? `<code><bdi>${withWholeOptions(span.name, 300)}</bdi></code>`
        : `<code>${withWholeOptions(span.code, 1000)}</code>`;
    })
    .join('');
}

/** A browser may end a line after a hyphen: the options of a command, which may also be a variant's name, stay whole. */
const withWholeOptions = (text: string, most: number): string =>
  htmlText(text, most).replace(/(?<= )--?[\w-]{1,40}/g, '<span class="whole">$&</span>');

function join(blocks: readonly Block[], isFolded: boolean): string {
  return blocks.map((content) => block(content, isFolded)).join('\n');
}

function block(content: Block, isFolded: boolean): string {
  switch (content.kind) {
    case 'heading':
      return heading(content);
    case 'paragraph':
      return `<p${CLASSES[content.role ?? 'text']}>${htmlInline(content.text)}</p>`;
    case 'alert':
      return alert(content);
    case 'list':
      return `<ul>${content.items.map((item) => `<li>${htmlInline(item)}</li>`).join('\n')}</ul>`;
    case 'table':
      return isFolded ? frame(content, content.label, rowsHtml(content)) : longTable(content);
    case 'code':
      return `<pre><code>${content.lines.map((line) => htmlProse(line, 5000)).join('\n')}</code></pre>`;
    case 'details':
      return fold(markHtml(content) + htmlInline(content.summary), join(content.blocks, true));
    case 'section':
      return section(content);
    case 'figure':
      return figure(content);
    case 'cards':
      return cards(content);
  }
}

const CLASSES = { text: '', note: ' class="note"', fallback: ' class="note static"' } as const;

function heading(content: Heading): string {
  return `<h${content.level}>${markHtml(content)}${htmlInline(content.text)}</h${content.level}>`;
}

function markHtml({ verdict = 'none' }: Pick<Heading, 'verdict'>): string {
  return verdict === 'none' ? '' : `<span class="mark ${verdict}" aria-hidden="true">${verdictMark(verdict)}</span> `;
}

function alert({ tone, blocks }: Alert): string {
  return `<div class="box${tone === 'caution' ? ' loud' : ''}" role="note">${join(blocks, true)}</div>`;
}

function fold(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n${body}\n</details>`;
}

function section({ id, title, blocks }: Section): string {
  return `<section id="${id}" aria-labelledby="${id}-heading">\n<h2 id="${id}-heading">${htmlInline(title)}</h2>\n${join(blocks, false)}\n</section>`;
}

/** A static drawing, which the page's script replaces by an interactive one. */
function figure({ id, svg, caption }: Figure): string {
  const tooLarge = `<p class="note static">This drawing is too large for a page without a script; it is in charts/${htmlText(id)}.png.</p>\n`;
  return `<figure data-chart="${id}">\n<div class="drawing">\n${svg ?? tooLarge}</div>\n<figcaption>${htmlInline(caption)}</figcaption>\n</figure>`;
}

function cards({ cards }: Cards): string {
  const items = cards.map(
    ({ label, value, detail, verdict }) =>
      `<div${verdict ? ` class="${verdict}"` : ''}><dt>${htmlInline(label)}</dt><dd><b>${htmlText(value)}</b> <span>${htmlText(detail)}</span></dd></div>`,
  );
  return `<dl class="cards">${items.join('\n')}</dl>`;
}

/** A table whose rows are folded after the first ones if there are very many. */
function longTable(content: Table): string {
  const { label, rows } = content;
  const all = rowsHtml(content);
  if (rows.length <= MAX_OPEN + FEW_MORE) return frame(content, label, all);
  const rest = frame(content, `${label}, continued`, all.slice(MAX_OPEN));
  return `${frame(content, label, all.slice(0, MAX_OPEN))}\n${fold(`${rows.length - MAX_OPEN} more`, rest)}`;
}

/** HTML of a table's head around its rows. */
function frame(content: Table, label: string, rows: readonly string[]): string {
  const heads = content.columns.map(({ head, numeric, margin }, i) =>
    margin === undefined
      ? `<th scope="col"${numeric ? ' class="number"' : ''}>${htmlInline([head])}</th>`
      : intervalDrawings(getIntervals(content, i), margin).head,
  );
  const stacked = isStacked(content)
    ? ' class="stacked"'
    : content.columns.length <= FEW_COLUMNS
      ? ' class="pairs"'
      : '';
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${htmlText(label)}"><table${stacked}>`,
    `<thead><tr>${heads.join('')}</tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody>`,
    '</table></div>',
  ].join('\n');
}

/** Number of columns that fit on a phone, with wrapped text. */
const FEW_COLUMNS = 2;

/** Whether a table is stacked row by row on a phone: short tables with verdicts or sentences. Others scroll horizontally. */
function isStacked({ columns, rows }: Table): boolean {
  if (columns.length <= FEW_COLUMNS || rows.length > MAX_OPEN + FEW_MORE) return false;
  return rows.some(({ cells }) => cells.some((cell) => isVerdict(cell) || isLong(cellHtml(cell))));
}

function isLong(html: string): boolean {
  return html.replace(/<[^>]*>/g, '').length > ONE_LINE;
}

/** The rows of a table, each as HTML. */
export function rowsHtml(content: Table): string[] {
  const drawn = content.columns.map(({ margin }, i) =>
    margin === undefined ? null : intervalDrawings(getIntervals(content, i), margin).cells,
  );
  const stacked = isStacked(content);
  return content.rows.map(({ cells, attention }, r) => {
    const made = cells.map((cell, i) => drawn[i]?.[r] ?? tableCell(cell, content.columns[i]!, stacked));
    return `<tr${attention ? ' class="attention"' : ''}>${made.join('')}</tr>`;
  });
}

function getIntervals({ rows }: Table, column: number): IntervalCell[] {
  return rows.map(({ cells }) => cells[column] as IntervalCell);
}

function tableCell(cell: Cell, { head, numeric }: Column, stacked: boolean): string {
  const html = cellHtml(cell);
  const style = numeric ? ' class="number"' : isLong(html) ? ' class="long"' : '';
  const label = stacked ? ` data-head="${htmlText(plainText([head]))}"` : '';
  return `<td${style}${label}>${html}</td>`;
}

/** What stands in a cell, as HTML. */
function cellHtml(cell: Cell): string {
  if (cell === null) return MISSING;
  if (typeof cell === 'object' && 'verdict' in cell) {
    return 'estimate' in cell ? '' : `${verdictMark(cell.verdict)} ${cell.word ?? verdictWord(cell.verdict)}`;
  }
  return htmlInline(Array.isArray(cell) ? (cell as Text) : [cell as Text[number]]);
}

const WIDTH = 140;
const HEIGHT = 22;
const PAD = 6;

/** HTML of a drawn column: its head and its cells. */
interface Drawings {
  readonly head: string;
  readonly cells: readonly string[];
}

/** Draws changes with intervals on a common axis, the margin shaded; numbers are beside them. */
function intervalDrawings(changes: readonly IntervalCell[], marginPercent: number): Drawings {
  const ends = changes.flatMap(({ estimate, interval }) => [estimate, ...(interval ?? [])]);
  const numbers = ends.filter((end) => end !== null);
  const axis = axisAround(Math.min(-marginPercent, ...numbers), Math.max(marginPercent, ...numbers), 3);
  const x = (percent: number): number => PAD + ((percent - axis.min) / (axis.max - axis.min)) * (WIDTH - 2 * PAD);
  const ticks = axis.ticks.map((tick) => {
    const text = `${tick > 0 ? '+' : ''}${fixed(tick, axis.decimals)}${tick === 0 ? ' %' : ''}`;
    return `<text x="${n(x(tick))}" y="14" text-anchor="middle">${text}</text>`;
  });
  const svg = (body: string): string =>
    `<svg class="interval" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true">${body}</svg>`;
  return {
    head: `<th scope="col" class="plotted"><span class="hidden">Interval, on one axis; shaded: the margin of ±${short(marginPercent)} %</span>${svg(ticks.join(''))}</th>`,
    cells: changes.map((c) => `<td class="plotted">${svg(background(x, marginPercent) + bar(c, x))}</td>`),
  };
}

type Place = (percent: number) => number;

function background(x: Place, marginPercent: number): string {
  const left = x(lowestInside(marginPercent));
  return (
    `<rect class="margin" x="${n(left)}" y="0" width="${n(x(marginPercent) - left)}" height="${HEIGHT}"/>` +
    `<path class="zero" d="M${n(x(0))} 0V${HEIGHT}"/>`
  );
}

function bar({ estimate, interval, verdict }: IntervalCell, x: Place): string {
  const middle = HEIGHT / 2;
  const whisker = interval === null ? '' : `<path d="M${n(x(interval[0]))} ${middle}H${n(x(interval[1]))}"/>`;
  const point = estimate === null ? '' : `<circle cx="${n(x(estimate))}" cy="${middle}" r="4"/>`;
  return `<g class="${verdict}">${whisker}${point}</g>`;
}
