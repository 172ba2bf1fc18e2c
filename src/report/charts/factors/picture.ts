import type { Chart, Plugin } from 'chart.js';
import type { Summary } from '../../../findings/numbers.ts';
import { quantity } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import { wrapToWidth } from '../canvas/font.ts';
import { drawLines } from '../canvas/pen.ts';
import { type SeriesStyle, SIZE, seriesStyle, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { type Axis, axisAround, computeExtent, linearScale } from '../parts/axis.ts';
import { chartWidth, type FrameText } from '../parts/frame.ts';
import { panelAxisWidth } from '../parts/panels.ts';
import { markerRadius, pointsDataset } from '../parts/points.ts';
import { labeledChart, type SideLabel, sideLabelsHeight, sideLabelsRoom } from '../parts/side-labels.ts';
import type { Combinations } from './combinations.ts';

export const MAX_LINES = 8;
export const MAX_ACROSS = 12;
/** Horizontal offset between lines, as a fraction of the distance of two levels, so that their intervals don't overlap. */
const APART = 0.05;
/** Margin beside the first and last level, in levels. */
const MARGIN = 0.35;
const POINT = 4.5;
const CAP = 5;
export const LONGEST_LEVEL = 40;
/** Height of a single panel, and of each of several, pixels. */
const ALONE = 260;
const PANEL = 170;

interface Line {
  readonly label: string;
  readonly style: SeriesStyle;
  readonly points: readonly { readonly x: number; readonly value: Summary }[];
}

/** One quantity over the levels of a factor. */
export interface Panel {
  readonly values: Combinations;
  /** Title of its y axis, with the unit. */
  readonly title: string;
  readonly unit: string;
}

interface DrawnPanel extends Panel {
  /** Id of its y axis. */
  readonly id: string;
  readonly lines: readonly Line[];
  readonly axis: Axis;
}

/** Panels that have data to draw. */
export function drawnPanels(panels: readonly Panel[]): DrawnPanel[] {
  const drawn = panels.flatMap((panel) => {
    const lines = linesOf(panel.values);
    const summaries = lines.flatMap(({ points }) => points.map(({ value }) => value));
    if (summaries.length === 0) return [];
    return [
      {
        ...panel,
        lines,
        axis: axisAround(...computeExtent(summaries.flatMap(({ mean, mean_ci95: ci95 }) => [mean, ...(ci95 ?? [])]))),
      },
    ];
  });
  return drawn.map((panel, i) => ({ ...panel, id: drawn.length === 1 ? 'y' : `y${i}` }));
}

/** Means with their intervals over the levels of a factor, with a line for each level of a second factor. Panels stand above each other and share the x axis. */
export function factorsPicture(id: string, text: FrameText, panels: readonly DrawnPanel[], theme: Theme): ChartSpec {
  const { across: factor } = panels[0]!.values;
  const across = factor.levels.slice(0, MAX_ACROSS);
  const labels = panels[0]!.lines.flatMap(({ label, style, points }): SideLabel[] =>
    label === '' ? [] : [{ label, detail: '', style, at: points.at(-1)!.value.mean }],
  );
  const slot = (chartWidth(theme) - sideLabelsRoom(labels, theme).right - 90) / across.length;
  const wrapped = Math.max(...across.map((level) => wordsOf(level, slot).length));
  const plots = Math.max(panels.length === 1 ? ALONE : panels.length * PANEL, sideLabelsHeight(labels));
  return labeledChart(
    {
      id,
      text,
      description: panels.flatMap((panel) => panel.lines.map((line) => lineText(panel, line, across))).join('; '),
      labels,
      datasets: panels.flatMap(({ id: yAxisID, lines }) =>
        lines.map(({ points, style }) => ({
          ...pointsDataset(
            points.map(({ x, value }) => ({ x, y: value.mean })),
            style,
            theme,
            'full',
          ),
          pointRadius: markerRadius(style, POINT),
          yAxisID,
        })),
      ),
      scales: { x: levelScale(factor.name, across, slot, theme), ...valueScales(panels, theme) },
      height: plots + 13 * (wrapped - 1),
      plugins: panels.map(linesAndIntervals),
    },
    theme,
  );
}

function lineText({ id, title, unit }: DrawnPanel, { label, points }: Line, across: readonly string[]): string {
  const names = [...(id === 'y' ? [] : [title]), ...(label === '' ? [] : [label])].join(', ');
  const values = points.map(({ x, value }) => `${across[Math.round(x)]} ${quantity(value.mean, unit)}`).join(', ');
  return names === '' ? values : `${names}: ${values}`;
}

/** Y axes of the panels. chart.js stacks from the bottom, so the first panel comes last. */
function valueScales(panels: readonly DrawnPanel[], theme: Theme) {
  if (panels.length === 1) return { y: linearScale(panels[0]!.axis, panels[0]!.title, theme) };
  const width = Math.max(...panels.map(({ axis }) => panelAxisWidth(axis)));
  const scales = panels.map(({ id, axis, title }) => {
    // Ticks at the ends would overlap those of neighboring panels.
    const ticks = axis.ticks.filter((tick) => tick > axis.min && tick < axis.max);
    const afterFit = (scale: { width: number }) => {
      scale.width = width;
    };
    return [id, { ...linearScale({ ...axis, ticks }, title, theme), stack: 'panels', afterFit }] as const;
  });
  return Object.fromEntries(scales.reverse());
}

function linesOf({ across, lines, summaries }: Combinations): Line[] {
  const levels = lines.levels.slice(0, MAX_LINES);
  return levels.flatMap((level, j): Line[] => {
    const beside = (j - (levels.length - 1) / 2) * APART;
    const points = summaries.slice(0, Math.min(MAX_ACROSS, across.levels.length)).flatMap((row, i) => {
      const value = row[j] ?? null;
      return value === null ? [] : [{ x: i + beside, value }];
    });
    // Variants that are no levels look as they do in the other charts.
    if (level === '') return points.map((point) => ({ label: '', style: seriesStyle(point.x), points: [point] }));
    return points.length === 0 ? [] : [{ label: plain(level, LONGEST_LEVEL), style: seriesStyle(j), points }];
  });
}

const wordsOf = (level: string, slot: number): string[] =>
  wrapToWidth(plain(level, LONGEST_LEVEL), slot - 6, SIZE.small, 'regular');

/** X axis with names of levels instead of numbers. */
function levelScale(name: string, levels: readonly string[], slot: number, theme: Theme) {
  const ticks = levels.map((_, i) => i);
  const scale = linearScale(
    { min: -MARGIN, max: levels.length - 1 + MARGIN, ticks, decimals: 0 },
    plain(name, LONGEST_LEVEL),
    theme,
  );
  const nameOf = (value: string | number) => wordsOf(levels[Number(value)] ?? '', slot);
  return { ...scale, ticks: { ...scale.ticks, callback: nameOf } } as typeof scale;
}

function linesAndIntervals({ id, lines }: DrawnPanel): Plugin {
  return {
    id: `factor-lines-${id}`,
    beforeDatasetsDraw: ({ ctx, scales }: Chart) => {
      const placeOf = (x: number, value: number) =>
        [scales.x!.getPixelForValue(x), scales[id]!.getPixelForValue(value)] as const;
      for (const { label, points, style } of lines) {
        // A missing level interrupts the line; variants that are no levels have no order, so no line.
        const steps = (label === '' ? [] : points.slice(1)).flatMap((to, i) => {
          const from = points[i]!;
          return Math.round(to.x) - Math.round(from.x) > 1 ? [] : [[from, to]];
        });
        const ways = steps.map((step) => step.map(({ x, value }) => placeOf(x, value.mean)));
        drawLines(ctx, ways, { color: style.color, width: 1.6, dash: style.dash });
        for (const { x, value } of points) {
          if (value.mean_ci95 === null) continue;
          const [low, high] = value.mean_ci95.map((end) => placeOf(x, end)) as [
            readonly [number, number],
            readonly [number, number],
          ];
          // The interval is too short: its end marks would overlap the point.
          if (low[1] - high[1] < 2.5 * POINT) continue;
          const cap = ([at, height]: readonly [number, number]) => [
            [at - CAP, height] as const,
            [at + CAP, height] as const,
          ];
          drawLines(ctx, [[low, high], cap(low), cap(high)], { color: style.color, width: 2 });
        }
      }
    },
  };
}
