import type { Chart, Plugin } from 'chart.js';
import { fontOf } from '../canvas/font.ts';
import { fontCss, type SeriesStyle, SIZE, type Theme } from '../canvas/theme.ts';
import type { ResourceColumn } from './columns.ts';

export interface ResourceRow {
  readonly label: string;
  readonly detail: string;
  readonly style: SeriesStyle;
}

/** Where in its row a point is, in rows: its number stands above it. */
export const POINT_AT = 0.68;

/** Names at the left; in each cell the interval behind its point, and the number above it. */
export function drawCells(rows: readonly ResourceRow[], columns: readonly ResourceColumn[], theme: Theme): Plugin {
  return {
    id: 'resource-cells',
    beforeDatasetsDraw: (chart) => {
      for (const [c, column] of columns.entries()) drawIntervals(chart, column, c, rows);
    },
    afterDatasetsDraw: (chart) => {
      const { ctx } = chart;
      ctx.save();
      ctx.textBaseline = 'middle';
      drawNames(chart, rows, theme);
      ctx.font = fontCss(SIZE.small);
      for (const [c, column] of columns.entries()) drawNumbers(chart, column, c, theme);
      ctx.restore();
    },
  };
}

function drawIntervals({ ctx, scales }: Chart, column: ResourceColumn, c: number, rows: readonly ResourceRow[]): void {
  const x = scales[`x${c}`]!;
  ctx.save();
  ctx.lineWidth = 2;
  for (const [i, cell] of column.cells.entries()) {
    if (cell === null || cell.interval === null) continue;
    const y = scales.y!.getPixelForValue(i + POINT_AT);
    ctx.strokeStyle = rows[i]!.style.colour;
    ctx.beginPath();
    ctx.moveTo(x.getPixelForValue(cell.interval[0]), y);
    ctx.lineTo(x.getPixelForValue(cell.interval[1]), y);
    ctx.stroke();
  }
  ctx.restore();
}

function drawNames({ ctx, chartArea, scales }: Chart, rows: readonly ResourceRow[], theme: Theme): void {
  ctx.textAlign = 'right';
  for (const [i, { label, detail }] of rows.entries()) {
    const middle = scales.y!.getPixelForValue(i + 0.5);
    ctx.font = fontCss(SIZE.text, 'bold');
    ctx.fillStyle = theme.ink;
    ctx.fillText(label, chartArea.left - 14, middle - 7);
    ctx.font = fontCss(SIZE.small);
    ctx.fillStyle = theme.muted;
    ctx.fillText(detail, chartArea.left - 14, middle + 8);
  }
}

/** The number above its point, moved inside its column. */
function drawNumbers({ ctx, scales }: Chart, column: ResourceColumn, c: number, theme: Theme): void {
  const x = scales[`x${c}`]!;
  for (const [i, cell] of column.cells.entries()) {
    const text = cell?.text ?? 'not read';
    const half = fontOf('regular').width(text, SIZE.small) / 2;
    const at = cell === null ? (x.left + x.right) / 2 : x.getPixelForValue(cell.mean);
    ctx.textAlign = 'center';
    ctx.fillStyle = cell === null ? theme.muted : theme.ink;
    const middle = Math.min(Math.max(at, x.left + half + 3), x.right - half - 16);
    ctx.fillText(text, middle, scales.y!.getPixelForValue(i + (cell === null ? 0.5 : 0.3)));
  }
}
