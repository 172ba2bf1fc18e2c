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
      if (isNarrow(theme)) return drawLegend(chart, series, theme);
      const { chartArea } = chart;
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
        drawLabel(chart, s, { fromX: endX, fromY: at, toY: places[i]! }, theme);
      }
    },
  };
}

/** Name at the right of its panel, or at its top if there is no room beside it. */
export function panelLabels(series: readonly PowerSeries[], theme: Theme): Plugin {
  return {
    id: 'panel-labels',
    afterDatasetsDraw: (chart) => {
      for (const [i, s] of series.entries()) {
        const scale = chart.scales[`y${i}`]!;
        if (isNarrow(theme)) drawSample(chart.ctx, s, { x: chart.chartArea.left + 8, y: scale.top + 10 }, theme);
        else drawLabel(chart, s, { fromX: null, fromY: 0, toY: (scale.top + scale.bottom) / 2 }, theme);
      }
    },
  };
}

/** Height of the names above the plot if there is no room beside it, pixels. */
export function lineLegendRoom(series: readonly PowerSeries[]): number {
  return series.length * LINE + 10;
}

function drawLegend(chart: Chart, series: readonly PowerSeries[], theme: Theme): void {
  for (const [i, s] of series.entries()) drawSample(chart.ctx, s, { x: 6, y: LINE * (i + 0.5) + 6 }, theme);
}

/** Draws a piece of the line, and its name. */
function drawSample(ctx: Chart['ctx'], series: PowerSeries, { x, y }: { x: number; y: number }, theme: Theme): void {
  const { color, dash } = series.style;
  const line = [[x, y] as const, [x + 20, y] as const];
  drawLines(ctx, [line], { color, width: 2.4, dash });
  drawText(ctx, series.label, [x + 26, y], { look: 'bold', color: theme.ink });
}

function drawLabel(
  chart: Chart,
  series: PowerSeries,
  place: { fromX: number | null; fromY: number; toY: number },
  theme: Theme,
): void {
  const { ctx, chartArea } = chart;
  if (place.fromX !== null) {
    const hairline: [number, number][] = [
      [place.fromX + 2, place.fromY],
      [chartArea.right + 4, place.fromY],
      [chartArea.right + 14, place.toY],
    ];
    drawLines(ctx, [hairline], { color: theme.muted, width: 0.8 });
  }
  drawSample(ctx, series, { x: chartArea.right + 16, y: place.toY }, theme);
}
