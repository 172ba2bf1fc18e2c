import type { Interval } from '../../findings/numbers.ts';
import type { Shown } from '../verdict.ts';
import type { Span, Text } from './text.ts';

/** Elements of documents, independent of the format: each renderer does its own escaping, widths, emphasis and colors. */
export type Block = Heading | Paragraph | Alert | List | Table | Code | Details | Section | Figure | Cards;

/** Content of a section; null: there is nothing to say. */
export type Part = Block | readonly Part[] | null;

export interface Heading {
  readonly kind: 'heading';
  /** Level 1 is the heading of the whole document. */
  readonly level: 1 | 2 | 3;
  readonly text: Text;
  /** Verdict whose symbol precedes the text; `none`: nothing was compared. */
  readonly verdict?: Shown | 'none';
}

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly text: Text;
  /** `note`: small print; `fallback`: only for a page whose script does not run. */
  readonly role?: 'note' | 'fallback';
}

export interface Alert {
  readonly kind: 'alert';
  /** `caution`: the more serious tone. */
  readonly tone: 'caution' | 'warning';
  readonly blocks: readonly Block[];
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Text[];
}

export interface Code {
  readonly kind: 'code';
  readonly language: 'text' | 'sh' | 'mermaid';
  readonly lines: readonly string[];
}

export interface Details {
  readonly kind: 'details';
  readonly summary: Text;
  readonly blocks: readonly Block[];
  readonly verdict?: Shown | 'none';
}

/** A part of a document with a title and, in a page, an anchor. */
export interface Section {
  readonly kind: 'section';
  readonly id: string;
  readonly title: Text;
  readonly blocks: readonly Block[];
}

/** A chart of a page. */
export interface Figure {
  readonly kind: 'figure';
  readonly id: string;
  /** SVG made by the project; null: too large to embed, so the script draws it from the data. */
  readonly svg: string | null;
  readonly caption: Text;
}

/** The most important numbers. */
export interface Cards {
  readonly kind: 'cards';
  readonly cards: readonly Card[];
}

export interface Card {
  readonly label: Text;
  readonly value: string;
  readonly detail: string;
  readonly verdict?: Shown;
}

/** A verdict in a table, with its own text if the usual one doesn't fit. */
export interface VerdictCell {
  readonly verdict: Shown;
  readonly word?: string;
}

/** A change in percent, drawn on a common axis of its column. */
export interface IntervalCell {
  readonly estimate: number | null;
  readonly interval: Interval | null;
  readonly verdict: Shown;
}

/** Null: unknown. */
export type Cell = Span | Text | VerdictCell | IntervalCell | null;

export function isVerdict(cell: Cell): cell is VerdictCell {
  return typeof cell === 'object' && cell !== null && 'verdict' in cell && !('estimate' in cell);
}

export interface Column {
  readonly head: Span;
  /** Whether the cells are numbers: right-aligned, without line breaks. */
  readonly numeric?: boolean;
  /** Priority for omitting the column if space is short: the highest first; absent: never. */
  readonly spare?: number;
  /** For columns of intervals: the margin in percent to shade, in formats that can draw an axis. */
  readonly margin?: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Whether the row is highlighted. */
  readonly attention?: boolean;
}

export interface Table {
  readonly kind: 'table';
  /** Text alternative for people who can't see the table. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Whether values may be long, such as addresses and versions. */
  readonly long?: boolean;
}

export interface ColumnOf<T> extends Column {
  readonly cell: (item: T) => Cell;
}

/** A table with one row per item. Columns that are null or false are left out. */
export function table<T>(
  label: string,
  items: readonly T[],
  columns: readonly (ColumnOf<T> | null | false)[],
  attention: (item: T) => boolean = () => false,
): Table {
  const shown = columns.filter((column) => column !== null && column !== false);
  return {
    kind: 'table',
    label,
    columns: shown.map(({ cell, ...column }) => column),
    rows: items.map((item) => ({ cells: shown.map(({ cell }) => cell(item)), attention: attention(item) })),
  };
}

export function paragraph(...text: Text): Paragraph {
  return { kind: 'paragraph', text };
}

export function note(...text: Text): Paragraph {
  return { kind: 'paragraph', text, role: 'note' };
}

export function list(items: readonly Text[]): List {
  return { kind: 'list', items };
}

export function details(summary: Text, ...blocks: readonly Part[]): Details {
  return { kind: 'details', summary, blocks: blocksOf(blocks) };
}

export function section(id: string, title: Text, ...blocks: readonly Part[]): Section {
  return { kind: 'section', id, title, blocks: blocksOf(blocks) };
}

export function alert(tone: Alert['tone'], ...blocks: readonly Part[]): Alert {
  return { kind: 'alert', tone, blocks: blocksOf(blocks) };
}

/** A section as a folded block with its title. */
export function folded(part: Section | null): Details | null {
  return part === null ? null : { kind: 'details', summary: part.title, blocks: part.blocks };
}

/** The first `most` items of a list, followed by the number of the remaining ones. */
export function firstItems(items: readonly Text[], most: number, more: (count: number) => string): List {
  const left = items.length - most;
  return list(left > 0 ? [...items.slice(0, most), [more(left)]] : items);
}

export function blocksOf(parts: readonly Part[]): Block[] {
  return parts.flatMap((part): Block[] =>
    part === null ? [] : Array.isArray(part) ? blocksOf(part as readonly Part[]) : [part as Block],
  );
}
