import type { Plugin } from 'chart.js';
import { fontOf } from '../canvas/font.ts';
import { drawLines, drawText } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';

/** A range around zero that differences are judged by. */
export interface Band {
  readonly half: number;
  /** Lower edge, percent; absent: −`half`. */
  readonly low?: number;
  readonly text: string;
  /** `filled`: gray background; `lined`: dotted edges. */
  readonly kind: 'filled' | 'lined';
}

const LINE = 16;

/** Height of the bands' names above the plot, pixels. */
export function bandsRoom(bands: readonly Band[]): number {
  return bands.length * LINE + 4;
}

/** A line at zero, and the bands around it, each named above the plot. */
export function zeroAndBands(bands: readonly Band[], theme: Theme): Plugin {
  return {
    id: 'bands',
    beforeDraw: ({ ctx, chartArea: { left, right, top, bottom }, scales }) => {
      const x = scales.x!;
      const at = (value: number): number => Math.min(Math.max(x.getPixelForValue(value), left), right);
      const most = Math.max(...bands.map((b) => b.half));
      const widest = [at(-most), at(most)] as const;
      for (const [i, { half, low = -half, text, kind }] of bands.entries()) {
        const [from, to] = [at(low), at(half)];
        const y = top - LINE * (bands.length - i) + LINE / 2 - 2;
        const line = (...places: [number, number][]): void =>
          drawLines(ctx, [places], { color: theme.muted, width: 1, dash: kind === 'lined' ? [2, 2.5] : [] });
        if (kind === 'filled') {
          ctx.save();
          ctx.fillStyle = theme.muted;
          ctx.globalAlpha = 0.16;
          ctx.fillRect(from, top, to - from, bottom - top);
          ctx.restore();
        }
        for (const edge of [low, half]) {
          if (edge >= x.min && edge <= x.max) line([at(edge), y], [at(edge), kind === 'filled' ? top : bottom]);
        }
        // The name is inside its band, or if that is too narrow, beside all bands, so that no edge crosses it.
        const width = fontOf('regular').width(text, SIZE.small);
        // Edges of a narrower band with its name above pass through this row.
        const crossing = Math.max(...bands.slice(0, i).map((b) => (b.half < half ? at(b.half) : left)), left);
        const centered = (from + to - width) / 2;
        const start = crossing > centered - 4 ? crossing + 6 : centered;
        if (start >= from + 6 && start + width <= to - 6) {
          drawText(ctx, text, [start, y], { color: theme.muted });
          continue;
        }
        const onRight = widest[1] + 8 + width < right + 60;
        line([onRight ? to : from, y], [onRight ? widest[1] + 5 : widest[0] - 5, y]);
        drawText(ctx, text, [onRight ? widest[1] + 8 : widest[0] - 8 - width, y], { color: theme.muted });
      }
    },
    beforeDatasetsDraw: ({ ctx, chartArea: { top, bottom }, scales }) => {
      const x = scales.x!.getPixelForValue(0);
      const zero = [[x, top] as const, [x, bottom] as const];
      drawLines(ctx, [zero], { color: theme.ink, width: 1.2 });
    },
  };
}
