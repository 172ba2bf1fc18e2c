import type { Comparison } from '../../findings/comparison.ts';
import type { Interval } from '../../findings/numbers.ts';
import { normalCdf, normalQuantile } from '../../stats/normal.ts';
import { findFirst } from '../../stats/root.ts';
import { tQuantile } from '../../stats/student.ts';

/** An open comparison, in natural logarithms of the ratio. */
export interface Open {
  /** Complete blocks so far. */
  readonly blocks: number;
  readonly estimate: number;
  /** Half-widths of the intervals that decide, and the achieved confidence of the first. */
  readonly half95: number;
  readonly half90: number;
  readonly confidence: number;
  /** ln(1 + margin). */
  readonly margin: number;
  /** Comparisons that are judged together: each needs a p so much smaller (Bonferroni, which Holm's method never exceeds). */
  readonly family: number;
}

/** Chance of a verdict that counts as "probably". */
const PROBABLY = 0.8;
/** More blocks than these are never promised: so far ahead noise and machine are not those of today. */
export const MAX_MORE = 500;

/**
 * Blocks beyond those compared after which the same experiment would end in a verdict other than inconclusive with a chance of 80 %, rounded
 * up to two digits; null: no number up to 500. A projection: both half-widths shrink with 1/√N (and Student's quantile); the estimate of
 * all N blocks is normal around today's with the variance s²·(1/n − 1/N), s from today's interval and itself uncertain (the predictive
 * distribution for flat priors). Settled is what leaves zero outside the one interval, or has the other inside the margin.
 */
export function blocksToSettle(open: Open): number | null {
  const more = findFirst(1, MAX_MORE, (m) => chanceToSettle(open, open.blocks + m) >= PROBABLY);
  if (more === null) return null;
  const unit = more < 100 ? 1 : 10;
  return Math.ceil(more / unit) * unit;
}

/** The same for the percents of a comparison by blocks, one of `family` that are judged together. */
export function settledBy(
  blocks: number,
  percent: Comparison['percent'],
  marginPercent: number,
  family: number,
): number | null {
  const open = openOf(blocks, percent, marginPercent, family);
  return open && blocksToSettle(open);
}

/** An open comparison by blocks, from its percents; null: it has no intervals yet. */
export function openOf(
  blocks: number,
  { estimate, ci95, ci90, confidence }: Comparison['percent'],
  marginPercent: number,
  family: number,
): Open | null {
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
export function chanceToSettle(open: Open, total: number): number {
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

/** Half-widths that all blocks will have, and how far the estimate may still go, if the noise is what it seems. */
interface Widths {
  readonly change: number;
  readonly inside: number;
  readonly sd: number;
}

/** The chance where the noise is `factor` times what it seems. */
function chanceAt({ estimate, margin }: Open, widths: Widths, factor: number): number {
  const change = factor * widths.change;
  // Between these the size of the estimate leaves it open; where the intervals are narrow beside the margin there is nothing between.
  const from = Math.max(0, margin - factor * widths.inside);
  if (from >= change) return 1;
  const sd = factor * widths.sd;
  const between = (low: number, high: number): number =>
    normalCdf((high - estimate) / sd) - normalCdf((low - estimate) / sd);
  return 1 - between(from, change) - between(-change, -from);
}

/** Where the true noise may lie beside what so few blocks showed: √(df/χ²) at the middles of five equal shares (Wilson and Hilferty). */
function noiseFactors(df: number): number[] {
  return [0.1, 0.3, 0.5, 0.7, 0.9].map((p) => {
    const part = 2 / (9 * df);
    return (1 - part + normalQuantile(p) * Math.sqrt(part)) ** -1.5;
  });
}
