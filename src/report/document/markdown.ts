import { MISSING, unitsBound } from '../../text/numbers.ts';
import { htmlProse, htmlText, markdownLine, markdownName, markdownProse } from '../escape.ts';
import { verdictIcon, verdictWord } from '../words/change.ts';
import {
  type Alert,
  type Block,
  blocksOf,
  type Cell,
  type Code,
  type Heading,
  type Part,
  type Table,
} from './blocks.ts';
import type { Text } from './text.ts';

/** Maximum characters: of a name, of a name in a table of long values, of code, and of a span of prose. */
const MAX = { name: 60, long: 400, code: 200, prose: 1000 };

/** A document in GitHub’s Markdown. */
export function renderMarkdown(parts: readonly Part[]): string {
  return `${join(blocksOf(parts))}\n`;
}

/** Cache: a document is rendered several times until it is short enough, and its blocks never change. */
const written = new WeakMap<Block, string>();

function join(blocks: readonly Block[]): string {
  return blocks
    .map((content) => {
      const text = written.get(content) ?? block(content);
      written.set(content, text);
      return text;
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

function block(content: Block): string {
  switch (content.kind) {
    case 'heading':
      return heading(content);
    case 'paragraph':
      if (content.role === 'fallback') return '';
      return content.role === 'note' ? `<sub>${inline(content.text)}</sub>` : line(content.text);
    case 'alert':
      return alert(content);
    case 'list':
      return content.items.map((item) => `- ${line(item)}`).join('\n');
    case 'table':
      return table(content);
    case 'code':
      return codeBlock(content);
    case 'details':
      return `<details><summary>${icon(content.verdict)}${summary(content.summary)}</summary>\n\n${join(content.blocks)}\n\n</details>`;
    case 'section':
      return `#### ${inline(content.title)}\n\n${join(content.blocks)}`;
    case 'figure':
      return line(content.caption);
    case 'cards':
      return content.cards
        .map(({ label, value, detail }) => `- ${line([...label, `: ${value}, ${detail}`])}`)
        .join('\n');
  }
}

/** Headings start at a lower level, since the documents are parts of a page. */
function heading({ level, text, verdict }: Heading): string {
  return `${'#'.repeat(level + 2)} ${icon(verdict)}${inline(text)}`;
}

function icon(verdict: Heading['verdict']): string {
  if (verdict === undefined) return '';
  return `${verdict === 'none' ? '⚪' : verdictIcon(verdict)} `;
}

/** The fence is longer than any in the lines, which stay unchanged: replaced quotes could break a command that a user copies. */
function codeBlock({ language, lines }: Code): string {
  const runs = lines.flatMap((l) => l.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return [`${fence}${language}`, ...lines, fence].join('\n');
}

/** A colored box on GitHub and Gitea, a quotation elsewhere. */
function alert({ tone, blocks }: Alert): string {
  return [`[!${tone.toUpperCase()}]`, ...join(blocks).split('\n')].map((l) => `> ${l}`.trimEnd()).join('\n');
}

/** A separate line whose beginning starts no list or heading. */
function line(text: Text): string {
  const made = inline(text);
  return typeof text[0] === 'string' ? markdownLine(made) : made;
}

function inline(text: Text, nameLimit = MAX.name): string {
  return text
    .map((span) => {
      if (typeof span === 'string') return markdownProse(unitsBound(span), MAX.prose);
      if ('strong' in span) return `**${inline(span.strong, nameLimit)}**`;
      if ('link' in span) return `[${markdownProse(span.link)}](${span.href})`;
      return 'name' in span ? markdownName(span.name, nameLimit) : markdownName(span.code, MAX.code);
    })
    .join('');
}

/** A line of HTML: code in it becomes no mentions, links or emoji. */
function summary(text: Text): string {
  return text
    .map((span) => {
      if (typeof span === 'string') return htmlProse(unitsBound(span));
      if ('strong' in span) return `<strong>${summary(span.strong)}</strong>`;
      if ('link' in span) return htmlProse(span.link);
      return `<code>${htmlText('name' in span ? span.name : span.code, 80)}</code>`;
    })
    .join('');
}

function table({ columns, rows, long = false }: Table): string {
  const shown = columns.map((column, i) => ({ ...column, i })).filter(({ margin }) => margin === undefined);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(shown.map(({ head }) => inline([head]))),
    row(shown.map(({ numeric }) => (numeric ? '---:' : '---'))),
    ...rows.map(({ cells }) =>
      row(
        shown.map(({ i, numeric }) => {
          const text = cell(cells[i] ?? null, long ? MAX.long : MAX.name);
          return numeric ? unbroken(text) : text;
        }),
      ),
    ),
  ].join('\n');
}

function cell(content: Cell, nameLimit: number): string {
  if (content === null) return MISSING;
  if (typeof content === 'object' && 'verdict' in content) {
    if ('estimate' in content) return '';
    return `${verdictIcon(content.verdict)} ${content.word ?? verdictWord(content.verdict)}`;
  }
  return inline(Array.isArray(content) ? (content as Text) : [content as Text[number]], nameLimit);
}

/** Keeps numbers with their units and intervals on one line; breaks are allowed before a bracket. */
function unbroken(text: string): string {
  return text.replace(/ (?!\()/g, '\u00a0');
}
