import type { ExactInterval, Interval, SerialStatistics } from './numbers.ts';

/** Sensitivity: the same questions answered in other ways. Nothing decides by them. */
export interface Beside {
  /** Percent; the headline's intervals with their achieved confidence. Of an experiment with looks: as for a fixed number of blocks. */
  readonly walsh: { readonly ci95: ExactInterval | null; readonly ci90: ExactInterval | null } | null;
  /** Of the arms, joules. */
  readonly shift_joules: { readonly ci95: ExactInterval | null; readonly ci90: ExactInterval | null } | null;
  /** Zeros are ranked before they are dropped. */
  readonly signed_rank_pratt: { readonly p: number } | null;
  /** Twice the smaller tail, where ties and unequal numbers make the exact two-sided p ambiguous; null where it isn't exact. */
  readonly mann_whitney_doubled: { readonly p: number } | null;
  /** Percent: the mean log ratios that the sign-flip test would not reject. */
  readonly mean_log_sign_flip: ExactInterval | null;
  /** Of the arithmetic means, percent. */
  readonly ratio_of_means: {
    readonly log_delta_ci95: Interval | null;
    readonly fieller_ci95: Interval | null;
    readonly paired_fieller_ci95: Interval | null;
  };
  readonly tost: { readonly p_lower: number; readonly p_upper: number } | null;
  /** 80 % power, from t statistics; `minimum_detectable_percent` is from the headline's own interval. */
  readonly minimum_detectable: { readonly paired_t_percent: number | null; readonly two_sample_percent: number | null };
  /** The headline with the surcharge of the later run taken off: approximate. Null unless that surcharge is material (p < 0.05). */
  readonly order_adjusted: {
    readonly estimate: number;
    readonly ci95: Interval | null;
    readonly p: number | null;
  } | null;
}

/** What describes a comparison and decides nothing. */
export interface Descriptive {
  /** Of the blocks' log ratios. */
  readonly shapiro_wilk: { readonly w: number; readonly p: number } | null;
  /** By the modified z of the log ratios; null where it is undefined, with a note. */
  readonly flagged_blocks: readonly { readonly block: number; readonly modified_z: number }[] | null;
  readonly flagged_blocks_note: string | null;
  /** Of the blocks' differences in joules. */
  readonly paired_t_joules: {
    readonly mean: number;
    readonly t: number;
    readonly df: number;
    readonly p: number;
    readonly ci95: Interval;
  } | null;
  /** Of the blocks' differences in joules, with the noncentral-t interval. */
  readonly cohens_dz: { readonly value: number; readonly ci95: Interval | null } | null;
  /** Matched pairs, of the log ratios. */
  readonly rank_biserial: number | null;
  /** Blocks in which the variant used more. */
  readonly more_in_blocks: number | null;
  /** Percentile interval of the change of the means, seeded; too narrow with few runs. Null: too many runs, or undefined. */
  readonly bootstrap: {
    readonly by: 'block' | 'run';
    readonly seed: number;
    readonly resamples: number;
    readonly of_means_percent_ci95: Interval;
    readonly se: number;
  } | null;
  /** Of energy and time less the means of their block, which is the same in both arms. */
  readonly energy_time_pearson: { readonly r: number; readonly p: number; readonly ci95: Interval | null } | null;
  /** Of the blocks' log ratios in the order of time; null where the order isn't known. */
  readonly serial: SerialStatistics | null;
  /** Blocks by which arm ran first; null with fewer than four of either. */
  readonly order_effect: {
    readonly baseline_first: { readonly blocks: number; readonly mean_percent: number };
    readonly variant_first: { readonly blocks: number; readonly mean_percent: number };
    /** What a run uses more for being the later one of its block. */
    readonly later_percent: number;
    /** Mann–Whitney. */
    readonly p: number | null;
  } | null;
}
