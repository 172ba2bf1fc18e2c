import type { Chart, Plugin } from 'chart.js';
import { drawPoint } from 'chart.js/helpers';
import { fontOf } from '../canvas/font.ts';
import { fontCss, type SeriesStyle, SIZE, type Theme } from '../canvas/theme.ts';
import { isNarrow } from './frame.ts';

/** Places in the given ascending order at least `gap` apart, as near as may be to where they want to be, inside the limits. */
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
  /** A second, smaller line; empty: none. */
  readonly detail: string;
  readonly style: SeriesStyle;
  /** Where on the y axis the label belongs. */
  readonly at: number;
}

const ROOM = 38;
const LINE = 16;

/** Pixels that the labels need at the right of the plot, or above it where there is no room beside it. */
export function sideLabelsRoom(labels: readonly SideLabel[], theme: Theme): { right: number; top: number } {
  if (isNarrow(theme)) return { right: 14, top: labels.length * LINE + 10 };
  const widths = labels.map(({ label, detail }) =>
    Math.max(fontOf('bold').width(label, SIZE.text), fontOf('regular').width(detail, SIZE.small)),
  );
  return { right: Math.max(...widths) + ROOM + 14, top: 0 };
}

/** Height of a plot that has room for the labels one below the other. */
export function sideLabelsHeight(labels: readonly SideLabel[]): number {
  return labels.length * heightOf(labels);
}

function heightOf(labels: readonly SideLabel[]): number {
  return labels.some((l) => l.detail !== '') ? 2 * LINE + 4 : LINE + 3;
}

/**
 * Names at the right, each at the height of what it names or near it, with its point and a hairline to its place,
 * `offset` pixels away from the plot.
 */
export function sideLabels(labels: readonly SideLabel[], theme: Theme, offset = 0): Plugin {
  return {
    id: 'side-labels',
    afterDatasetsDraw: (chart) => {
      if (isNarrow(theme)) return drawLegend(chart.ctx, labels, theme);
      const { chartArea } = chart;
      const y = chart.scales.y!;
      const placed = labels.map((label) => ({ label, at: y.getPixelForValue(label.at) })).sort((a, b) => a.at - b.at);
      const height = heightOf(labels);
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

/** The labels as lines at the top of a picture that has no frame. */
function drawLegend(ctx: Chart['ctx'], labels: readonly SideLabel[], theme: Theme): void {
  ctx.save();
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const [i, { label, detail, style }] of labels.entries()) {
    const y = LINE * (i + 0.5) + 6;
    ctx.fillStyle = style.colour;
    ctx.strokeStyle = style.colour;
    drawPoint(ctx, { pointStyle: style.marker, radius: 4, borderWidth: 1 } as never, 10, y);
    ctx.font = fontCss(SIZE.text, 'bold');
    ctx.fillStyle = theme.ink;
    ctx.fillText(label, 22, y);
    ctx.font = fontCss(SIZE.small);
    ctx.fillStyle = theme.muted;
    ctx.fillText(detail, 22 + fontOf('bold').width(label, SIZE.text) + 10, y);
  }
  ctx.restore();
}

function drawLabel(
  ctx: Chart['ctx'],
  label: SideLabel,
  { right, at, place }: { readonly right: number; readonly at: number; readonly place: number },
  theme: Theme,
): void {
  ctx.save();
  ctx.strokeStyle = theme.muted;
  ctx.lineWidth = 0.8;
  ctx.beginPath();
  ctx.moveTo(right + 2, at);
  ctx.lineTo(right + 6, at);
  ctx.lineTo(right + 18, place);
  ctx.stroke();
  ctx.fillStyle = label.style.colour;
  ctx.strokeStyle = label.style.colour;
  drawPoint(ctx, { pointStyle: label.style.marker, radius: 4, borderWidth: 1 } as never, right + 26, place);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.font = fontCss(SIZE.text, 'bold');
  ctx.fillStyle = theme.ink;
  ctx.fillText(label.label, right + ROOM, label.detail === '' ? place : place - LINE / 2);
  if (label.detail !== '') {
    ctx.font = fontCss(SIZE.small);
    ctx.fillStyle = theme.muted;
    ctx.fillText(label.detail, right + ROOM, place + LINE / 2);
  }
  ctx.restore();
}
