import { styleText } from 'node:util';
import { MISSING } from '../../text/numbers.ts';
import { plain, visible } from '../../text/plain.ts';
import type { Shown } from '../verdict.ts';
import { verdictWord } from '../words/change.ts';
import {
  type Alert,
  type Block,
  blocksOf,
  type Cell,
  type Column,
  isVerdict,
  type Part,
  type Table,
} from './blocks.ts';
import { quoted, type Text } from './text.ts';
import { displayWidth, fitWidth, padEnd, padStart, wrap, wrapName } from './width.ts';

export interface TerminalOptions {
  /** Whether to use ANSI colors and weights; the caller knows whether the output is a terminal. */
  readonly color: boolean;
  /** Width in columns; default 80. */
  readonly width?: number;
}

type Format = Parameters<typeof styleText>[0];

const VERDICT_STYLES: Readonly<Record<Shown, Format>> = {
  increase: ['bold', 'red'],
  decrease: ['bold', 'green'],
  'unmeasured-increase': 'bold',
  'unmeasured-decrease': 'bold',
  'changed-within-margin': 'cyan',
  equivalent: 'cyan',
  inconclusive: 'yellow',
  untrusted: ['bold', 'yellow'],
  failed: ['bold', 'yellow'],
};

/** Maximum characters of a name in a sentence. */
const MAX_NAME = 60;
/** Columns for names at the start of a table's rows, before other columns are left out; longer names wrap. */
const NAME_ROOM = 16;

/** A document as lines of at most `width` columns, with a line end at its end. */
export function renderTerminal(parts: readonly Part[], { color, width = 80 }: TerminalOptions): string {
  const paint = (format: Format, text: string): string =>
    color ? styleText(format, text, { validateStream: false }) : text;
  return `${new Page(width, paint).lines(blocksOf(parts)).join('\n')}\n`;
}

class Page {
  readonly #width: number;
  readonly #paint: (format: Format, text: string) => string;

  constructor(width: number, paint: (format: Format, text: string) => string) {
    this.#width = width;
    this.#paint = paint;
  }

