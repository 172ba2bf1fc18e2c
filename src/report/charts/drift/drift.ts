import type { Chart, Plugin } from 'chart.js';
import { drawPoint } from 'chart.js/helpers';
import type { Analysis } from '../../../analysis/results.ts';
import { signed } from '../../../text/numbers.ts';
import { plural } from '../../../text/plain.ts';
import { unitOfWork } from '../../per-execution.ts';
import { drawLines, drawText } from '../canvas/pen.ts';
import type { SeriesStyle, Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisAround, computeExtent, linearScale, startNote } from '../parts/axis.ts';
import { frameText, isNarrow } from '../parts/frame.ts';
import { type Point, pointsDataset } from '../parts/points.ts';
import { rings } from '../parts/rings.ts';
import { labeledChart, type SideLabel } from '../parts/side-labels.ts';
import { type DriftRun, type DriftSeries, driftRuns } from './runs.ts';

/** Energy over the order of the runs, joined within their blocks, with each variant's trend. `null` when no run has an energy. */
export function driftChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const { series, blocks, missing, missingInAll, note } = driftRuns(analysis);
  const drawn = series.flatMap((s) => s.runs);
  if (drawn.length === 0) return null;
  const x = axisAround(...computeExtent([...drawn, ...missing].map((r) => r.run)), 8);
  // Only points determine the axis: a trend line from few runs may be far outside, and is clipped.
  const y = axisAround(...computeExtent(drawn.map((r) => r.energyJ)));
  const whole = { ...x, ticks: x.ticks.filter(Number.isInteger), decimals: 0 };
  const positions = new Set(drawn.map((r) => r.position));
  const flagged = series.flatMap((s) => s.runs.filter((r) => s.flagged.has(r.run)));
  const caption =
    `Each point is a run. ${blocks.length > 0 ? 'Hairlines join the runs of a block. ' : ''}` +
    `${positions.size > 1 ? 'Filled: first of its block; open: later in it. ' : ''}` +
    `${series.some((s) => s.trend !== null) ? 'Dashed: Theil–Sen trend over the order of the runs, in percent of its middle. ' : ''}` +
    `${missing.length > 0 ? '×: without a valid energy. ' : ''}` +
    `${flagged.length > 0 ? 'Ringed: far from the variant’s other runs, and compared like them. ' : ''}` +
    `Warm-up runs are left out. ${note}${startNote(y, 'energy axis')}`;
  const labels = series.map((s): SideLabel => {
    const detail = s.trend === null ? '' : `${trendText(s.trend.percent)} start to end`;
    return { label: s.label, detail, style: s.style, at: s.trend?.to.y ?? s.runs.at(-1)!.energyJ };
  });
  return labeledChart(
    {
      id: 'energy-over-runs',
      text: frameText(findings, 'energy over the order of the runs', caption),
      description: [
        ...labels.map((l) => [l.label, l.detail].filter(Boolean).join(': ')),
        ...(missing.length > 0
          ? [plural(missingInAll, 'run without a valid energy', 'runs without a valid energy')]
          : []),
      ].join('; '),
      labels,
      datasets: series.flatMap((s) => [
        pointsDataset(s.runs.filter((r) => r.first).map(pointOf), s.style, theme, 'full'),
        pointsDataset(s.runs.filter((r) => !r.first).map(pointOf), s.style, theme, 'open'),
      ]),
      scales: {
        x: linearScale(
          whole,
          isNarrow(theme) ? 'Number of the run' : 'Number of the run, in the order in which they ran',
          theme,
        ),
        y: linearScale(y, `Energy per ${unitOfWork(findings)} (J)`, theme),
      },
      above: missing.length > 0 ? 22 : 0,
      height: 280,
      plugins: [blockLines(blocks, theme), trendLines(series), missingMarks(missing, missingInAll, theme)],
      over: [
        rings(
          flagged.map((r) => ({ ...pointOf(r), text: `run ${r.run}` })),
          theme,
          series.flatMap(({ trend }) => (trend === null ? [] : [[trend.from, trend.to]])),
        ),
      ],
    },
    theme,
  );
}

/** At most two or three digits: a trend of few runs is not more precise. */
function trendText(percent: number): string {
  const size = Math.abs(percent);
  return `${signed(percent, size >= 10 ? 0 : size >= 1 ? 1 : 2)} %`;
}

function pointOf({ run, energyJ }: DriftRun): Point {
  return { x: run, y: energyJ, run };
}

/** Thin lines that connect the runs of each block. */
function blockLines(blocks: readonly (readonly Point[])[], theme: Theme): Plugin {
  return {
    id: 'block-lines',
    beforeDatasetsDraw: (chart) => {
      const hairline = { color: theme.muted, width: 0.7, opacity: 0.55 };
      for (const block of blocks) drawLines(chart.ctx, [placesOf(chart, block)], hairline);
    },
  };
}

/** Trend lines of the variants, dashed, clipped at the plot's edges. */
function trendLines(series: readonly DriftSeries[]): Plugin {
  return {
    id: 'trend-lines',
    beforeDatasetsDraw: (chart) => {
      const { ctx, chartArea: area } = chart;
      ctx.save();
      ctx.beginPath();
      ctx.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
      ctx.clip();
      for (const { trend, style } of series) {
        if (trend === null) continue;
        drawLines(ctx, [placesOf(chart, [trend.from, trend.to])], { color: style.color, width: 1.8, dash: [6, 4] });
      }
      ctx.restore();
    },
  };
}

/** A cross above the plot for each run without a valid energy, in its variant's color. */
function missingMarks(
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
        ctx.strokeStyle = style.color;
        const options = { pointStyle: 'crossRot', radius: 4.5, borderWidth: 2 };
        drawPoint(ctx, options as never, scales.x!.getPixelForValue(run), y);
      }
      ctx.restore();
      // Narrow screens have no room beside the plot; the caption explains the crosses.
      if (isNarrow(theme)) return;
      drawText(ctx, `${inAll} failed or invalid`, [chartArea.right + 12, y], { color: theme.muted });
    },
  };
}

function placesOf({ scales }: Chart, points: readonly Point[]) {
  return points.map(({ x, y }) => [scales.x!.getPixelForValue(x), scales.y!.getPixelForValue(y)] as const);
}
