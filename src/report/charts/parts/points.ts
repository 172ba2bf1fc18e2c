import type { ChartDataset } from 'chart.js';
import type { SeriesStyle, Theme } from '../canvas/theme.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
  /** Number of the run. */
  readonly run?: number;
}

/** The points of a curve over time. */
export function points(tS: ArrayLike<number>, values: ArrayLike<number>): Point[] {
  return Array.from(tS, (x, i) => ({ x, y: values[i]! }));
}

/** Radius factors of chart.js's shapes, which make their areas nearly equal to a circle's. */
const FACTORS: Readonly<Record<SeriesStyle['marker'], number>> = {
  circle: 1,
  triangle: 1.5,
  rect: 1.25,
  rectRot: 1.25,
};

/** The radius at which the shape of a series looks as large as a circle of this radius, pixels. */
export function markerRadius({ marker }: SeriesStyle, radius: number): number {
  return radius * FACTORS[marker];
}

/** Dataset of points in a variant's color and shape. `haloed`: filled, with a halo; `open`: only the outline. */
export function pointsDataset(
  data: readonly Point[],
  style: SeriesStyle,
  theme: Theme,
  look: 'haloed' | 'full' | 'open' = 'haloed',
): ChartDataset<'scatter'> {
  // Halos of many close points would hide all of them.
  const haloed = look === 'haloed' && data.length <= 150;
  return {
    data: [...data],
    clip: false,
    pointStyle: style.marker,
    pointRadius: markerRadius(style, data.length > 300 ? 2.2 : 3.6),
    pointBackgroundColor: look === 'open' ? (theme.background ?? 'transparent') : style.color,
    pointBorderColor: haloed ? (theme.background ?? style.color) : style.color,
    pointBorderWidth: look === 'haloed' && !haloed ? 0 : haloed ? (theme.background === null ? 0 : 0.6) : 1.4,
  };
}

/** Every k-th item, so that at most `most` are left, plus those that `keep` selects. */
export function thin<T>(items: readonly T[], most: number, keep: (item: T) => boolean = () => false): readonly T[] {
  if (items.length <= most) return items;
  const step = Math.ceil(items.length / most);
  return items.filter((item, i) => i % step === 0 || keep(item));
}

/** Caption sentence with the number of drawn items; empty if all are drawn. `kept` names the additional ones. */
export function thinnedNote(drawn: number, all: number, what: string, kept = ''): string {
  return drawn === all ? '' : `${drawn} of ${all} ${what} are drawn, evenly chosen${kept}. `;
}
