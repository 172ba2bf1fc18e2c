import { quantileOfSorted } from '../../../stats/quantiles.ts';

/** Density of a sample on an even grid. `at` and `density` have the same length; the maximum density is 1. */
export interface Density {
  readonly at: readonly number[];
  readonly density: readonly number[];
}

/**
 * Gaussian kernel density, two bandwidths beyond the data on both sides, scaled to a maximum of 1.
 * `null` for fewer than five values or without spread, which show no shape.
 */
export function computeDensity(values: readonly number[], points = 120): Density | null {
  if (values.length < 5) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const bandwidth = computeBandwidth(sorted);
  if (!(bandwidth > 0) || bandwidth < 1e-9 * Math.abs(sorted[0]!)) return null;

  const low = sorted[0]! - 2 * bandwidth;
  const high = sorted.at(-1)! + 2 * bandwidth;
  const at = Array.from({ length: points }, (_, i) => low + ((high - low) * i) / (points - 1));
  const raw = at.map((x) => sorted.reduce((sum, v) => sum + Math.exp(-0.5 * ((x - v) / bandwidth) ** 2), 0));
  const most = Math.max(...raw);
  return { at, density: raw.map((d) => d / most) };
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

/** Maximum values for Sheather–Jones, which uses every pair; above it, the rule of thumb is used. */
const MAX = 500;

/**
 * Bandwidth of a Gaussian kernel, for values in ascending order: Sheather and Jones 1991, "solve the equation"
 * (R's bw.SJ, without binning), because it resolves two modes; the rule of thumb (Silverman 1986, eq. 3.31;
 * R's bw.nrd0) if that has no solution. 0 without spread.
 */
export function computeBandwidth(sorted: readonly number[]): number {
  const thumb = 0.9 * Math.min(...spreads(sorted, 1.34)) * sorted.length ** -0.2;
  if (!Number.isFinite(thumb)) return 0;
  return sorted.length > MAX ? thumb : (sheatherJones(sorted) ?? thumb);
}

/** Standard deviation and scaled interquartile range, if above 0. */
function spreads(sorted: readonly number[], scale: number): number[] {
  const mean = sorted.reduce((sum, v) => sum + v, 0) / sorted.length;
  const sd = Math.sqrt(sorted.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (sorted.length - 1));
  return [sd, (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / scale].filter((spread) => spread > 0);
}

function sheatherJones(sorted: readonly number[]): number | null {
  const n = sorted.length;
  const scale = Math.min(...spreads(sorted, 1.349));
  const differences: number[] = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) differences.push(sorted[i]! - sorted[j]!);
  const sum = (h: number, polynomial: (squared: number) => number): number =>
    differences.reduce((total, d) => total + polynomial((d / h) ** 2) * Math.exp(-((d / h) ** 2) / 2), 0);
  const root = Math.sqrt(2 * Math.PI);
  // Kernel estimates of the functionals of the fourth and the sixth derivative of the density.
  const phi4 = (h: number): number => (2 * sum(h, (x) => x * x - 6 * x + 3) + 3 * n) / (n * (n - 1) * h ** 5 * root);
  const phi6 = (h: number): number =>
    (2 * sum(h, (x) => x ** 3 - 15 * x * x + 45 * x - 15) - 15 * n) / (n * (n - 1) * h ** 7 * root);

  const ratio = phi4(1.24 * scale * n ** (-1 / 7)) / -phi6(1.23 * scale * n ** (-1 / 9));
  const alpha = 1.357 * ratio ** (1 / 7);
  const gap = (h: number): number => (1 / (2 * Math.sqrt(Math.PI) * n * phi4(alpha * h ** (5 / 7)))) ** 0.2 - h;
  let high = 1.144 * scale * n ** -0.2;
  let low = 0.1 * high;
  if (!(gap(low) > 0 && gap(high) < 0)) return null;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (gap(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
