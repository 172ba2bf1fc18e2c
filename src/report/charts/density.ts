import { bandwidthOf } from './bandwidth.ts';

/** Density of a sample at evenly spaced places. `at` and `density` have the same length; the greatest density is 1. */
export interface Density {
  readonly at: readonly number[];
  readonly density: readonly number[];
}

/**
 * Gaussian kernel density, two bandwidths beyond the data on both sides, scaled to a maximum of 1.
 * `null` for fewer than five values or without spread: a shape would be an invention.
 */
export function densityOf(values: readonly number[], points = 120): Density | null {
  if (values.length < 5) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const bandwidth = bandwidthOf(sorted);
  if (!(bandwidth > 0) || bandwidth < 1e-9 * Math.abs(sorted[0]!)) return null;

  const low = sorted[0]! - 2 * bandwidth;
  const high = sorted.at(-1)! + 2 * bandwidth;
  const at = Array.from({ length: points }, (_, i) => low + ((high - low) * i) / (points - 1));
  const raw = at.map((x) => sorted.reduce((sum, v) => sum + Math.exp(-0.5 * ((x - v) / bandwidth) ** 2), 0));
  const most = Math.max(...raw);
  return { at, density: raw.map((d) => d / most) };
}

/** Quantile of type 7 (R's default) of values in ascending order. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** The density at any place, by linear interpolation; 0 outside. */
export function densityAt({ at, density }: Density, x: number): number {
  const first = at[0]!;
  const step = (at.at(-1)! - first) / (at.length - 1);
  const place = (x - first) / step;
  const i = Math.floor(place);
  if (i < 0 || i + 1 >= at.length) return 0;
  return density[i]! + (density[i + 1]! - density[i]!) * (place - i);
}