  /** Lines of the blocks, separated by empty lines. */
  lines(blocks: readonly Block[]): string[] {
    return blocks
      .map((block) => this.#block(block))
      .filter((lines) => lines.length > 0)
      .flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));
  }

  #block(block: Block): string[] {
    switch (block.kind) {
      case 'heading':
        return this.#wrapped(block.text, { format: 'bold' });
      case 'paragraph':
        if (block.role === 'fallback') return [];
        return this.#wrapped(block.text, block.role === 'note' ? { format: 'dim' } : {});
      case 'alert':
        return this.#alert(block);
      case 'list':
        return block.items.flatMap((item) => this.#wrapped(item, { first: '- ' }));
      case 'table':
        return this.#table(block);
      case 'code':
        return block.language === 'mermaid' ? [] : block.lines.map((line) => fitWidth(line, this.#width));
      case 'details':
        return [...this.#wrapped(block.summary, { format: 'bold' }), ...this.lines(block.blocks)];
      case 'section':
        return [...this.#wrapped(block.title, { format: 'bold' }), ...this.lines(block.blocks)];
      case 'figure':
        return [];
      case 'cards':
        return block.cards.flatMap(({ label, value, detail }) => this.#wrapped([...label, `: ${value}, ${detail}`]));
    }
  }

  /** Each line of an alert has a sign, since not every terminal has colors. */
  #alert({ tone, blocks }: Alert): string[] {
    const [first, format]: [string, Format] = tone === 'caution' ? ['!! ', ['bold', 'red']] : ['! ', 'yellow'];
    return blocks.flatMap((block) => {
      if (block.kind === 'paragraph') return this.#wrapped(block.text, { first, format });
      if (block.kind === 'list') return block.items.flatMap((item) => this.#wrapped(item, { first, format }));
      return this.#block(block);
    });
  }

  #wrapped(text: Text, { first = '', format }: { first?: string; format?: Format } = {}): string[] {
    const lines = wrap(this.#inline(text), this.#width - first.length);
    return lines.map((line, i) => {
      const whole = `${i === 0 ? first : ' '.repeat(first.length)}${line}`;
      return format === undefined ? whole : this.#paint(format, whole);
    });
  }

  #inline(text: Text): string {
    return text
      .map((span) => {
        if (typeof span === 'string') return visible(span);
        if ('strong' in span) return this.#paint('bold', this.#inline(span.strong));
        if ('link' in span) return visible(span.link);
        return 'name' in span ? quoted(plain(span.name, MAX_NAME)) : this.#paint('cyan', `“${visible(span.code)}”`);
      })
      .join('');
  }

  #table({ columns, rows }: Table): string[] {
    const drawn = columns.flatMap((column, i): Drawn[] => {
      if (column.margin !== undefined) return [];
      const cells = rows.map(({ cells }) => cellText(cells[i] ?? null));
      const head = cellText(column.head);
      return [{ ...column, i, head, cells, width: Math.max(...[head, ...cells].map(displayWidth)) }];
    });
    const fitting = this.#fitting(drawn);
    const [names, ...others] = fitting;
    if (names === undefined) return [];
    const room = this.#roomOfNames(fitting);
    if (room < leastRoom(names)) return rows.flatMap((_, r) => this.#record(fitting, r));
    const all = others.map((column) => ({ ...column, pad: column.numeric ? padStart : padEnd }));
    const widest = Math.max(...[names.head, ...names.cells].flatMap((name) => wrapName(name, room)).map(displayWidth));
    const lines = (of: (column: Drawn) => string): string[] => {
      const [label = '', ...more] = wrapName(of(names), room);
      const cells = all.map((column) => column.pad(of(column), column.width));
      return [[padEnd(label, widest), ...cells].join('  ').trimEnd(), ...more];
    };
    return [
      ...lines(({ head }) => head).map((line) => this.#paint('dim', line)),
      ...rows.flatMap(({ cells }, r) => {
        const [first = '', ...more] = lines(({ cells }) => cells[r] ?? '');
        return [this.#verdictPainted(first, cells[fitting.at(-1)!.i] ?? null), ...more];
      }),
    ];
  }

  /** The row with its verdict in the last column colored. */
  #verdictPainted(line: string, last: Cell): string {
    const word = cellText(last);
    if (!isVerdict(last) || !line.endsWith(word)) return line;
    return `${line.slice(0, -word.length)}${this.#paint(VERDICT_STYLES[last.verdict], word)}`;
  }

  /** A row of a table that is too wide, as lines of names and values. */
  #record([names, ...others]: readonly Drawn[], row: number): string[] {
    const reported = others.flatMap(({ head, cells }) => {
      const cell = cells[row] ?? '';
      return cell === '' || cell === MISSING ? [] : [{ head, cell }];
    });
    // If a value is a list itself, values need separate lines to be distinguishable.
    const isPlain = reported.every(({ cell }) => !cell.includes(', '));
    const values = isPlain
      ? reported.map(({ cell }) => cell).join(', ')
      : reported.map(({ head, cell }) => `${head}: ${cell}`).join(' · ');
    return this.#wrapped([`${names?.cells[row] ?? ''}: ${values}`], { first: '- ' });
  }

  #roomOfNames(columns: readonly Drawn[]): number {
    return this.#width - columns.slice(1).reduce((sum, { width }) => sum + width + 2, 0);
  }

  /** The columns that fit into the width. */
  #fitting(columns: readonly Drawn[]): Drawn[] {
    const left = [...columns];
    while (left[0] !== undefined && this.#roomOfNames(left) < leastRoom(left[0])) {
      const most = Math.max(...left.map(({ spare = 0 }) => spare));
      if (most === 0) break;
      left.splice(
        left.findIndex(({ spare = 0 }) => spare === most),
        1,
      );
    }
    return left;
  }
}

function leastRoom({ width }: Drawn): number {
  return Math.min(NAME_ROOM, width);
}

interface Drawn extends Omit<Column, 'head'> {
  readonly i: number;
  readonly head: string;
  readonly cells: readonly string[];
  readonly width: number;
}

function cellText(cell: Cell): string {
  if (cell === null) return MISSING;
  if (typeof cell === 'string') return visible(cell);
  if (isVerdict(cell)) return cell.word ?? verdictWord(cell.verdict);
  if ('estimate' in cell) return '';
  if ('strong' in cell) return cell.strong.map(cellText).join('');
  if ('link' in cell) return visible(cell.link);
  if ('name' in cell || 'code' in cell) return plain('name' in cell ? cell.name : cell.code, 200);
  return cell.map(cellText).join('');
}
