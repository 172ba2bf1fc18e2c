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
  const rankX = ranks.slice(0, n);
  const rankY = ranks.slice(n);
  const withinX = midranks(x).ranks;
  const withinY = midranks(y).ranks;
  const ofX = n * (moments(rankX.map((rank, i) => rank - (withinX[i] as number))).variance as number);
  const ofY = m * (moments(rankY.map((rank, i) => rank - (withinY[i] as number))).variance as number);
  if (!(ofX + ofY > 0)) return null;
  const w = (n * m * (moments(rankY).mean - moments(rankX).mean)) / ((n + m) * Math.sqrt(ofX + ofY));
  const df = (ofX + ofY) ** 2 / (ofX ** 2 / (n - 1) + ofY ** 2 / (m - 1));
  return { w, df, p: tTwoSided(w, df) };
}
