import { midranks } from './ranks.ts';
import { tTwoSided } from './student.ts';
import { moments } from './sums.ts';

export interface BrunnerMunzel {
  /** Positive when y tends to be larger. */
  readonly w: number;
  readonly df: number;
  readonly p: number;
}

/**
 * Brunner–Munzel test (2000) of P(x < y) + ½P(x = y) = ½, with the t approximation. Null below two values an arm and where the ranks'
 * variance is zero (completely separated or constant arms).
 */
export function brunnerMunzel(x: readonly number[], y: readonly number[]): BrunnerMunzel | null {
  const n = x.length;
  const m = y.length;
  if (n < 2 || m < 2) return null;
  const { ranks } = midranks([...x, ...y]);
  const [ofX, ofY] = placementVariances(x, y);
  if (!(ofX + ofY > 0)) return null;
  const apart = moments(ranks.slice(n)).mean - moments(ranks.slice(0, n)).mean;
  const w = (n * m * apart) / ((n + m) * Math.sqrt(ofX + ofY));
  const df = (ofX + ofY) ** 2 / (ofX ** 2 / (n - 1) + ofY ** 2 / (m - 1));
  return { w, df, p: tTwoSided(w, df) };
}

/** n·Var(placements of x) and m·Var(placements of y), which together estimate the variance of U; of two or more values an arm. */
export function placementVariances(x: readonly number[], y: readonly number[]): [number, number] {
  const { ranks } = midranks([...x, ...y]);
  const of = (arm: readonly number[], from: number): number =>
    arm.length *
    (moments(midranks(arm).ranks.map((within, i) => (ranks[from + i] as number) - within)).variance as number);
  return [of(x, 0), of(y, x.length)];
}
