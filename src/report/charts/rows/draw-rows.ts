import type { Chart, Plugin } from 'chart.js';
import type { Interval } from '../../../findings/numbers.ts';
import { shortenToWidth } from '../canvas/font.ts';
import { fontCss, type SeriesStyle, SIZE, type Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';
import { drawTextsAbove } from '../parts/texts-above.ts';

/** Of a row with its words above it. */
export const NARROW_ROW = 60;

/** A line of a picture of estimates: a name, a point in its interval, and numbers. */
export interface DotRow {
  /** Above this row, over the whole width; rows without one belong to the group of those before. */
  readonly heading?: string;
  readonly label: string;
  /** Below the name, smaller; empty: none. */
  readonly detail: string;
  readonly value: number;
  readonly interval: Interval | null;
  readonly style: SeriesStyle;
  readonly open: boolean;
  /** At the right: the first in bold, the second smaller below it. */
  readonly notes: readonly string[];
}

/** Radius of a point, and half the height of an interval's ends. */
export const POINT = 4.5;
const CAP = 5;

/** Intervals behind the points, names at the left, `room` pixels wide, numbers at the right, headings over their groups. */
export function drawRows(rows: readonly DotRow[], places: readonly number[], room: number, theme: Theme): Plugin {
  return {
    id: 'dot-rows',
    beforeDatasetsDraw: (chart) => {
      for (const [i, row] of rows.entries()) drawInterval(chart, row, places[i]!);
    },
    afterDatasetsDraw: (chart) => {
      for (const [i, row] of rows.entries()) drawTexts(chart, row, { place: places[i]!, room }, theme);
    },
  };
}

function drawInterval({ ctx, scales }: Chart, { interval, style }: DotRow, place: number): void {
  if (interval === null) return;
  const [low, high] = interval.map((end) => scales.x!.getPixelForValue(end)) as [number, number];
  // Its ends would only deform the point.
  if (high - low < 2.5 * POINT) return;
  const y = scales.y!.getPixelForValue(place);
  ctx.save();
  ctx.strokeStyle = style.colour;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(low, y);
  ctx.lineTo(high, y);
  for (const end of [low, high]) {
    ctx.moveTo(end, y - CAP);
    ctx.lineTo(end, y + CAP);
  }
  ctx.stroke();
  ctx.restore();
}

function drawTexts(
  chart: Chart,
  row: DotRow,
  at: { readonly place: number; readonly room: number },
  theme: Theme,
): void {
  const { ctx, chartArea } = chart;
  const middle = chart.scales.y!.getPixelForValue(at.place);
  const left = [row.label, row.detail].filter((line) => line !== '');
  ctx.save();
  ctx.textBaseline = 'middle';
  const put = (lines: readonly string[], x: number, align: 'left' | 'right'): void => {
    ctx.textAlign = align;
    for (const [i, line] of lines.entries()) {
      ctx.font = i === 0 ? fontCss(SIZE.text, 'bold') : fontCss(SIZE.small);
      ctx.fillStyle = i === 0 ? theme.ink : theme.muted;
      ctx.fillText(line, x, middle + (i - (lines.length - 1) / 2) * 15);
    }
  };
  const top = middle - NARROW_ROW + 22;
  if (isNarrow(theme)) {
    drawTextsAbove(chart, [row.label, row.detail], row.notes, top, theme);
  } else {
    put(left, chartArea.left - 14, 'right');
    put(row.notes, chartArea.right + 14, 'left');
  }
  if (row.heading !== undefined) {
    ctx.textAlign = 'left';
    ctx.font = fontCss(SIZE.text, 'bold');
    ctx.fillStyle = theme.muted;
    if (isNarrow(theme)) ctx.fillText(shortenToWidth(row.heading, chart.width - 12, SIZE.text, 'bold'), 6, top - 20);
    else ctx.fillText(shortenToWidth(row.heading, at.room + 4, SIZE.text, 'bold'), 16, middle - 33);
  }
  ctx.restore();
}
