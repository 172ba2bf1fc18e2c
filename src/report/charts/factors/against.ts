import type { Chart, Plugin } from 'chart.js';
import type { Analysis } from '../../../analysis/results.ts';
import { quantity } from '../../../text/numbers.ts';
import { plain, plural } from '../../../text/plain.ts';
import { drawLines } from '../canvas/pen.ts';
import type { SeriesStyle, Theme } from '../canvas/theme.ts';
import { seriesStyle } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisAround, computeExtent, linearScale, startNotes } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { pointsDataset } from '../parts/points.ts';
import { labeledChart, type SideLabel } from '../parts/side-labels.ts';
import { factorCombinations } from './combinations.ts';
import { byFactors, selectionOf } from './factors.ts';
import { printedMetrics } from './metrics.ts';
import { LONGEST_LEVEL, MAX_ACROSS, MAX_LINES } from './picture.ts';

interface Line {
  readonly label: string;
  readonly style: SeriesStyle;
  /** One for each level of the factor, in its order. */
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly level: string;
    readonly place: number;
  }[];
}

/**
 * A printed metric against another of another unit, such as latency against throughput: a point for each level of one factor of a matrix, joined in
 * their order, and a line for each level of another. `null`: no matrix, or no two such metrics.
 */
export function metricAgainstMetric(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const [first, ...others] = printedMetrics(findings);
  const second = others.find(({ unit }) => unit !== first?.unit);
  if (first === undefined || second === undefined) return null;
  const [across, up] = [first, second].map(({ name }) =>
    factorCombinations(analysis, ({ metrics }) => metrics?.[name] ?? null),
  );
  if (!across || !up) return null;
  const lines = across.lines.levels.slice(0, MAX_LINES).flatMap((label, j): Line[] => {
    const points = across.across.levels.slice(0, MAX_ACROSS).flatMap((level, i) => {
      const [x, y] = [across, up].map(({ summaries }) => summaries[i]?.[j]?.mean ?? null);
      return x == null || y == null ? [] : [{ x, y, level, place: i }];
    });
    return points.length < 2 ? [] : [{ label: plain(label, LONGEST_LEVEL), style: seriesStyle(j), points }];
  });
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return null;
  const x = axisAround(...computeExtent(points.map((point) => point.x)));
  const y = axisAround(...computeExtent(points.map((point) => point.y)));
  const titleOf = ({ name, unit }: typeof first): string =>
    `${plain(name, LONGEST_LEVEL)} (${plain(unit, LONGEST_LEVEL)})`;
  const factor = plain(across.across.name, LONGEST_LEVEL);
  const blocks = plural(Math.min(across.blocks, up.blocks), 'complete block');
  const caption =
    `Points: means over ${blocks} for each level of ${factor}, joined in their order; beside a line’s last one, its level. ` +
    selectionOf(across) +
    startNotes([x, 'horizontal axis'], [y, 'vertical axis']);
  const what = `${plain(second.name, LONGEST_LEVEL)} against ${plain(first.name, LONGEST_LEVEL)} ${byFactors(across)}`;
  const labels = lines.map(({ label, style, points: own }): SideLabel => {
    const last = own.at(-1)!;
    return { label, detail: `${factor}: ${plain(last.level, LONGEST_LEVEL)}`, style, at: last.y };
  });
  return labeledChart(
    {
      id: 'metric-against-metric',
      text: frameText(findings, what, caption, 'workload'),
      description: lines
        .map(
          ({ label, points: own }) =>
            `${label}: ${own.map((at) => `${at.level} ${quantity(at.x, first.unit)} at ${quantity(at.y, second.unit)}`).join(', ')}`,
        )
        .join('; '),
      labels,
      datasets: lines.map((line) => pointsDataset(line.points, line.style, theme, 'full')),
      scales: { x: linearScale(x, titleOf(first), theme), y: linearScale(y, titleOf(second), theme) },
      height: 300,
      plugins: [joined(lines)],
    },
    theme,
  );
}

function joined(lines: readonly Line[]): Plugin {
  return {
    id: 'levels-joined',
    beforeDatasetsDraw: ({ ctx, scales }: Chart) => {
      for (const { points, style } of lines) {
        const pixels = (at: { x: number; y: number }) =>
          [scales.x!.getPixelForValue(at.x), scales.y!.getPixelForValue(at.y)] as const;
        // Nothing is known across a level that is missing.
        const ways = points.slice(1).flatMap((to, i) => {
          const from = points[i]!;
          return to.place - from.place > 1 ? [] : [[pixels(from), pixels(to)]];
        });
        drawLines(ctx, ways, { color: style.color, width: 1.6, dash: style.dash });
      }
    },
  };
}
