import type { Chart, Plugin } from 'chart.js';
import { drawLines, drawText } from '../canvas/pen.ts';
import type { SeriesStyle, Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';
import { spread } from '../parts/side-labels.ts';
import type { PowerBand } from './resample.ts';

export interface PowerSeries {
  readonly name: string;
  /** Name, shortened to fit. */
  readonly label: string;
  readonly note: string;
  readonly style: SeriesStyle;
  readonly band: PowerBand;
}

const LINE = 16;

/** Names beside the ends of their lines, moved apart if they overlap, with a sample of the line. */
export function lineLabels(series: readonly PowerSeries[], theme: Theme): Plugin {
  return {
    id: 'line-labels',
    afterDatasetsDraw: (chart) => {
      const { ctx, chartArea } = chart;
      if (isNarrow(theme)) {
        for (const [i, s] of series.entries()) drawSample(ctx, s, { x: 6, y: LINE * (i + 0.5) + 6 }, theme);
        return;
      }
      const x = chart.scales.x!;
      const y = chart.scales.y!;
      const ends = series
        .map((s) => {
          const last = s.band.medianW.findLastIndex(Number.isFinite);
          return { s, x: x.getPixelForValue(s.band.tS[last]!), at: y.getPixelForValue(s.band.medianW[last]!) };
        })
        .sort((a, b) => a.at - b.at);
      const places = spread(
        ends.map((e) => e.at),
        LINE + 2,
        chartArea.top + LINE / 2,
        y.bottom - LINE / 2,
      );
      for (const [i, { s, x: endX, at }] of ends.entries()) {
        const hairline: [number, number][] = [
          [endX + 2, at],
          [chartArea.right + 4, at],
          [chartArea.right + 14, places[i]!],
        ];
        drawLines(ctx, [hairline], { color: theme.muted, width: 0.8 });
        drawSample(ctx, s, { x: chartArea.right + 16, y: places[i]! }, theme);
      }
    },
  };
}

/** Name at the right of its panel, or at its top if there is no room beside it. */
export function panelLabels(series: readonly PowerSeries[], theme: Theme): Plugin {
  return {
    id: 'panel-labels',
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      for (const [i, s] of series.entries()) {
        const { top, bottom } = scales[`y${i}`]!;
        const inside = { x: chartArea.left + 8, y: top + 10 };
        drawSample(ctx, s, isNarrow(theme) ? inside : { x: chartArea.right + 16, y: (top + bottom) / 2 }, theme);
      }
    },
  };
}

/** Height of the names above the plot if there is no room beside it, pixels. */
export function lineLegendRoom(series: readonly PowerSeries[]): number {
  return series.length * LINE + 10;
}

/** Draws a piece of the line, and its name. */
function drawSample(ctx: Chart['ctx'], series: PowerSeries, { x, y }: { x: number; y: number }, theme: Theme): void {
  const { color, dash } = series.style;
  const line = [[x, y] as const, [x + 20, y] as const];
  drawLines(ctx, [line], { color, width: 2.4, dash });
  drawText(ctx, series.label, [x + 26, y], { look: 'bold', color: theme.ink });
}
