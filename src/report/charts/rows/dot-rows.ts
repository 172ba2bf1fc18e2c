import type { ChartConfiguration, Plugin } from 'chart.js';
import { fontOf } from '../canvas/font.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { type Axis, extentOf } from '../parts/axis.ts';
import { chartWidth, type FrameText, isNarrow, makeFrame } from '../parts/frame.ts';
import { pointsDataset } from '../parts/points.ts';
import { linearScale } from '../parts/scale.ts';
import { type DotRow, drawRows, NARROW_ROW, POINT } from './draw-rows.ts';

export interface DotRows {
  readonly id: string;
  readonly title: string;
  readonly frame: FrameText;
  readonly axis: Axis;
  readonly axisTitle: string;
  readonly rows: readonly DotRow[];
  /** Drawn behind the rows, and pixels above the plot that they write in. */
  readonly behind?: { readonly plugins: readonly Plugin[]; readonly room: number };
}

const HEADING = 26;
/** Pixels; a longer heading is shortened, because it must not run into the plot. */
const MOST_HEADING = 236;

/** Rows of estimates with their intervals on one axis. */
export function dotRowsChart(picture: DotRows, theme: Theme): ChartSpec {
  const { rows, axis, behind = { plugins: [], room: 0 } } = picture;
  const frame = makeFrame(picture.frame, chartWidth(theme), theme);
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
    Math.min(headings - 4, MOST_HEADING),
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
  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: {
      datasets: rows.map((row, i) => ({
        ...pointsDataset([{ x: row.value, y: places[i]! }], row.style, theme, row.open ? 'open' : 'full'),
        pointRadius: POINT,
      })),
    },
    options: {
      layout: {
        padding: {
          top: frame.top + behind.room,
          bottom: frame.bottom,
          left: narrow ? 8 : names + 30,
          right: narrow ? 14 : notes + 30,
        },
      },
      scales: {
        x: linearScale(axis, picture.axisTitle, theme),
        y: { type: 'linear', min: 0, max: height, reverse: true, display: false },
      },
    },
    plugins: [frame.plugin, ...behind.plugins, drawRows(rows, places, names, theme)],
  };
  return {
    id: picture.id,
    title: picture.title,
    description: rows
      .map((r) => `${r.heading === undefined ? '' : `${r.heading}: `}${r.label}: ${r.notes.join(', ')}`)
      .join('; '),
    width: chartWidth(theme),
    height: frame.top + behind.room + frame.bottom + height + 46,
    config: config as ChartConfiguration,
  };
}

/** Everything that the axis of these rows should hold. */
export function rowsExtent(rows: readonly DotRow[], ...others: readonly number[]): [number, number] {
  return extentOf([...rows.flatMap((r) => [r.value, ...(r.interval ?? [])]), ...others]);
}

/** Middles of the rows in pixels below the top of the plot: lower rows where there are many. */
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
