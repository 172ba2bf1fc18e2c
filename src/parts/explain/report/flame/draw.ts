import type { Chart } from 'chart.js';
import { fontOf, shortenToWidth } from '../../../../report/charts/canvas/font.ts';
import { fontCss, SIZE, type Theme } from '../../../../report/charts/canvas/theme.ts';
import { type Box, lean, standing } from './layout.ts';

/** Height of a row, pixels. */
export const ROW = 24;
/** Minimum width of a box for text, pixels. */
const MIN_WORD = 34;

export interface Flame {
  readonly boxes: readonly Box[];
  readonly width: number;
  readonly theme: Theme;
  /** Index of the focused box. */
  readonly at?: number;
  /** Boxes that match the search; absent: no search. */
  readonly found?: ReadonlySet<number>;
}

export const flameHeight = (boxes: readonly Box[]): number =>
  ROW * (1 + Math.max(0, ...boxes.map(({ depth }) => depth)));

/** Icicle graph whose colors show the difference: the larger the variant's share, the darker on white, or the lighter on black. */
export function drawFlame(ctx: Chart['ctx'], { boxes, width, theme, at = -1, found }: Flame): void {
  for (const [i, box] of boxes.entries()) {
    const [x, y, wide] = [box.x * width, box.depth * ROW, box.width * width];
    const { fill, ink } =
      theme.change[Math.round((lean(box) + 1) * ((theme.change.length - 1) / 2))] ?? theme.change[0]!;
    ctx.globalAlpha = found === undefined || found.has(i) ? 1 : 0.25;
    ctx.fillStyle = box.node.group === null ? theme.grid : fill;
    ctx.fillRect(x, y, Math.max(wide - 1, 0.5), ROW - 1);
    if (wide >= MIN_WORD) {
      ctx.font = fontCss(SIZE.small);
      ctx.textBaseline = 'middle';
      ctx.textAlign = 'left';
      ctx.fillStyle = box.node.group === null ? theme.ink : ink;
      ctx.fillText(word(box, wide - 8), x + 4, y + ROW / 2);
    }
    ctx.globalAlpha = 1;
    if (i === at || found?.has(i)) outline(ctx, [x, y, wide], theme, i === at ? 2.5 : 1.5);
  }
}

function outline(
  ctx: Chart['ctx'],
  [x, y, wide]: readonly [number, number, number],
  theme: Theme,
  thick: number,
): void {
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = thick;
  ctx.strokeRect(x + thick / 2, y + thick / 2, Math.max(wide - 1 - thick, 1), ROW - 1 - thick);
}

/** Minimum width for a name beside `new` or `gone`, pixels. */
const MIN_NAME = 30;

/** Text of a box. Functions in only one variant are marked with a word, which is shortened last. */
function word(box: Box, room: number): string {
  const of = standing(box);
  const shortened = (text: string, width: number): string => shortenToWidth(text, width, SIZE.small, 'regular');
  if (of === 'both' || box.node.group === null) return shortened(box.node.name, room);
  const width = (text: string): number => fontOf('regular').width(text, SIZE.small);
  const left = room - width(`${of}: `);
  if (left >= MIN_NAME) return `${of}: ${shortened(box.node.name, left)}`;
  return width(of) > room ? '' : of;
}
