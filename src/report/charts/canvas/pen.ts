import type { Chart } from 'chart.js';
import { fontCss, SIZE, type Theme } from './theme.ts';

type Context = Chart['ctx'];
type Place = readonly [x: number, y: number];

export interface Stroke {
  readonly color: string;
  readonly width: number;
  readonly dash?: readonly number[];
  readonly opacity?: number;
}

/** Draws lines through these points, pixels, as one path. Restores the context. */
export function drawLines(ctx: Context, lines: readonly (readonly Place[])[], stroke: Stroke): void {
  const { color, width, dash = [], opacity = 1 } = stroke;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.globalAlpha = opacity;
  ctx.setLineDash([...dash]);
  ctx.beginPath();
  for (const line of lines)
    for (const [i, place] of line.entries()) i === 0 ? ctx.moveTo(...place) : ctx.lineTo(...place);
  ctx.stroke();
  ctx.restore();
}

/** Fills the area inside these points. */
export function fillArea(ctx: Context, outline: readonly Place[], color: string): void {
  ctx.save();
  ctx.fillStyle = color;
  ctx.beginPath();
  for (const [i, place] of outline.entries()) i === 0 ? ctx.moveTo(...place) : ctx.lineTo(...place);
  ctx.closePath();
  ctx.fill();
  ctx.restore();
}

/** Style of text: `bold` for names, `small` for numbers and remarks. */
export interface Lettering {
  readonly look?: 'bold' | 'small';
  readonly color: string;
  readonly align?: 'left' | 'center' | 'right';
}

/** Draws a line of text, vertically centered at this height. */
export function drawText(
  ctx: Context,
  text: string,
  [x, y]: Place,
  { look = 'small', color, align = 'left' }: Lettering,
): void {
  ctx.save();
  ctx.font = look === 'bold' ? fontCss(SIZE.text, 'bold') : fontCss(SIZE.small);
  ctx.fillStyle = color;
  ctx.textAlign = align;
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x, y);
  ctx.restore();
}

/** Draws lines of text centered at this height: a name, with the others in small type below it. */
export function drawStack(
  ctx: Context,
  lines: readonly string[],
  [x, y]: Place,
  align: 'left' | 'right',
  theme: Theme,
): void {
  for (const [i, line] of lines.entries()) {
    const lettering = i === 0 ? ({ look: 'bold', color: theme.ink } as const) : { color: theme.muted };
    drawText(ctx, line, [x, y + (i - (lines.length - 1) / 2) * 15], { ...lettering, align });
  }
}
