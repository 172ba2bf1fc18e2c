import type { Chart, Plugin } from 'chart.js';
import { fontCss, SIZE, type Theme } from './theme.ts';
import type { ViolinRow } from './violin-rows.ts';

/** Half the height of the widest place of a shape, in rows. */
const HALF = 0.38;

/** Shapes and medians behind the points, names and numbers beside them. */
export function violinPlugin(rows: readonly ViolinRow[], theme: Theme): Plugin {
  return {
    id: 'violin',
    beforeDatasetsDraw: (chart) => {
      for (const [index, row] of rows.entries()) {
        drawShape(chart, row, index);
        drawMedian(chart, row, index, theme);
      }
    },
    afterDatasetsDraw: (chart) => {
      for (const [index, row] of rows.entries()) drawTexts(chart, row, index, theme);
    },
  };
}

function drawShape(chart: Chart, row: ViolinRow, index: number): void {
  if (row.density === null) return;
  const { ctx, scales } = chart;
  const x = scales.x!;
  const y = scales.y!;
  const { at, density } = row.density;
  const low = row.values[0]! >= 0 ? 0 : Number.NEGATIVE_INFINITY;
  const outline = at.map((value, i) => ({ px: x.getPixelForValue(Math.max(value, low)), half: density[i]! * HALF }));
  ctx.save();
  ctx.beginPath();
  for (const { px, half } of outline) ctx.lineTo(px, y.getPixelForValue(index - half));
  for (const { px, half } of outline.reverse()) ctx.lineTo(px, y.getPixelForValue(index + half));
  ctx.closePath();
  ctx.fillStyle = `${row.colour}40`;
  ctx.fill();
  ctx.strokeStyle = row.colour;
  ctx.lineWidth = 1.2;
  ctx.stroke();
  ctx.restore();
}

function drawMedian(chart: Chart, row: ViolinRow, index: number, theme: Theme): void {
  const { ctx, scales } = chart;
  const px = scales.x!.getPixelForValue(row.median);
  const half = HALF * 0.9;
  ctx.save();
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 2.2;
  ctx.beginPath();
  ctx.moveTo(px, scales.y!.getPixelForValue(index - half));
  ctx.lineTo(px, scales.y!.getPixelForValue(index + half));
  ctx.stroke();
  ctx.restore();
}

function drawTexts(chart: Chart, row: ViolinRow, index: number, theme: Theme): void {
  const { ctx, chartArea } = chart;
  const middle = chart.scales.y!.getPixelForValue(index);
  ctx.save();
  ctx.textBaseline = 'middle';
  const put = (lines: readonly string[], left: number, align: 'left' | 'right', boldSize: number): void => {
    ctx.textAlign = align;
    for (const [i, line] of lines.entries()) {
      ctx.font = i === 0 ? fontCss(boldSize, 'bold') : fontCss(SIZE.small);
      ctx.fillStyle = i === 0 ? theme.ink : theme.muted;
      ctx.fillText(line, left, middle + (i - (lines.length - 1) / 2) * 15);
    }
  };
  put([row.name, row.count], chartArea.left - 14, 'right', SIZE.text);
  put(row.notes, chartArea.right + 14, 'left', SIZE.text);
  ctx.restore();
}
