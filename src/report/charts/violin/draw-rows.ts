import type { Chart, Plugin } from 'chart.js';
import { fontCss, SIZE, type Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';
import { drawTextsAbove } from '../parts/texts-above.ts';
import { rowShape, type ViolinRow } from './rows.ts';

/** Shapes and medians behind the points, names and numbers beside them. */
export function violinPlugin(rows: readonly ViolinRow[], theme: Theme): Plugin {
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
  ctx.fillStyle = `${row.colour}40`;
  ctx.fill();
  ctx.strokeStyle = row.colour;
  ctx.lineWidth = 1.2;
  ctx.stroke();
  ctx.restore();
}

function drawMedian(chart: Chart, row: ViolinRow, place: { at: number; half: number }, theme: Theme): void {
  const { ctx, scales } = chart;
  const px = scales.x!.getPixelForValue(row.median);
  const half = place.half * 0.9;
  ctx.save();
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 2.2;
  ctx.beginPath();
  ctx.moveTo(px, scales.y!.getPixelForValue(place.at - half));
  ctx.lineTo(px, scales.y!.getPixelForValue(place.at + half));
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
  if (isNarrow(theme)) {
    const top = chart.scales.y!.getPixelForValue(index - 0.5) + 10;
    drawTextsAbove(chart, [row.name, row.count], row.notes, top, theme);
    ctx.restore();
    return;
  }
  put([row.name, row.count], chartArea.left - 14, 'right', SIZE.text);
  put(row.notes, chartArea.right + 14, 'left', SIZE.text);
  ctx.restore();
}
