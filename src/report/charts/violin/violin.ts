import type { Chart, Plugin } from 'chart.js';
import type { Analysis } from '../../../analysis/results.ts';
import { unitOfWork } from '../../per-execution.ts';
import { primaryComparisons } from '../../verdict.ts';
import { fontOf } from '../canvas/font.ts';
import { drawLines, drawStack } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisAround, computeExtent, linearScale, startNote } from '../parts/axis.ts';
import { frameText, isNarrow, pointsChart } from '../parts/frame.ts';
import { thinnedNote } from '../parts/points.ts';
import { drawTextsAbove } from '../parts/texts-above.ts';
import { fromBaseline } from '../parts/variant-runs.ts';
import {
  durationOfRun,
  energy,
  rowShape,
  type ViolinMetric,
  type ViolinRow,
  violinPoints,
  violinRows,
} from './rows.ts';

const ROW = 62;
const NARROW_ROW = 96;

interface Words {
  readonly id: string;
  readonly what: string;
  readonly reader: 'meter' | 'clock';
}

/** Energy of every compared run by variant. `null` when no run has an energy. */
export function violinChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  return violins(analysis, energy, { id: 'energy-violin', reader: 'meter', what: 'Energy' }, theme);
}

/** Duration of every compared run by variant. `null` when no run has a duration. */
export function durationChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  return violins(analysis, durationOfRun, { id: 'duration-violin', reader: 'clock', what: 'Duration' }, theme);
}

function violins(analysis: Analysis, metric: ViolinMetric, words: Words, theme: Theme): ChartSpec | null {
  const { rows, note } = violinRows(analysis, metric);
  if (rows.length === 0) return null;
  const { findings } = analysis;
  const narrow = isNarrow(theme);
  const what = `${words.what} per ${unitOfWork(findings)}`;
  const points = rows.map((row, i) => violinPoints(row, i, rowShape(theme), rows.length));
  const count = (lists: readonly (readonly unknown[])[]): number => lists.reduce((sum, list) => sum + list.length, 0);
  const compared = rows.some((r) => r.notes.length > 1);
  const x = axisAroundRows(rows);
  const caption =
    'Each point is a run; the shape is their Gaussian kernel density (five runs or more); the bar is the median. ' +
    `Right: median${compared ? `, and difference${fromBaseline(primaryComparisons(findings))}${intervalText(rows)}` : ''}. ` +
    `${thinnedNote(count(points), count(rows.map((r) => r.values)), 'runs')}${note}${startNote(x)}`;
  const names = Math.max(...rows.map((r) => fontOf('bold').width(r.name, SIZE.text)), 56);
  const notes = Math.max(...rows.flatMap((r) => r.notes.map((t) => fontOf('bold').width(t, SIZE.small))));
  return pointsChart(
    {
      id: words.id,
      text: frameText(findings, what.toLowerCase(), caption, words.reader),
      description: rows.map((r) => `${r.name} (${r.count}): median ${r.notes.join(', ')}`).join('; '),
      datasets: rows.map((row, i) => ({ data: points[i]!, ...pointStyle(row, theme) })),
      scales: {
        x: linearScale(x, `${what} (${metric.unit})`, theme),
        y: { type: 'linear', min: -0.5, max: rows.length - 0.5, reverse: true, display: false },
      },
      room: { left: narrow ? 8 : names + 30, right: narrow ? 14 : notes + 28 },
      height: rows.length * (narrow ? NARROW_ROW : ROW),
      plugins: [violinPlugin(rows, theme)],
    },
    theme,
  );
}

/** Note on intervals: few blocks reach less than 95 %, and one has no interval. */
function intervalText(rows: readonly ViolinRow[]): string {
  const known = rows.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  if (known.length === 0) return '';
  return known.some((reached) => reached < 0.95)
    ? ' with its 95 % interval, at less confidence where its row says so'
    : ' with its 95 % interval';
}

/** Axis around points and shapes; a shape's tail below 0 is cut if no value is negative. */
function axisAroundRows(rows: readonly ViolinRow[]) {
  const [lowest] = computeExtent(rows.map((r) => r.values[0]!));
  const [low, high] = computeExtent(
    rows.flatMap(({ values, density }) => [values[0]!, values.at(-1)!, ...(density === null ? [] : ends(density.at))]),
  );
  return axisAround(lowest >= 0 ? Math.max(low, 0) : low, high);
}

function ends(at: readonly number[]): [number, number] {
  return [at[0]!, at.at(-1)!];
}

function pointStyle(row: ViolinRow, theme: Theme): Record<string, unknown> {
  const many = row.values.length > 150;
  return {
    pointRadius: many ? 1.6 : 2.6,
    pointBackgroundColor: row.color,
    pointBorderColor: theme.background ?? row.color,
    pointBorderWidth: theme.background === null ? 0 : 0.6,
    clip: false,
  };
}

/** Draws shapes and medians behind the points, and names and numbers beside them. */
function violinPlugin(rows: readonly ViolinRow[], theme: Theme): Plugin {
  const shape = rowShape(theme);
  return {
    id: 'violin',
    beforeDatasetsDraw: (chart) => {
      for (const [index, row] of rows.entries()) {
        drawShape(chart, row, index + shape.shift, shape.half);
        drawMedian(chart, row, { at: index + shape.shift, half: shape.half }, theme);
      }
    },
    afterDatasetsDraw: (chart) => {
      for (const [index, row] of rows.entries()) drawTexts(chart, row, index, theme);
    },
  };
}

function drawShape(chart: Chart, row: ViolinRow, at0: number, tall: number): void {
  if (row.density === null) return;
  const { ctx, scales } = chart;
  const x = scales.x!;
  const y = scales.y!;
  const { at, density } = row.density;
  const low = row.values[0]! >= 0 ? 0 : Number.NEGATIVE_INFINITY;
  const outline = at.map((value, i) => ({ px: x.getPixelForValue(Math.max(value, low)), half: density[i]! * tall }));
  ctx.save();
  ctx.beginPath();
  for (const { px, half } of outline) ctx.lineTo(px, y.getPixelForValue(at0 - half));
  for (const { px, half } of outline.reverse()) ctx.lineTo(px, y.getPixelForValue(at0 + half));
  ctx.closePath();
  ctx.fillStyle = `${row.color}40`;
  ctx.fill();
  ctx.strokeStyle = row.color;
  ctx.lineWidth = 1.2;
  ctx.stroke();
  ctx.restore();
}

function drawMedian(chart: Chart, row: ViolinRow, place: { at: number; half: number }, theme: Theme): void {
  const { ctx, scales } = chart;
  const px = scales.x!.getPixelForValue(row.median);
  const half = place.half * 0.9;
  const bar = [place.at - half, place.at + half].map((y) => [px, scales.y!.getPixelForValue(y)] as const);
  drawLines(ctx, [bar], { color: theme.ink, width: 2.2 });
}

function drawTexts(chart: Chart, row: ViolinRow, index: number, theme: Theme): void {
  const { ctx, chartArea } = chart;
  const middle = chart.scales.y!.getPixelForValue(index);
  if (isNarrow(theme)) {
    const top = chart.scales.y!.getPixelForValue(index - 0.5) + 10;
    drawTextsAbove(chart, [row.name, row.count], row.notes, top, theme);
    return;
  }
  drawStack(ctx, [row.name, row.count], [chartArea.left - 14, middle], 'right', theme);
  drawStack(ctx, row.notes, [chartArea.right + 14, middle], 'left', theme);
}
