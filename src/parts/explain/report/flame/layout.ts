import type { FlameNode } from '../page-profile.ts';

/** Whose time the widths are; `both`: of the two together, so that what vanished and what is new have room. */
export type Widths = 'both' | 'baseline' | 'variant';

export interface Pair {
  /** Places in the list of variants. */
  readonly baseline: number;
  readonly variant: number;
}

/** A function in its place. */
export interface Box {
  readonly node: FlameNode;
  /** Place in the list of boxes; −1: the outermost. */
  readonly parent: number;
  readonly depth: number;
  /** Parts of the whole width. */
  readonly x: number;
  readonly width: number;
  readonly baselineS: number;
  readonly variantS: number;
}

/** Narrower than that, in parts of the whole, nothing is drawn. */
const MIN_WIDTH = 5e-4;

/** A row without any box of this width, in parts of the whole, is left out with all below it: a thread of a stack would make the picture as long as it is deep. */
const MIN_OF_ROW = 3e-3;

/** An icicle: the outermost at the top, what it called below it, the greatest to the left. The last of the path is as wide as all, and the others above it too. */
export function layout(path: readonly FlameNode[], pair: Pair, widths: Widths): Box[] {
  const all = boxesOf(path, pair, widths, Number.POSITIVE_INFINITY);
  const deepest = Math.max(0, ...all.flatMap(({ width, depth }) => (width >= MIN_OF_ROW ? depth : [])));
  return boxesOf(path, pair, widths, deepest);
}

function boxesOf(path: readonly FlameNode[], pair: Pair, widths: Widths, deepest: number): Box[] {
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

/** Rows of a picture that nobody can scroll; one that can be scrolled shows as many at once. */
export const MAX_ROWS = 40;

export interface StaticRows {
  readonly boxes: readonly Box[];
  /** Functions that are drawn as one with others, and rows at the bottom that are not in the picture. */
  readonly folded: number;
  readonly below: number;
}

/** A child with this share of its parent's time is drawn as a straight line, not as a branch. */
const NEARLY_ALL = 0.98;
/** So many in a row are drawn one by one. */
const SHORT_ROW = 4;

/**
 * For paper: where stacks are too deep for it, functions that call hardly anything but the next one are drawn as one, from the second to the last but one,
 * and what is still too deep ends after so many rows.
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
  // Phases are no functions.
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

/** What one of the two alone has. */
export function standing({ baselineS, variantS }: Box): Standing {
  if (baselineS === 0) return 'new';
  return variantS === 0 ? 'gone' : 'both';
}

/** Which variant spent more time in it: −1, only the baseline; 1, only the variant. */
export function lean({ baselineS, variantS }: Box): number {
  const both = baselineS + variantS;
  return both > 0 ? (variantS - baselineS) / both : 0;
}
