import { normalTwoSided } from './normal.ts';
import { midranks } from './ranks.ts';
import { lowerTailOfSignedSum } from './signed-rank-null.ts';

export interface SignedRank {
  /** Sum of the ranks of positive differences. */
  readonly wPlus: number;
  readonly nNonzero: number;
  readonly nZero: number;
  readonly ties: boolean;
  readonly p: number;
  readonly method: 'exact' | 'asymptotic';
  /** Matched rank-biserial correlation, from −1 to 1; null without a nonzero difference. */
  readonly rankBiserial: number | null;
}

/** Smallest number of blocks for which the exact test can reach p < 0.05, and its interval 95 %: 2/2⁶ = 0.031. */
export const MIN_BLOCKS = 6;

/** The same for one of `family` comparisons by Holm's method: the smallest p of the exact test of n signs is 2/2ⁿ. */
export const minBlocks = (family: number): number => Math.ceil(1 + Math.log2(Math.max(1, family) / 0.05));

/** Reciprocal of the rounding unit of differences (10⁻⁹): rounding makes ties independent of the last bits of a logarithm. */
const RESOLUTION = 1e9;

/** The sign of a difference of logarithms as the test counts it: 0 where it rounds to none. */
export function roundedSign(difference: number): number {
  return Math.sign(Math.round(Math.abs(difference) * RESOLUTION) * Math.sign(difference));
}
/** Maximum number of differences for the exact distribution, which would take seconds above it. */
const MAX_EXACT = 400;

/**
 * Two-sided Wilcoxon signed-rank test of the differences (log ratios), exact given the midranks of |round(d·10⁹)|. Zeros are dropped
 * and counted, or with `zeros: 'pratt'` ranked and then dropped (Pratt 1959). Above 400 nonzero differences: normal with tie and
 * continuity correction. Null for no differences.
 */
export function signedRank(differences: readonly number[], zeros: 'drop' | 'pratt' = 'drop'): SignedRank | null {
  if (differences.length === 0) return null;
  const sizes = differences.map((d) => Math.round(Math.abs(d) * RESOLUTION));
  const kept = sizes.flatMap((size, i) => (size > 0 || zeros === 'pratt' ? [i] : []));
  const { ranks } = midranks(kept.map((i) => sizes[i] as number));
  const doubled: number[] = [];
  let doubledPlus = 0;
  kept.forEach((i, place) => {
    if (sizes[i] === 0) return;
    const twice = 2 * (ranks[place] as number);
    doubled.push(twice);
    if ((differences[i] as number) > 0) doubledPlus += twice;
  });
  const total = doubled.reduce((sum, rank) => sum + rank, 0);
  const nNonzero = doubled.length;
  const nonzero = sizes.filter((size) => size > 0);
  return {
    wPlus: doubledPlus / 2,
    nNonzero,
    nZero: differences.length - nNonzero,
    ties: new Set(nonzero).size < nNonzero,
    p: nNonzero <= MAX_EXACT ? exactP(doubled, doubledPlus, total) : asymptoticP(doubled, doubledPlus, total),
    method: nNonzero <= MAX_EXACT ? 'exact' : 'asymptotic',
    rankBiserial: total > 0 ? (2 * doubledPlus - total) / total : null,
  };
}

function exactP(doubled: readonly number[], plus: number, total: number): number {
  const unit = doubled.every((rank) => rank % 2 === 0) ? 2 : 1;
  const lower = Math.min(plus, total - plus) / unit;
  const tail = lowerTailOfSignedSum(
    doubled.map((rank) => rank / unit),
    lower,
  );
  return Math.min(1, 2 * (tail[lower] as number));
}

function asymptoticP(doubled: readonly number[], plus: number, total: number): number {
  const variance = doubled.reduce((sum, rank) => sum + rank * rank, 0) / 4;
  // Half a rank of continuity correction is one doubled unit.
  const distance = Math.max(0, Math.abs(plus - total / 2) - 1);
  return normalTwoSided(distance / Math.sqrt(variance));
}
