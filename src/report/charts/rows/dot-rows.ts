import type { Chart, Plugin } from 'chart.js';
import type { Interval } from '../../../findings/numbers.ts';
import { fontOf, shortenToWidth } from '../canvas/font.ts';
import { drawLines, drawStack, drawText } from '../canvas/pen.ts';
import { type SeriesStyle, SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { type Axis, computeExtent, linearScale } from '../parts/axis.ts';
import { isNarrow, type PointsPicture, pointsChart } from '../parts/frame.ts';
import { markerRadius, pointsDataset } from '../parts/points.ts';
import { drawTextsAbove } from '../parts/texts-above.ts';

export interface DotRows extends Pick<PointsPicture, 'id' | 'text'> {
  readonly axis: Axis;
  readonly axisTitle: string;
  readonly rows: readonly DotRow[];
  /** Plug-ins that draw behind the rows, and the height above the plot that they use, pixels. */
  readonly behind?: { readonly plugins: readonly Plugin[]; readonly room: number };
}

const HEADING = 26;
/** Maximum width of a heading, pixels; a longer one is shortened, so that it does not overlap the plot. */
const MAX_HEADING = 236;

/** Rows of estimates with their intervals on one axis. */
export function dotRowsChart(picture: DotRows, theme: Theme): ChartSpec {
  const { rows, axis, behind = { plugins: [], room: 0 } } = picture;
  const narrow = isNarrow(theme);
  const { places, height } = placesOf(rows, narrow);
  const widest = (texts: readonly string[], weight: 'bold' | 'regular', size: number): number =>
    Math.max(0, ...texts.map((t) => fontOf(weight).width(t, size)));
  const headings = widest(
    rows.map((r) => r.heading ?? ''),
    'bold',
    SIZE.text,
  );
  const names = Math.max(
    Math.min(headings - 4, MAX_HEADING),
    widest(
      rows.map((r) => r.label),
      'bold',
      SIZE.text,
    ),
    widest(
      rows.map((r) => r.detail),
      'regular',
      SIZE.small,
    ),
  );
  const notes = Math.max(
    widest(
      rows.map((r) => r.notes[0] ?? ''),
      'bold',
      SIZE.text,
    ),
    widest(
      rows.flatMap((r) => r.notes.slice(1)),
      'regular',
      SIZE.small,
    ),
  );
  return pointsChart(
    {
      id: picture.id,
      text: picture.text,
      description: rows
        .map((r) => `${r.heading === undefined ? '' : `${r.heading}: `}${r.label}: ${r.notes.join(', ')}`)
        .join('; '),
      datasets: rows.map((row, i) => ({
        ...pointsDataset([{ x: row.value, y: places[i]! }], row.style, theme, row.open ? 'open' : 'full'),
        pointRadius: markerRadius(row.style, POINT),
      })),
      scales: {
        x: linearScale(axis, picture.axisTitle, theme),
        y: { type: 'linear', min: 0, max: height, reverse: true, display: false },
      },
      room: { top: behind.room, left: narrow ? 8 : names + 30, right: narrow ? 14 : notes + 30 },
      height,
      plugins: [...behind.plugins, drawRows(rows, places, names, theme)],
    },
    theme,
  );
}

/** Range of all values that the axis must include. */
export function rowsExtent(rows: readonly DotRow[], ...others: readonly number[]): [number, number] {
  return computeExtent([...rows.flatMap((r) => [r.value, ...(r.interval ?? [])]), ...others]);
}

/** Vertical centers of the rows, pixels below the top of the plot; rows are lower if there are many. */
function placesOf(rows: readonly DotRow[], narrow: boolean): { places: number[]; height: number } {
  const row = narrow ? NARROW_ROW : rows.length > 16 ? 34 : 42;
  const places: number[] = [];
  let y = 0;
  for (const { heading } of rows) {
    if (heading !== undefined) y += HEADING;
    places.push(narrow ? y + row - 14 : y + row / 2);
    y += row;
  }
  return { places, height: y };
}

/** Height of a row with its text above it, pixels. */
const NARROW_ROW = 60;

/** A row of a chart of estimates: a name, a point with its interval, and numbers. */
export interface DotRow {
  /** Heading above this row, over the whole width; rows without one belong to the previous group. */
  readonly heading?: string;
  readonly label: string;
  /** Smaller text below the name; empty: none. */
  readonly detail: string;
  readonly value: number;
  readonly interval: Interval | null;
  readonly style: SeriesStyle;
  readonly open: boolean;
  /** Texts at the right: the first in bold, the second smaller below it. */
  readonly notes: readonly string[];
}

/** Radius of a point, and half the height of an interval's ends. */
const POINT = 4.5;
const CAP = 5;

/** Draws intervals behind the points, names at the left (`room` pixels wide), numbers at the right, headings above their groups. */
function drawRows(rows: readonly DotRow[], places: readonly number[], room: number, theme: Theme): Plugin {
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
  // The interval is too short: its end marks would overlap the point.
  if (high - low < 2.5 * POINT) return;
  const y = scales.y!.getPixelForValue(place);
  const cap = (x: number) => [[x, y - CAP] as const, [x, y + CAP] as const];
  const bar = [[low, y] as const, [high, y] as const];
  drawLines(ctx, [bar, cap(low), cap(high)], { color: style.color, width: 2 });
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
  const top = middle - NARROW_ROW + 22;
  if (isNarrow(theme)) {
    drawTextsAbove(chart, [row.label, row.detail], row.notes, top, theme);
  } else {
    drawStack(ctx, left, [chartArea.left - 14, middle], 'right', theme);
    drawStack(ctx, row.notes, [chartArea.right + 14, middle], 'left', theme);
  }
  if (row.heading === undefined) return;
  const narrow = isNarrow(theme);
  const heading = shortenToWidth(row.heading, narrow ? chart.width - 12 : at.room + 4, SIZE.text, 'bold');
  drawText(ctx, heading, narrow ? [6, top - 20] : [16, middle - 33], { look: 'bold', color: theme.muted });
}
