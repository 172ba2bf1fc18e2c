import type { Chart, Plugin } from 'chart.js';
import { drawPoint } from 'chart.js/helpers';
import { fontCss, type SeriesStyle, SIZE, type Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';
import type { Point } from '../parts/points.ts';
import type { DriftSeries } from './runs.ts';

/** A hairline through the runs of each block. */
export function blockLines(blocks: readonly (readonly Point[])[], theme: Theme): Plugin {
  return {
    id: 'block-lines',
    beforeDatasetsDraw: (chart) => {
      const { ctx } = chart;
      ctx.save();
      ctx.strokeStyle = theme.muted;
      ctx.globalAlpha = 0.55;
      ctx.lineWidth = 0.7;
      for (const block of blocks) polyline(chart, block);
      ctx.restore();
    },
  };
}

/** The trend of each variant, dashed, cut off at the plot's edges. */
export function trendLines(series: readonly DriftSeries[]): Plugin {
  return {
    id: 'trend-lines',
    beforeDatasetsDraw: (chart) => {
      const { ctx, chartArea: area } = chart;
      ctx.save();
      ctx.beginPath();
      ctx.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
      ctx.clip();
      ctx.lineWidth = 1.8;
      ctx.setLineDash([6, 4]);
      for (const { trend, style } of series) {
        if (trend === null) continue;
        ctx.strokeStyle = style.colour;
        polyline(chart, [trend.from, trend.to]);
      }
      ctx.restore();
    },
  };
}

/** A cross above the plot for each run without a valid energy, in its variant's colour. */
export function missingMarks(
  missing: readonly { readonly run: number; readonly style: SeriesStyle }[],
  inAll: number,
  theme: Theme,
): Plugin {
  return {
    id: 'missing-marks',
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      if (missing.length === 0) return;
      const y = chartArea.top - 11;
      ctx.save();
      ctx.lineWidth = 2;
      for (const { run, style } of missing) {
        ctx.strokeStyle = style.colour;
        const options = { pointStyle: 'crossRot', radius: 4.5, borderWidth: 2 };
        drawPoint(ctx, options as never, scales.x!.getPixelForValue(run), y);
      }
      ctx.font = fontCss(SIZE.small);
      ctx.fillStyle = theme.muted;
      ctx.textAlign = 'left';
      ctx.textBaseline = 'middle';
      // On a phone there is no room beside, and the caption tells.
      if (!isNarrow(theme)) ctx.fillText(`${inAll} failed or invalid`, chartArea.right + 12, y);
      ctx.restore();
    },
  };
}

function polyline({ ctx, scales }: Chart, points: readonly Point[]): void {
  ctx.beginPath();
  for (const { x, y } of points) ctx.lineTo(scales.x!.getPixelForValue(x), scales.y!.getPixelForValue(y));
  ctx.stroke();
}
