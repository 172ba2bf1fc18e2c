import { normalTwoSided } from './normal.ts';
import { lowerTailOfU, rankSumDoubledTail, rankSumTwoSided } from './rank-sum-null.ts';
import { midranks, tieSum } from './ranks.ts';

export interface MannWhitney {
  /** U of y over x: pairs in which y is larger, ties counted half. */
  readonly u: number;
  readonly p: number;
  readonly method: 'exact' | 'asymptotic';
  readonly ties: boolean;
}

/** Largest arm for the exact p without ties, and the largest total for the exact conditional p with ties. */
const MAX_PER_ARM = 100;
const MAX_WITH_TIES = 120;

/**
 * Two-sided Mann–Whitney U test of y against x. Exact without ties up to 100 a side; exact given the midranks, P(|T − E| ≥ |t − E|),
 * with ties up to 120 in all; else normal with tie and continuity correction. Null for an empty arm.
 */
export function mannWhitney(x: readonly number[], y: readonly number[]): MannWhitney | null {
  const n = x.length;
  const m = y.length;
  if (n === 0 || m === 0) return null;
  const { ranks, groups, ties } = midranks([...x, ...y]);
  const rankSum = ranks.slice(n).reduce((total, rank) => total + rank, 0);
  const u = rankSum - (m * (m + 1)) / 2;
  if (!ties && n <= MAX_PER_ARM && m <= MAX_PER_ARM) {
    const tail = lowerTailOfU(n, m)[Math.min(u, n * m - u)] as number;
    return { u, p: Math.min(1, 2 * tail), method: 'exact', ties };
  }
  if (ties && n + m <= MAX_WITH_TIES) {
    const doubled = ranks.map((rank) => 2 * rank);
    return { u, p: rankSumTwoSided(doubled, m, 2 * rankSum), method: 'exact', ties };
  }
  const z = mannWhitneyZ(u, n, m, groups, true);
  return { u, p: z === null ? 1 : normalTwoSided(z), method: 'asymptotic', ties };
}

/**
 * Twice the smaller tail of the exact conditional distribution: another two-sided p where ties and unequal numbers make it ambiguous. Null
 * without ties (there it is the same), and where `mannWhitney` isn't exact.
 */
export function mannWhitneyDoubled(x: readonly number[], y: readonly number[]): number | null {
  const { ranks, ties } = midranks([...x, ...y]);
  if (!ties || x.length === 0 || y.length === 0 || ranks.length > MAX_WITH_TIES) return null;
  const doubled = ranks.map((rank) => 2 * rank);
  const sum = doubled.slice(x.length).reduce((total, rank) => total + rank, 0);
  return rankSumDoubledTail(doubled, y.length, sum);
}

/** The standardized U, tie-corrected, with or without continuity correction; null when every value is the same. */
export function mannWhitneyZ(
  u: number,
  n: number,
  m: number,
  groups: readonly number[],
  continuity: boolean,
): number | null {
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - tieSum(groups) / (total * (total - 1)));
  if (!(variance > 0)) return null;
  const distance = u - (n * m) / 2;
  const corrected = continuity ? Math.sign(distance) * Math.max(0, Math.abs(distance) - 0.5) : distance;
  return corrected / Math.sqrt(variance);
}
