import type { Chart, Plugin } from 'chart.js';
import type { Analysis } from '../../../analysis/results.ts';
import type { Interval, Summary } from '../../../findings/numbers.ts';
import type { VariantFindings } from '../../../findings/variant.ts';
import { short, unitOfBytes } from '../../../text/numbers.ts';
import { unitOfWork } from '../../per-execution.ts';
import { fontOf } from '../canvas/font.ts';
import { drawLines, drawStack, drawText } from '../canvas/pen.ts';
import { type SeriesStyle, SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisFromZero, computeExtent, linearScale } from '../parts/axis.ts';
import { chartWidth, frameText, pointsChart } from '../parts/frame.ts';
import { markerRadius, pointsDataset } from '../parts/points.ts';
import { chosenVariants, notDrawn } from '../parts/variant-runs.ts';

/** Minimum width of the picture, pixels; the page can scroll it horizontally. */
const MIN_WIDTH = 560;
const ROW = 44;
/** Resources that the runs used: a column per resource, a row per variant. `null` when nothing was recorded. */
export function resourcesChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const chosen = chosenVariants(analysis);
  const variants = chosen.variants.filter((v) => Object.values(v.findings.resources ?? {}).some((s) => s !== null));
  if (variants.length === 0) return null;
  const rows = variants.map((v): ResourceRow => ({ ...v, detail: `n = ${v.findings.runs}` }));
  const columns = resourceColumns(variants.map((v) => v.findings.resources ?? null));
  const caption =
    'Point: mean of the runs, with its 95 % interval, which may be narrower than the point. All processes of the workload, as the kernel counted them, whatever the meter. ' +
    chosen.note +
    notDrawn(chosen.variants, variants, 'none that could be read');
  const names = Math.max(...rows.map((r) => fontOf('bold').width(r.label, SIZE.text)), 56);
  return pointsChart(
    {
      id: 'resources',
      text: frameText(findings, `resources per ${unitOfWork(findings)}`, caption.trim(), 'kernel'),
      description: rows
        .map((r, i) => `${r.label}: ${columns.map((c) => `${c.name} ${c.cells[i]?.text ?? 'not counted'}`).join(', ')}`)
        .join('; '),
      datasets: columns.flatMap((column, c) => buildDatasets(column, c, rows, theme)),
      scales: {
        ...Object.fromEntries(columns.map((column, c) => [`x${c}`, axisOf(column, theme)])),
        y: { type: 'linear', min: 0, max: rows.length, reverse: true, display: false },
      },
      room: { left: names + 30, right: 24 },
      height: rows.length * ROW,
      plugins: [drawCells(rows, columns, theme)],
      width: Math.max(chartWidth(theme), MIN_WIDTH),
    },
    theme,
  );
}

function buildDatasets(column: ResourceColumn, c: number, rows: readonly ResourceRow[], theme: Theme) {
  return column.cells.flatMap((cell, i) =>
    cell === null
      ? []
      : [
          {
            ...pointsDataset([{ x: cell.mean, y: i + POINT_AT }], rows[i]!.style, theme, 'full'),
            pointRadius: markerRadius(rows[i]!.style, 4.5),
            xAxisID: `x${c}`,
          },
        ],
  );
}

function axisOf(column: ResourceColumn, theme: Theme) {
  const [low, high] = computeExtent(
    column.cells.flatMap((cell) => (cell === null ? [] : [cell.mean, ...(cell.interval ?? [])])),
  );
  // Room at the right, so that numbers don't touch those of the next column.
  const axis = axisFromZero(low, high * 1.3, 3);
  const ticks = axis.ticks.filter((tick) => tick < 0.85 * axis.max);
  return {
    ...linearScale({ ...axis, ticks }, column.title, theme),
    stack: 'resources',
    // Each column begins with a line.
    grid: {
      color: ({ tick }: { tick: { value: number } }) => (tick.value === 0 ? theme.muted : theme.grid),
      tickLength: 5,
    },
  };
}

export interface ResourceCell {
  /** Mean in the unit of the column. */
  readonly mean: number;
  readonly interval: Interval | null;
  readonly text: string;
}

export interface ResourceColumn {
  readonly name: string;
  /** Title of the column's axis, with its unit. */
  readonly title: string;
  /** One cell per row; null: not counted. */
  readonly cells: readonly (ResourceCell | null)[];
}

