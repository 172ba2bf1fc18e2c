import type { FlameNode } from '../page-profile.ts';

/** Time that determines widths; `both`: the sum of both variants, so that vanished and new functions are visible. */
export type Widths = 'both' | 'baseline' | 'variant';

export interface Pair {
  /** Indices in the list of variants. */
  readonly baseline: number;
  readonly variant: number;
}

/** A function with its position. */
export interface Box {
  readonly node: FlameNode;
  /** Index of the parent box; −1: the outermost. */
  readonly parent: number;
  readonly depth: number;
  /** Fractions of the total width. */
  readonly x: number;
  readonly width: number;
  readonly baselineS: number;
  readonly variantS: number;
}

/** Minimum width of a box, as a fraction of the total. */
const MIN_WIDTH = 5e-4;

/** Minimum width of a row's widest box, as a fraction: a thin deep stack would make the picture very tall. */
const MIN_OF_ROW = 3e-3;

/** Layout as an icicle: the root at the top, callees below, the largest to the left. All functions of `path` have the full width. */
export function layout(path: readonly FlameNode[], pair: Pair, widths: Widths): Box[] {
  const all = layOutBoxes(path, pair, widths, Number.POSITIVE_INFINITY);
  const deepest = Math.max(0, ...all.flatMap(({ width, depth }) => (width >= MIN_OF_ROW ? depth : [])));
  return layOutBoxes(path, pair, widths, deepest);
}

function layOutBoxes(path: readonly FlameNode[], pair: Pair, widths: Widths, deepest: number): Box[] {
  const boxes: Box[] = [];
  const weight = ({ totals }: FlameNode): number =>
    (widths === 'variant' ? 0 : (totals[pair.baseline] ?? 0)) +
    (widths === 'baseline' ? 0 : (totals[pair.variant] ?? 0));
  const add = (node: FlameNode, depth: number, x: number, width: number, parent: number): number =>
    boxes.push({
      node,
      parent,
      depth,
      x,
      width,
      baselineS: node.totals[pair.baseline] ?? 0,
      variantS: node.totals[pair.variant] ?? 0,
    }) - 1;
  const below = (node: FlameNode, of: number, depth: number, x: number, width: number): void => {
    if (depth > deepest) return;
    const whole = weight(node);
    let left = x;
    for (const child of node.children) {
      const part = whole > 0 ? (width * weight(child)) / whole : 0;
      if (part >= MIN_WIDTH) below(child, add(child, depth, left, part, of), depth + 1, left, part);
      left += part;
    }
  };
  for (const [depth, node] of path.entries()) add(node, depth, 0, 1, depth - 1);
  const last = path.at(-1);
  if (last !== undefined) below(last, path.length - 1, path.length, 0, 1);
  return boxes;
}

/** Maximum rows of a static picture, and of visible rows in a scrollable one. */
export const MAX_ROWS = 40;

export interface StaticRows {
  readonly boxes: readonly Box[];
  /** Number of functions merged with others, and of rows omitted at the bottom. */
  readonly folded: number;
  readonly below: number;
}

/** Share of its parent's time from which a child is part of a straight line, not a branch. */
const NEARLY_ALL = 0.98;
/** Maximum length of a line that is drawn completely. */
const SHORT_ROW = 4;

/**
 * Rows for print: if stacks are too deep, functions that call almost only the next one are merged, except the first and last of a line; then
 * rows beyond the maximum are omitted.
 */
export function staticRows(root: FlameNode, pair: Pair, leastWidth: number): StaticRows {
  const shown = (node: FlameNode): readonly Box[] =>
    layout([node], pair, 'both').filter(({ width }) => width >= leastWidth);
  const rows = (boxes: readonly Box[]): number => 1 + Math.max(0, ...boxes.map(({ depth }) => depth));
  const whole = shown(root);
  if (rows(whole) <= MAX_ROWS) return { boxes: whole, folded: 0, below: 0 };
  const short = foldedRows(root, pair);
  const all = shown(short.node);
  return {
    boxes: all.filter(({ depth }) => depth < MAX_ROWS),
    folded: short.count,
    below: Math.max(0, rows(all) - MAX_ROWS),
  };
}

function foldedRows(node: FlameNode, pair: Pair): { readonly node: FlameNode; readonly count: number } {
  const weight = ({ totals }: FlameNode): number => (totals[pair.baseline] ?? 0) + (totals[pair.variant] ?? 0);
  const row = [node];
  // Phases are not functions, so they are not merged.
  for (let next: FlameNode | undefined = node.group === null ? undefined : node; next !== undefined; ) {
    next = next.children.find((child) => weight(child) >= NEARLY_ALL * weight(node));
    if (next !== undefined) row.push(next);
  }
  const [, second] = row;
  const last = row.length > SHORT_ROW ? (row.at(-1) as FlameNode) : node;
  const below = last.children.map((child) => foldedRows(child, pair));
  const count = below.reduce((sum, one) => sum + one.count, 0);
  const end = { ...last, children: below.map((one) => one.node) };
  if (last === node || second === undefined) return { node: end, count };
  const left = row.length - 2;
  const middle = { ...second, name: `… ${left} more`, children: [end] };
  return { node: { ...node, children: [middle] }, count: count + left };
}

export type Standing = 'new' | 'gone' | 'both';

/** Whether only one of the two variants has the function. */
export function standing({ baselineS, variantS }: Box): Standing {
  if (baselineS === 0) return 'new';
  return variantS === 0 ? 'gone' : 'both';
}

/** Which variant spent more time: −1, only the baseline; 1, only the variant; between them in proportion. */
export function lean({ baselineS, variantS }: Box): number {
  const both = baselineS + variantS;
  return both > 0 ? (variantS - baselineS) / both : 0;
}
