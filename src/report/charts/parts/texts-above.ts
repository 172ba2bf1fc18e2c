import type { Chart } from 'chart.js';
import { fontOf } from '../canvas/font.ts';
import { fontCss, SIZE, type Theme } from '../canvas/theme.ts';

const EDGE = 6;
const LINE = 15;

/** Draws a row's text above it if there is no room beside it: name and detail at the left, numbers at the right, the first in bold. */
export function drawTextsAbove(
  { ctx, width }: Chart,
  [name = '', detail = '']: readonly string[],
  [first = '', ...others]: readonly string[],
  y: number,
  theme: Theme,
): void {
  // Clears the background, since lines of the plot are below the text.
  const clear = (text: string, x: number, at: number): void => {
    const wide = ctx.measureText(text).width;
    if (theme.background === null || text === '') return;
    ctx.fillStyle = theme.background;
    ctx.globalAlpha = 0.85;
    ctx.fillRect(ctx.textAlign === 'right' ? x - wide - 2 : x - 2, at - LINE / 2, wide + 4, LINE);
    ctx.globalAlpha = 1;
  };
  const put = (text: string, x: number, line: number, bold: boolean): void => {
    ctx.font = bold ? fontCss(SIZE.text, 'bold') : fontCss(SIZE.small);
    clear(text, x, y + line * LINE);
    ctx.fillStyle = bold ? theme.ink : theme.muted;
    ctx.fillText(text, x, y + line * LINE);
  };
  ctx.save();
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  put(name, EDGE, 0, true);
  put(detail, EDGE, 1, false);
  ctx.textAlign = 'right';
  put(first, width - EDGE, 0, true);
  // The text is beside the detail if there is room.
  const room = width - 3 * EDGE - fontOf('regular').width(detail, SIZE.small);
  const all = others.join(' ');
  put(fontOf('regular').width(all, SIZE.small) <= room ? all : (others[0] ?? ''), width - EDGE, 1, false);
  ctx.restore();
}
