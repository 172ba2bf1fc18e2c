import type { Comparison, Verdict } from './comparison.ts';
import type { Interval } from './numbers.ts';

/**
 * Two factors of two levels each, every block holding all four cells. Logarithmic contrasts of the primary channel, told in percent.
 * Secondary: the comparisons decide, and this adds what no comparison of two variants shows.
 */
export interface Factorial {
  readonly channel: string;
  /** Two factors; their first level is what the second is compared with. */
  readonly factors: readonly [Factor, Factor];
  /** Names of the variants: `cells[i][j]` has level i of the first factor and level j of the second. */
  readonly cells: readonly [readonly [string, string], readonly [string, string]];
  /** Complete blocks of four. */
  readonly blocks: number;
  /** The main difference of each factor, averaged over the other's levels. */
  readonly main: readonly [Contrast, Contrast];
  /** A ratio of ratios: how much the second factor's difference changes with the first. */
  readonly interaction: Contrast;
  /**
   * The simple differences that no comparison with the baseline tells: the second level of the first factor with its first where the second
   * factor has its second level, and the other way round. Judged by Holm's method together with the comparisons on this channel.
   */
  readonly simple: readonly [Comparison, Comparison];
}

export interface Factor {
  readonly name: string;
  readonly levels: readonly [string, string];
}

/** Hodges-Lehmann of the blocks' contrasts with the exact signed-rank interval, percent. */
export interface Contrast {
  readonly estimate: number | null;
  readonly ci95: Interval | null;
  readonly ci90: Interval | null;
  readonly confidence: number | null;
  readonly mean_log: number | null;
  readonly mean_log_ci95: Interval | null;
  readonly wilcoxon_signed_rank: {
    readonly w_plus: number;
    readonly p: number;
    readonly n_nonzero: number;
    readonly n_zero: number;
  } | null;
  /** Its p by Holm's method for the three contrasts; a change needs it below 0.05. */
  readonly p_holm: number | null;
  readonly paired_t_log: { readonly t: number; readonly df: number; readonly p: number } | null;
  readonly minimum_detectable_percent: number | null;
  /** As of a comparison, against the same margin. */
  readonly verdict: Verdict;
  readonly sentence: string;
}
