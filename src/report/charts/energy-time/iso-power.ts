import type { Plugin } from 'chart.js';
import { fixed } from '../../../text/numbers.ts';
import { fontOf } from '../canvas/font.ts';
import { fontCss, SIZE, type Theme } from '../canvas/theme.ts';
import { type Axis, axisAround } from '../parts/axis.ts';

/** A line of equal mean power through the plot: energy = power · duration. */
export interface IsoPower {
  readonly powerW: number;
  readonly text: string;
}

/**
 * A handful of round powers whose lines cross a plot of these axes, around the mean powers of the runs in it, watts;
 * none where the energies are not positive.
 */
export function isoPowerLines(seconds: Axis, joules: Axis, [least, most]: readonly [number, number]): IsoPower[] {
  if (seconds.min < 0 || joules.min < 0 || seconds.max <= 0 || joules.max <= 0) return [];
  // A plot that begins near 0 has lines of any power: those of the runs, and some room around them, say enough.
  const lowest = Math.max(joules.min / seconds.max, 0.6 * least);
  const highest = Math.min(seconds.min > 0 ? joules.max / seconds.min : Number.POSITIVE_INFINITY, 1.6 * most);
  if (!(highest > lowest)) return [];
  const { ticks, decimals } = axisAround(lowest, highest, 8);
  return ticks
    .filter((powerW) => powerW > lowest && powerW < highest)
    .map((powerW) => ({ powerW, text: `${fixed(powerW, decimals)} W` }));
}

/** Pixels that the powers need at the right of the plot. */
export function isoPowerWidth(lines: readonly IsoPower[]): number {
  return Math.max(0, ...lines.map(({ text }) => fontOf('regular').width(text, SIZE.small) + 8));
}

/** The lines, each with its power where it leaves the plot, at the top or at the right. */
export function isoPower(lines: readonly IsoPower[], theme: Theme): Plugin {
  return {
    id: 'iso-power',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const x = scales.x!;
      const y = scales.y!;
      ctx.save();
      ctx.font = fontCss(SIZE.small);
      ctx.fillStyle = theme.muted;
      ctx.strokeStyle = theme.muted;
      ctx.lineWidth = 0.9;
      ctx.textBaseline = 'middle';
      // Steepest first: their labels go from left to right along the top, then down the right side.
      let freeX = Number.NEGATIVE_INFINITY;
      let freeY = Number.NEGATIVE_INFINITY;
      for (const { powerW, text } of [...lines].sort((a, b) => b.powerW - a.powerW)) {
        const from = Math.max(x.min, y.min / powerW);
        const to = Math.min(x.max, y.max / powerW);
        if (!(to > from)) continue;
        const atTop = to < x.max;
        const [endX, endY] = [x.getPixelForValue(to), y.getPixelForValue(to * powerW)];
        const half = fontOf('regular').width(text, SIZE.small) / 2;
        const place = atTop
          ? { x: Math.max(endX - half, chartArea.left), y: chartArea.top - 9 }
          : { x: chartArea.right + 5, y: Math.max(endY, chartArea.top + 8) };
        if (atTop ? place.x < freeX : place.y < freeY || place.y > chartArea.bottom - 7) continue;
        if (atTop) freeX = place.x + 2 * half + 8;
        else freeY = place.y + 15;
        ctx.setLineDash([1.5, 3]);
        ctx.beginPath();
        ctx.moveTo(x.getPixelForValue(from), y.getPixelForValue(from * powerW));
        ctx.lineTo(endX, endY);
        ctx.stroke();
        ctx.textAlign = 'left';
        ctx.fillText(text, place.x, place.y);
      }
      ctx.restore();
    },
  };
}
