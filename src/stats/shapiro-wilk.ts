import { sum } from 'simple-statistics';
import { normalQuantile, normalTail, polynomial } from './normal.ts';
import { median } from './quantiles.ts';
import { sorted } from './sums.ts';

export interface ShapiroWilk {
  readonly w: number;
  readonly p: number;
}

/**
 * Shapiro–Wilk test of normality (Royston 1995, AS R94), the values centered on their median first. Descriptive only: it chooses no
 * test here. Null below 3 or above 5000 values, and for values that don't vary.
 */
export function shapiroWilk(values: readonly number[]): ShapiroWilk | null {
  const n = values.length;
  if (n < 3 || n > 5000) return null;
  const center = median(values);
  const x = sorted(values).map((value) => value - center);
  const mean = sum(x) / n;
  const squares = sum(x.map((value) => (value - mean) ** 2));
  if (!(squares > 0)) return null;
  const a = coefficients(n);
  const contrast = sum(a.map((weight, i) => weight * ((x[n - 1 - i] as number) - (x[i] as number))));
  const norm = Math.sqrt(squares * 2 * sum(a.map((weight) => weight * weight)));
  const shortfall = Math.max(0, ((norm - contrast) * (norm + contrast)) / (norm * norm));
  const w = 1 - shortfall;
  return { w, p: pValue(n, w, shortfall) };
}

/** The weights of the largest minus the smallest, the second largest minus the second smallest, … */
function coefficients(n: number): number[] {
  if (n === 3) return [Math.SQRT1_2];
  const scores = Array.from({ length: Math.floor(n / 2) }, (_, i) => -normalQuantile((i + 1 - 0.375) / (n + 0.25)));
  const squares = 2 * sum(scores.map((score) => score * score));
  const root = 1 / Math.sqrt(n);
  const [m1, m2] = scores as [number, number];
  const a1 = polynomial(C1, root) + m1 / Math.sqrt(squares);
  if (n <= 5) {
    const factor = Math.sqrt((squares - 2 * m1 * m1) / (1 - 2 * a1 * a1));
    return [a1, ...scores.slice(1).map((score) => score / factor)];
  }
  const a2 = polynomial(C2, root) + m2 / Math.sqrt(squares);
  const factor = Math.sqrt((squares - 2 * m1 * m1 - 2 * m2 * m2) / (1 - 2 * a1 * a1 - 2 * a2 * a2));
  return [a1, a2, ...scores.slice(2).map((score) => score / factor)];
}

function pValue(n: number, w: number, shortfall: number): number {
  if (n === 3) return Math.max(0, (6 / Math.PI) * (Math.asin(Math.sqrt(w)) - Math.asin(Math.sqrt(0.75))));
  const y = Math.log(shortfall);
  if (n <= 11) {
    const gamma = polynomial([-2.273, 0.459], n);
    if (y >= gamma) return 1e-99;
    return normalTail((-Math.log(gamma - y) - polynomial(C3, n)) / Math.exp(polynomial(C4, n)));
  }
  const logN = Math.log(n);
  return normalTail((y - polynomial(C5, logN)) / Math.exp(polynomial(C6, logN)));
}

const C1 = [0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056];
const C2 = [0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633];
const C3 = [0.544, -0.39978, 0.025054, -6.714e-4];
const C4 = [1.3822, -0.77857, 0.062767, -0.0020322];
const C5 = [-1.5861, -0.31082, -0.083751, 0.0038915];
const C6 = [-0.4803, -0.082676, 0.0030302];
