import type { Chart, Plugin } from 'chart.js';
import { fontOf } from '../canvas/font.ts';
import { drawText } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { Point } from './points.ts';

/** A point to be highlighted. */
export interface Ring {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

const RADIUS = 7;
/** Maximum texts; with more points, only smaller rings are drawn. */
const MAX_TEXTS = 12;
const MANY = 40;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Rings around points, each with a text if there is a place that is free of points, other texts and `lines`. */
export function rings(marked: readonly Ring[], theme: Theme, lines: readonly (readonly [Point, Point])[] = []): Plugin {
  return {
    id: 'rings',
    afterDatasetsDraw: (chart) => {
      const { ctx } = chart;
      const places = marked.map((m) => ({
        x: chart.scales.x!.getPixelForValue(m.x),
        y: chart.scales.y!.getPixelForValue(m.y),
        text: m.text,
      }));
      const taken: Box[] = [
        ...places.map(({ x, y }) => boxAround(x, y, RADIUS, RADIUS)),
        ...chart.getSortedVisibleDatasetMetas().flatMap(({ data }) => data.map(({ x, y }) => boxAround(x, y, 4, 4))),
        ...lines.flatMap((line) => alongLine(chart, line)),
      ];
      const many = places.length > MANY;
      ctx.save();
      ctx.strokeStyle = theme.ink;
      ctx.lineWidth = many ? 0.7 : 1.2;
      for (const { x, y } of places) {
        ctx.beginPath();
        ctx.arc(x, y, many ? 4 : RADIUS, 0, 2 * Math.PI);
        ctx.stroke();
      }
      ctx.restore();
      for (const place of places.slice(0, many ? 0 : MAX_TEXTS)) {
        const box = freePlace(chart, place, taken);
        if (box === null) continue;
        taken.push(box);
        drawText(ctx, place.text, [box.left, (box.top + box.bottom) / 2], { color: theme.ink });
      }
    },
  };
}

/** A line as a sequence of small boxes, for the search of free places. */
function alongLine({ scales }: Chart, [from, to]: readonly [Point, Point]): Box[] {
  const steps = 120;
  return Array.from({ length: steps + 1 }, (_, i) => {
    const at = (a: number, b: number): number => a + ((b - a) * i) / steps;
    const [x, y] = [scales.x!.getPixelForValue(at(from.x, to.x)), scales.y!.getPixelForValue(at(from.y, to.y))];
    return boxAround(x, y, 3, 1);
  });
}

function freePlace(
  { chartArea }: Chart,
  place: { x: number; y: number; text: string },
  taken: readonly Box[],
): Box | null {
  const half = fontOf('regular').width(place.text, SIZE.small) / 2;
  const [across, upward] = [RADIUS + 4 + half, RADIUS + 8];
  const candidates = [
    [across, 0],
    [-across, 0],
    [0, -upward],
    [0, upward],
    [across - 4, -9],
    [across - 4, 9],
    [4 - across, -9],
    [4 - across, 9],
  ].map(([x = 0, y = 0]) => boxAround(place.x + x, place.y + y, half, 7));
  const inside = (b: Box): boolean =>
    b.left > chartArea.left + 2 &&
    b.right < chartArea.right - 2 &&
    b.top > chartArea.top &&
    b.bottom < chartArea.bottom;
  const free = (b: Box): boolean =>
    taken.every((t) => b.right <= t.left || t.right <= b.left || b.bottom <= t.top || t.bottom <= b.top);
  return candidates.find((b) => inside(b) && free(b)) ?? null;
}

function boxAround(x: number, y: number, halfWidth: number, halfHeight: number): Box {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}
