import type { Plugin } from 'chart.js';
import { fixed } from '../../../text/numbers.ts';
import { fontOf } from '../canvas/font.ts';
import { drawText } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';

const SWATCH = 22;
/** Height of the legend above the plot, pixels. */
export function legendRoom(theme: Theme): number {
  return isNarrow(theme) ? 60 : 42;
}

export interface ColoredClass extends CountClass {
  readonly color: string;
}

/** Legend above the plot: colors with their ranges of counts. */
export function countLegend(classes: readonly ColoredClass[], title: string, theme: Theme): Plugin {
  const texts = classes.map(({ from, to }) => (from === to ? fixed(from, 0) : `${fixed(from, 0)}–${fixed(to, 0)}`));
  const step = Math.max(SWATCH, ...texts.map((t) => fontOf('regular').width(t, SIZE.small) + 10));
  return {
    id: 'count-legend',
    afterDraw: ({ ctx, chartArea }) => {
      const narrow = isNarrow(theme);
      const y = chartArea.top - legendRoom(theme) + (narrow ? 22 : 4);
      drawText(ctx, title, [chartArea.left, narrow ? y - 12 : y + 6], { color: theme.muted });
      const start = chartArea.left + (narrow ? 0 : fontOf('regular').width(title, SIZE.small) + 12);
      for (const [i, { color }] of classes.entries()) {
        ctx.fillStyle = color;
        ctx.fillRect(start + i * step, y, step, 12);
        drawText(ctx, texts[i]!, [start + (i + 0.5) * step, y + 21], { color: theme.muted, align: 'center' });
      }
    },
  };
}

/** A range of counts that share a color. */
export interface CountClass {
  readonly from: number;
  /** Upper end, inclusive. */
  readonly to: number;
}

/**
 * At most `most` geometric classes of counts from 1 to `highest`, with round bounds: geometric
 * because a few places have most of the readings.
 */
export function countClasses(highest: number, most: number): CountClass[] {
  if (highest <= most) return Array.from({ length: Math.max(highest, 1) }, (_, i) => ({ from: i + 1, to: i + 1 }));
  const starts = new Set([1]);
  for (let k = 1; k < most; k++) {
    const bound = roundCount((highest + 1) ** (k / most));
    if (bound <= highest) starts.add(Math.max(bound, k + 1));
  }
  const from = [...starts].sort((a, b) => a - b);
  return from.map((start, i) => ({ from: start, to: (from[i + 1] ?? highest + 1) - 1 }));
}

/** The closest of 1, 2, 3, 5, 7 × 10^k by ratio; small counts are unchanged. */
function roundCount(value: number): number {
  if (value < 10) return Math.round(value);
  const power = 10 ** Math.floor(Math.log10(value));
  const candidates = [1, 1.5, 2, 3, 4, 5, 7, 10].map((f) => f * power);
  const apart = (c: number): number => Math.abs(Math.log(c / value));
  return candidates.reduce((best, c) => (apart(c) < apart(best) ? c : best));
}

/** Index of the class of a count of at least 1. */
export function classOf(classes: readonly CountClass[], count: number): number {
  const place = classes.findIndex((c) => count <= c.to);
  return place < 0 ? classes.length - 1 : place;
}
