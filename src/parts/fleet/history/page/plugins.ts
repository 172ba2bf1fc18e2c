import type { Chart, Plugin } from 'chart.js';
import { fontOf } from '../../../../report/charts/canvas/font.ts';
import { drawLines, fillArea } from '../../../../report/charts/canvas/pen.ts';
import { fontCss, SIZE, type Theme } from '../../../../report/charts/canvas/theme.ts';
import { type DrawnLine, isLookedThrough, shortStep } from './view.ts';

const ROW = 15;
const ROWS = 3;
/** Pixels above the plot that the sizes of the steps need. */
export const STEP_ROOM = ROWS * ROW + 4;

/** Where something lies between experiments, in pixels. */
const pixelX = (chart: Chart, at: number): number => chart.scales.x!.getPixelForValue(at);

/** No difference, where it is in the picture. */
export function zeroLine(theme: Theme): Plugin {
  return {
    id: 'zero',
    beforeDatasetsDraw: ({ ctx, chartArea: { left, right }, scales }) => {
      const y = scales.y!;
      if (y.min > 0 || y.max < 0) return;
      const height = y.getPixelForValue(0);
      drawLines(ctx, [[[left, height] as const, [right, height] as const]], { color: theme.ink, width: 1.2 });
    },
  };
}

/** A hairline from end to end of each point's interval. */
export function intervals(lines: readonly DrawnLine[]): Plugin {
  return {
    id: 'intervals',
    beforeDatasetsDraw: (chart) => {
      const y = chart.scales.y!;
      for (const { points, style } of lines) {
        const hairlines = points.flatMap(({ x, low, high }) =>
          low === null || high === null
            ? []
            : [[low, high].map((end) => [pixelX(chart, x), y.getPixelForValue(end)] as const)],
        );
        drawLines(chart.ctx, hairlines, { color: style.color, width: 1.2, opacity: 0.55 });
      }
    },
  };
}

/** The median of every level, over its whole length, behind the points; of a line that is long enough to have any. */
export function levels(lines: readonly DrawnLine[], from: number): Plugin {
  return {
    id: 'levels',
    beforeDatasetsDraw: (chart) => {
      for (const { line, style, toUnit } of lines.filter((each) => isLookedThrough(each.line))) {
        for (const level of line.levels) {
          if (level.to < from) continue;
          const height = chart.scales.y!.getPixelForValue(toUnit(level.value));
          const ends = [Math.max(from, level.from) - 0.3, level.to + 0.3];
          const places = ends.map((at) => [pixelX(chart, at), height] as const);
          drawLines(chart.ctx, [places], { color: style.color, width: 2.4, dash: style.dash });
        }
      }
    },
  };
}

/** A dashed line where a level changes, a shade as wide as the place is uncertain, and the size above it where there is room. */
export function stepMarks(lines: readonly DrawnLine[], from: number, top: number, theme: Theme): Plugin {
  const steps = lines
    .flatMap(({ line, style }) => line.steps.map((step) => ({ step, style })))
    .filter(({ step }) => step.at > from)
    .sort((a, b) => a.step.at - b.step.at);
  return {
    id: 'steps',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      ctx.save();
      ctx.fillStyle = theme.muted;
      ctx.globalAlpha = 0.14;
      for (const { step } of steps) {
        const [first, last] = step.range.map((at) => scales.x!.getPixelForValue(at - 0.5)) as [number, number];
        ctx.fillRect(
          Math.max(first - 1, chartArea.left),
          chartArea.top,
          Math.max(2, last - first + 2),
          chartArea.bottom - chartArea.top,
        );
      }
      ctx.restore();
    },
    afterDatasetsDraw: (chart) => {
      const { ctx, chartArea } = chart;
      const ends = Array.from({ length: ROWS }, () => -Infinity);
      ctx.save();
      ctx.font = fontCss(SIZE.small, 'bold');
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      for (const { step, style } of steps) {
        const x = pixelX(chart, (step.before + step.at) / 2);
        const upright = [[x, chartArea.top] as const, [x, chartArea.bottom] as const];
        drawLines(ctx, [upright], { color: style.color, width: 1.2, dash: [4, 3] });
        const text = shortStep(step);
        const half = fontOf('bold').width(text, SIZE.small) / 2 + 10;
        const row = ends.findIndex((end) => end < x - half);
        if (row < 0) continue;
        ends[row] = x + half;
        const height = chartArea.top - 10 - row * ROW;
        if (height < top) continue;
        ctx.fillStyle = style.color;
        ctx.fillRect(x - half + 2, height - 4, 8, 8);
        ctx.fillStyle = theme.ink;
        ctx.fillText(text, x + 6, height);
      }
      ctx.restore();
    },
  };
}

/** Half the size of a cross, and the height that it takes with those of other lines above it, pixels. */
const CROSS = 4;
const CROSS_ROOM = 12;

/** A cross just above the axis, in the color of its line, where a variant failed: it has no energy to be drawn at. */
export function failureMarks(lines: readonly DrawnLine[], from: number): Plugin {
  return {
    id: 'failures',
    afterDatasetsDraw: (chart) => {
      const below = new Map<number, number>();
      for (const { line, style } of lines) {
        const crosses = line.failed
          .filter((at) => at >= from)
          .flatMap((at) => {
            const row = below.get(at) ?? 0;
            below.set(at, row + 1);
            const [x, y] = [pixelX(chart, at), chart.chartArea.bottom - CROSS - 3 - row * CROSS_ROOM];
            return [-1, 1].map((side) => [
              [x - CROSS, y - side * CROSS] as const,
              [x + CROSS, y + side * CROSS] as const,
            ]);
          });
        drawLines(chart.ctx, crosses, { color: style.color, width: 2 });
      }
    },
  };
}

/** A triangle on the axis, and a dotted line up from it, where an image was rebuilt under its tag. */
export function rebuiltMarks(lines: readonly DrawnLine[], from: number, theme: Theme): Plugin {
  const places = [...new Set(lines.flatMap(({ line }) => line.rebuilt.map(({ at }) => at)))].filter((at) => at > from);
  return {
    id: 'rebuilt',
    beforeDatasetsDraw: (chart) => {
      const { ctx, chartArea } = chart;
      const { top, bottom } = chartArea;
      for (const at of places) {
        const x = pixelX(chart, at - 0.5);
        const upright = [[x, top] as const, [x, bottom] as const];
        drawLines(ctx, [upright], { color: theme.ink, width: 1, dash: [1, 3] });
        const triangle: [number, number][] = [
          [x, bottom - 9],
          [x - 5, bottom],
          [x + 5, bottom],
        ];
        fillArea(ctx, triangle, theme.ink);
      }
    },
  };
}
