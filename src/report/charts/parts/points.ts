import type { ChartDataset } from 'chart.js';
import type { SeriesStyle, Theme } from '../canvas/theme.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
  /** The run that it is. */
  readonly run?: number;
}

/** Areas of chart.js's shapes of the same radius differ: with these factors all are nearly as large as a circle. */
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

/** A cloud of points in one variant's colour and shape. `haloed`: full, and set off from what lies behind; `open`: only the outline of `full`. */
export function pointsDataset(
  data: readonly Point[],
  style: SeriesStyle,
  theme: Theme,
  look: 'haloed' | 'full' | 'open' = 'haloed',
): ChartDataset<'scatter'> {
  // Halos of points that lie close together would wash out all of them.
  const haloed = look === 'haloed' && data.length <= 150;
  return {
    data: [...data],
    clip: false,
    pointStyle: style.marker,
    pointRadius: markerRadius(style, data.length > 300 ? 2.2 : 3.6),
    pointBackgroundColor: look === 'open' ? (theme.background ?? 'transparent') : style.colour,
    pointBorderColor: haloed ? (theme.background ?? style.colour) : style.colour,
    pointBorderWidth: look === 'haloed' && !haloed ? 0 : haloed ? (theme.background === null ? 0 : 0.6) : 1.4,
  };
}

/** Every k-th item, so that at most `most` are left, and those that `keep` names besides. */
export function thin<T>(items: readonly T[], most: number, keep: (item: T) => boolean = () => false): readonly T[] {
  if (items.length <= most) return items;
  const step = Math.ceil(items.length / most);
  return items.filter((item, i) => i % step === 0 || keep(item));
}

/** A sentence for the caption that tells how many are drawn; empty when all are. `kept` says which were drawn besides. */
export function thinnedNote(drawn: number, all: number, what: string, kept = ''): string {
  return drawn === all ? '' : `${drawn} of ${all} ${what} are drawn, evenly chosen${kept}. `;
}
