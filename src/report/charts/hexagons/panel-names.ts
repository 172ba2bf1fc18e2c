import type { Chart, Plugin } from 'chart.js';
import { fontOf } from '../canvas/font.ts';
import { fontCss, SIZE, type Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';

export interface PanelName {
  readonly label: string;
  /** Smaller, below it. */
  readonly lines: readonly string[];
}

/** A name at the right of each of the panels `y0`, `y1`, …, and a line under each. */
export function panelNames(panels: readonly PanelName[], theme: Theme): Plugin {
  return {
    id: 'panel-names',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      ctx.save();
      ctx.strokeStyle = theme.muted;
      ctx.lineWidth = 0.8;
      ctx.beginPath();
      for (const i of panels.keys()) {
        ctx.moveTo(chartArea.left, scales[`y${i}`]!.bottom);
        ctx.lineTo(chartArea.right, scales[`y${i}`]!.bottom);
      }
      ctx.stroke();
      ctx.restore();
    },
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      ctx.save();
      ctx.textAlign = 'left';
      ctx.textBaseline = 'middle';
      for (const [i, { label, lines }] of panels.entries()) {
        const scale = scales[`y${i}`]!;
        if (isNarrow(theme)) {
          drawInside(ctx, [label, ...lines].join(', '), { x: chartArea.left + 5, y: scale.top + 9 }, theme);
          continue;
        }
        const middle = (scale.top + scale.bottom) / 2;
        for (const [k, line] of [label, ...lines].entries()) {
          ctx.font = k === 0 ? fontCss(SIZE.text, 'bold') : fontCss(SIZE.small);
          ctx.fillStyle = k === 0 ? theme.ink : theme.muted;
          ctx.fillText(line, chartArea.right + 14, middle + (k - lines.length / 2) * 15);
        }
      }
      ctx.restore();
    },
  };
}

/** On the ground of the page, because hexagons may lie under it. */
function drawInside(ctx: Chart['ctx'], text: string, { x, y }: { x: number; y: number }, theme: Theme): void {
  ctx.globalAlpha = 0.8;
  ctx.fillStyle = theme.background ?? 'transparent';
  ctx.fillRect(x - 3, y - 8, fontOf('regular').width(text, SIZE.small) + 6, 16);
  ctx.globalAlpha = 1;
  ctx.font = fontCss(SIZE.small);
  ctx.fillStyle = theme.ink;
  ctx.fillText(text, x, y);
}
