import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { normalCdf, normalQuantile } from '../../stats/normal.ts';
import { findFirst } from '../../stats/root.ts';
import { minBlocks } from '../../stats/signed-rank.ts';
import { tQuantile } from '../../stats/student.ts';

/** An open comparison, in natural logarithms of the ratio. */
export interface OpenComparison {
  /** Complete blocks so far. */
  readonly blocks: number;
  readonly estimate: number;
  /** Half-widths of the intervals that decide, and the achieved confidence of the first. */
  readonly half95: number;
  readonly half90: number;
  readonly confidence: number;
  /** ln(1 + margin). */
  readonly margin: number;
  /** Factor by which its p has to be smaller than that of a single comparison: see `openFamily`. */
  readonly family: number;
}

/**
 * Factor for the p of an open comparison of `size`, given all adjusted p so far: by Holm's method the number that are not shown to change; in
 * a suite, by Benjamini and Hochberg's, all divided by one more than are shown.
 */
export function openFamily(size: number, adjusted: readonly (number | null)[], isSuite: boolean): number {
  const changed = adjusted.filter((p) => p !== null && p < 0.05).length;
  return Math.max(1, isSuite ? size / (changed + 1) : size - changed);
}

/** Chance of a verdict from which it is called probable. */
const PROBABLY = 0.8;
/** Maximum number of additional blocks: a longer extrapolation of noise and machine is not justified. */
export const MAX_MORE = 500;

/**
 * Additional blocks after which the experiment would reach a verdict other than inconclusive with 80 % chance, rounded up
 * to two digits; null: more than 500. A projection: both half-widths shrink with 1/√N (and Student's quantile); the estimate of
 * all N blocks is normal around the current one with the variance s²·(1/n − 1/N), s from the current interval and itself uncertain (the predictive
 * distribution for flat priors). Settled: zero is outside of the 95 % interval, or the 90 % interval is inside the margin.
 */
export function blocksToSettle(open: OpenComparison): number | null {
  const least = Math.max(1, minBlocks(open.family) - open.blocks);
  const more = findFirst(least, MAX_MORE, (m) => chanceToSettle(open, open.blocks + m) >= PROBABLY);
  if (more === null) return null;
  const unit = more < 100 ? 1 : 10;
  return Math.ceil(more / unit) * unit;
}

/** `blocksToSettle` for a comparison by blocks. */
export function settledBy(
  blocks: number,
  percent: Comparison['percent'],
  marginPercent: number,
  family: number,
): number | null {
  const open = toOpenComparison(blocks, percent, marginPercent, family);
  return open && blocksToSettle(open);
}

/** Data of an open comparison by blocks, from its percent values; null: it has no intervals yet. */
export function toOpenComparison(
  blocks: number,
  { estimate, ci95, ci90, confidence }: Comparison['percent'],
  marginPercent: number,
  family: number,
): OpenComparison | null {
  if (estimate === null || ci95 === null || ci90 === null || confidence === null) return null;
  const half = ([low, high]: Interval): number => (Math.log1p(high / 100) - Math.log1p(low / 100)) / 2;
  return {
    blocks,
    estimate: Math.log1p(estimate / 100),
    half95: half(ci95),
    half90: half(ci90),
    confidence,
    margin: Math.log1p(marginPercent / 100),
    family: Math.max(1, family),
  };
}

/** Chance that all `total` blocks together give a verdict; `total` is larger than the blocks so far. */
export function chanceToSettle(open: OpenComparison, total: number): number {
  const { blocks: n, half95, half90, confidence, family } = open;
  const shrink = Math.sqrt(n / total);
  const widths = {
    change: half95 * shrink * (tQuantile(1 - 0.025 / family, total - 1) / tQuantile(0.975, n - 1)),
    inside: half90 * shrink * (tQuantile(0.95, total - 1) / tQuantile(0.95, n - 1)),
    sd: (half95 / tQuantile((1 + confidence) / 2, n - 1)) * Math.sqrt(1 - n / total),
  };
  const chances = noiseFactors(n - 1).map((factor) => chanceAt(open, widths, factor));
  return chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
}

/** Expected half-widths with all blocks, and how far the estimate may still move, if the noise is as estimated. */
interface Widths {
  readonly change: number;
  readonly inside: number;
  readonly sd: number;
}

/** Chance of a verdict if the true noise is `factor` times the estimated one. */
function chanceAt({ estimate, margin }: OpenComparison, widths: Widths, factor: number): number {
  const change = factor * widths.change;
  // Estimates between these limits stay inconclusive; if the intervals are narrow beside the margin, no such range exists.
  const from = Math.max(0, margin - factor * widths.inside);
  if (from >= change) return 1;
  const sd = factor * widths.sd;
  const between = (low: number, high: number): number =>
    normalCdf((high - estimate) / sd) - normalCdf((low - estimate) / sd);
  return 1 - between(from, change) - between(-change, -from);
}

/** Plausible ratios of the true noise to the estimated one: √(df/χ²) at the middles of five equal shares (Wilson and Hilferty). */
function noiseFactors(df: number): number[] {
  return [0.1, 0.3, 0.5, 0.7, 0.9].map((p) => {
    const part = 2 / (9 * df);
    return (1 - part + normalQuantile(p) * Math.sqrt(part)) ** -1.5;
  });
}