type Resources = NonNullable<VariantFindings['resources']>;

const COLUMNS: readonly { readonly key: keyof Resources; readonly name: string; readonly bytes: boolean }[] = [
  { key: 'cpu_s', name: 'CPU time', bytes: false },
  { key: 'peak_memory_bytes', name: 'Peak memory', bytes: true },
  { key: 'read_bytes', name: 'Read', bytes: true },
  { key: 'written_bytes', name: 'Written', bytes: true },
];

/** A column for each resource that at least one variant has, in a unit suited to the largest value. */
export function resourceColumns(rows: readonly (Resources | null)[]): ResourceColumn[] {
  return COLUMNS.flatMap(({ key, name, bytes }) => {
    const summaries = rows.map((r) => r?.[key] ?? null);
    const means = summaries.flatMap((s) => (s === null ? [] : [s.mean]));
    if (means.length === 0) return [];
    const most = Math.max(...means);
    // Numbers beside the points have the unit of the axis.
    const { size: factor, unit } = bytes
      ? unitOfBytes(most)
      : most < 1
        ? { size: 1e-3, unit: 'ms' }
        : { size: 1, unit: 's' };
    return [
      { name, title: `${name} (${unit})`, cells: summaries.map((s) => (s === null ? null : toCell(s, factor, unit))) },
    ];
  });
}

function toCell({ mean, mean_ci95: interval }: Summary, factor: number, unit: string): ResourceCell {
  return {
    mean: mean / factor,
    // Use is never negative, but the interval of a mean near 0 could be.
    interval: interval === null ? null : [Math.max(interval[0], 0) / factor, Math.max(interval[1], 0) / factor],
    text: `${short(mean / factor)} ${unit}`,
  };
}

export interface ResourceRow {
  readonly label: string;
  readonly detail: string;
  readonly style: SeriesStyle;
}

/** Vertical position of a point in its row, in rows; its number is above it. */
const POINT_AT = 0.68;

/** Draws names at the left, and in each cell an interval behind its point, with the number above it. */
function drawCells(rows: readonly ResourceRow[], columns: readonly ResourceColumn[], theme: Theme): Plugin {
  return {
    id: 'resource-cells',
    beforeDatasetsDraw: (chart) => {
      for (const [c, column] of columns.entries()) drawIntervals(chart, column, c, rows);
    },
    afterDatasetsDraw: (chart) => {
      drawNames(chart, rows, theme);
      for (const [c, column] of columns.entries()) drawNumbers(chart, column, c, theme);
    },
  };
}

function drawIntervals({ ctx, scales }: Chart, column: ResourceColumn, c: number, rows: readonly ResourceRow[]): void {
  const x = scales[`x${c}`]!;
  for (const [i, cell] of column.cells.entries()) {
    if (cell === null || cell.interval === null) continue;
    const y = scales.y!.getPixelForValue(i + POINT_AT);
    const line = cell.interval.map((end) => [x.getPixelForValue(end), y] as const);
    drawLines(ctx, [line], { color: rows[i]!.style.color, width: 2 });
  }
}

function drawNames({ ctx, chartArea, scales }: Chart, rows: readonly ResourceRow[], theme: Theme): void {
  for (const [i, { label, detail }] of rows.entries()) {
    const middle = scales.y!.getPixelForValue(i + 0.5) + 0.5;
    drawStack(ctx, [label, detail], [chartArea.left - 14, middle], 'right', theme);
  }
}

/** Draws the number above its point, moved inside its column. */
function drawNumbers({ ctx, scales }: Chart, column: ResourceColumn, c: number, theme: Theme): void {
  const x = scales[`x${c}`]!;
  for (const [i, cell] of column.cells.entries()) {
    const text = cell?.text ?? 'not counted';
    const half = fontOf('regular').width(text, SIZE.small) / 2;
    const at = cell === null ? (x.left + x.right) / 2 : x.getPixelForValue(cell.mean);
    const middle = Math.min(Math.max(at, x.left + half + 3), x.right - half - 16);
    const y = scales.y!.getPixelForValue(i + (cell === null ? 0.5 : 0.3));
    drawText(ctx, text, [middle, y], { color: cell === null ? theme.muted : theme.ink, align: 'center' });
  }
}
