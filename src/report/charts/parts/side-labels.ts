import type { Chart, Plugin } from 'chart.js';
import { drawPoint } from 'chart.js/helpers';
import { fontOf } from '../canvas/font.ts';
import { drawLines, drawText } from '../canvas/pen.ts';
import { type SeriesStyle, SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { isNarrow, type PointsPicture, pointsChart } from './frame.ts';
import { markerRadius } from './points.ts';

/** Positions in ascending order that are at least `gap` apart, as close as possible to the wanted ones, inside the limits. */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const places: number[] = [];
  for (const want of wanted) places.push(Math.max(want, (places.at(-1) ?? Number.NEGATIVE_INFINITY) + gap, low));
  let limit = high;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i]!, limit);
    limit = places[i]! - gap;
  }
  return places;
}

export interface SideLabel {
  readonly label: string;
  /** A smaller second line; empty: none. */
  readonly detail: string;
  readonly style: SeriesStyle;
  /** Value on the y axis, or that of the first panel, where the label belongs. */
  readonly at: number;
}

const ROOM = 38;
const LINE = 16;

/** Room for the labels at the right of the plot, or above it on narrow screens, pixels. */
export function sideLabelsRoom(labels: readonly SideLabel[], theme: Theme): { right: number; top: number } {
  if (labels.length === 0) return { right: 14, top: 0 };
  if (isNarrow(theme)) return { right: 14, top: labels.length * LINE + 10 };
  const widths = labels.map(({ label, detail }) =>
    Math.max(fontOf('bold').width(label, SIZE.text), fontOf('regular').width(detail, SIZE.small)),
  );
  return { right: Math.max(...widths) + ROOM + 14, top: 0 };
}

/** Height of a plot with room for all labels below each other. */
export function sideLabelsHeight(labels: readonly SideLabel[]): number {
  return labels.length * computeHeight(labels);
}

function computeHeight(labels: readonly SideLabel[]): number {
  return labels.some((l) => l.detail !== '') ? 2 * LINE + 4 : LINE + 3;
}

/**
 * Labels at the right, each at or near the height of what it names, with a point and a thin line to its position,
 * `offset` pixels away from the plot.
 */
export function sideLabels(labels: readonly SideLabel[], theme: Theme, offset = 0): Plugin {
  return {
    id: 'side-labels',
    afterDatasetsDraw: (chart) => {
      if (isNarrow(theme)) return drawLegend(chart.ctx, labels, theme);
      const { chartArea } = chart;
      const y = chart.scales.y ?? chart.scales.y0!;
      const placed = labels.map((label) => ({ label, at: y.getPixelForValue(label.at) })).sort((a, b) => a.at - b.at);
      const height = computeHeight(labels);
      const places = spread(
        placed.map((p) => p.at),
        height,
        chartArea.top + height / 2,
        chartArea.bottom - height / 2,
      );
      for (const [i, { label, at }] of placed.entries()) {
        drawLabel(chart.ctx, label, { right: chartArea.right + offset, at, place: places[i]! }, theme);
      }
    },
  };
}

interface LabeledPicture extends Omit<PointsPicture, 'room'> {
  readonly labels: readonly SideLabel[];
  /** Room between plot and labels, and above the plot, pixels. */
  readonly beside?: number;
  readonly above?: number;
  /** Plug-ins that draw over the labels. */
  readonly over?: readonly Plugin[];
}

/** A picture of points whose series are named at its right. It is at least as high as the labels. */
export function labeledChart(picture: LabeledPicture, theme: Theme): ChartSpec {
  const { labels, beside = 0, above = 0, over = [], height, plugins, ...others } = picture;
  const room = sideLabelsRoom(labels, theme);
  return pointsChart(
    {
      ...others,
      room: { top: above + room.top, left: 12, right: room.right + beside },
      height: Math.max(height, sideLabelsHeight(labels)),
      plugins: [...plugins, sideLabels(labels, theme, beside), ...over],
    },
    theme,
  );
}

/** Draws the labels as lines at the top of a picture without a frame. */
function drawLegend(ctx: Chart['ctx'], labels: readonly SideLabel[], theme: Theme): void {
  for (const [i, { label, detail, style }] of labels.entries()) {
    const y = LINE * (i + 0.5) + 6;
    drawMarker(ctx, style, 10, y);
    drawText(ctx, label, [22, y], { look: 'bold', color: theme.ink });
    drawText(ctx, detail, [22 + fontOf('bold').width(label, SIZE.text) + 10, y], { color: theme.muted });
  }
}

function drawLabel(
  ctx: Chart['ctx'],
  label: SideLabel,
  { right, at, place }: { readonly right: number; readonly at: number; readonly place: number },
  theme: Theme,
): void {
  const hairline: [number, number][] = [
    [right + 2, at],
    [right + 6, at],
    [right + 18, place],
  ];
  drawLines(ctx, [hairline], { color: theme.muted, width: 0.8 });
  drawMarker(ctx, label.style, right + 26, place);
  const y = label.detail === '' ? place : place - LINE / 2;
  drawText(ctx, label.label, [right + ROOM, y], { look: 'bold', color: theme.ink });
  if (label.detail !== '') drawText(ctx, label.detail, [right + ROOM, place + LINE / 2], { color: theme.muted });
}

function drawMarker(ctx: Chart['ctx'], style: SeriesStyle, x: number, y: number): void {
  const { color, marker } = style;
  ctx.save();
  ctx.fillStyle = color;
  ctx.strokeStyle = color;
  ctx.lineWidth = 0.8;
  drawPoint(ctx, { pointStyle: marker, radius: markerRadius(style, 4), borderWidth: 1 } as never, x, y);
  ctx.restore();
}
