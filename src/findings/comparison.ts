import type { Beside, Descriptive } from './beside.ts';
import type { Interval, LogPart } from './numbers.ts';

export type Verdict = 'increase' | 'decrease' | 'changed-within-margin' | 'equivalent' | 'inconclusive';

export type Magnitude = 'negligible' | 'small' | 'medium' | 'large';

export interface Comparison {
  readonly baseline: string;
  readonly variant: string;
  readonly channel: string;
  readonly metric: 'energy_j';
  readonly n_baseline: number;
  readonly n_variant: number;
  /** Complete blocks compared; null: the data have no blocks. */
  readonly blocks: number | null;
  readonly percent: {
    readonly estimate: number | null;
    readonly ci95: Interval | null;
    readonly ci90: Interval | null;
    /**
     * Achieved confidence of `ci95`, between 0 and 1. Of an experiment with looks the intervals are repeated ones, which hold with 95 % (90 %) over
     * all looks together, and this is the nominal confidence of the look.
     */
    readonly confidence: number | null;
    readonly of_means: number | null;
    readonly of_medians: number | null;
    /** By the mean log ratio; a percent like all here: 100 · (e^mean − 1). */
    readonly mean_log: number | null;
    readonly mean_log_ci95: Interval | null;
  };
  readonly difference: {
    readonly of_means: number | null;
    readonly welch_ci95: Interval | null;
    readonly hodges_lehmann: number | null;
    readonly hodges_lehmann_ci95: Interval | null;
  };
  readonly tests: {
    readonly wilcoxon_signed_rank: {
      readonly w_plus: number;
      readonly p: number;
      readonly n_nonzero: number;
      readonly n_zero: number;
    } | null;
    readonly paired_t_log: { readonly t: number; readonly df: number; readonly p: number } | null;
    readonly sign_flip: { readonly p: number } | null;
    readonly welch_t: { readonly t: number; readonly df: number; readonly p: number } | null;
    readonly mann_whitney: { readonly u: number; readonly p: number; readonly method: 'exact' | 'asymptotic' } | null;
    readonly brunner_munzel: { readonly w: number; readonly p: number } | null;
    readonly kruskal_wallis: { readonly h: number; readonly df: number; readonly p: number } | null;
    readonly tost: { readonly margin_percent: number; readonly p: number } | null;
  };
  /**
   * The p of the test that decides (signed-rank; Mann–Whitney without blocks), adjusted by Holm's method for all comparisons on the channel; a
   * change needs it below 0.05. Null: one comparison.
   */
  readonly p_holm: number | null;
  /** Only of an experiment with looks: the one that this comparison was made at. */
  readonly look?: {
    /** Planned looks that are behind, from 0. */
    readonly number: number;
    readonly of: number;
    /** Blocks at the last look. */
    readonly most_blocks: number;
    /** Level that the p of the signed-rank test must not exceed at this look. */
    readonly nominal_p: number;
    /** The p that allows for the looks, to compare with 0.05; Holm's method starts from it. */
    readonly repeated_p: number | null;
    readonly stopped_early: boolean;
  } | null;
  readonly effect: {
    readonly cliffs_delta: {
      readonly value: number;
      readonly ci95: Interval | null;
      readonly magnitude: Magnitude;
    } | null;
    readonly vargha_delaney_a: number | null;
    /** That of Cliff's δ, transformed. */
    readonly vargha_delaney_a_ci95?: Interval | null;
    readonly cohens_d: { readonly value: number; readonly ci95: Interval | null } | null;
    readonly hedges_g: { readonly value: number; readonly ci95: Interval | null; readonly magnitude: Magnitude } | null;
  };
  /** mean Δln E = mean Δln T + mean Δln P; shares are null unless Δln E exceeds its half-width. */
  readonly why: {
    readonly log_energy: LogPart | null;
    readonly log_time: LogPart | null;
    readonly log_power: LogPart | null;
    readonly time_share: number | null;
    readonly power_share: number | null;
  };
  /** Means of the compared runs, joules: what the comparison's table shows; null: no run. */
  readonly mean_energy_j?: { readonly baseline: number | null; readonly variant: number | null };
  /** Where the difference of the means comes from, of the primary channel's comparison: each other channel's part, in order of size. */
  readonly carried_by?: readonly ChannelShare[];
  /** Of a workload that tells its phases: each phase by itself, in order of their start. */
  readonly phases?: readonly PhaseComparison[];
  /** Phases that are not compared, with the reason: some of the runs don't have them. */
  readonly phases_not_compared?: readonly { readonly phase: string; readonly reason: string }[];
  readonly minimum_detectable_percent: number | null;
  /** Only of an inconclusive verdict: how much more of the same would probably settle it; null: no amount can be named. */
  readonly to_settle?: {
    /** Beyond those compared. */
    readonly blocks: number;
    /** What they would take, by the time that the blocks so far took; null: not known. */
    readonly minutes: number | null;
  } | null;
  /**
   * Expanded (k = 2): what the offset of the meter's class leaves uncertain in the percent, because the arms draw different power; its gain
   * cancels. Percentage points; null: the class isn't known.
   */
  readonly meter_uncertainty_percent?: number | null;
  /** The same above idle; null: an arm has no net energy. */
  readonly net_energy?: NetComparison | null;
  readonly sensitivity: {
    readonly without_flagged: {
      readonly blocks: number;
      readonly estimate: number;
      readonly ci95: Interval | null;
    } | null;
    readonly without_first_quarter: {
      readonly blocks: number;
      readonly estimate: number;
      readonly ci95: Interval | null;
    } | null;
    readonly tail_effect: boolean | null;
  };
  /** The tail's numbers: |mean − Hodges–Lehmann| of the log ratios (without blocks, joules), and Fisher's p that the arms have as many flagged runs. */
  readonly tail?: {
    readonly disagreement: number | null;
    readonly half_width: number | null;
    readonly flags_p: number | null;
  };
  /** Sensitivity: the same questions answered in other ways. Nothing decides by them. */
  readonly beside?: Beside;
  /** Descriptive: what describes the comparison and decides nothing. */
  readonly descriptive?: Descriptive;
  /** Benjamini and Hochberg's p beside Holm's, for dashboards; null: one comparison. */
  readonly p_benjamini_hochberg?: number | null;
  /** Why a number is null, by its path. */
  readonly undefined_because?: Readonly<Record<string, string>>;
  readonly verdict: Verdict;
  readonly sentence: string;
}

export interface NetComparison {
  /** Difference of the mean net energies, joules. */
  readonly difference_j: number;
  /** Standard (k = 1), of the spread of both arms and of the idle level that they share; null below two runs an arm. */
  readonly difference_u_j: number | null;
  /** Of the means; null where a mean net energy is below three of its standard uncertainties. */
  readonly percent: number | null;
  /** Standard uncertainty of the logarithm of the ratio, of spread and shared idle level; null with `percent`. */
  readonly log_ratio_u?: number | null;
}

/** One channel's part in a difference of means. */
export interface ChannelShare {
  readonly channel: string;
  /** Variant minus baseline, joules. */
  readonly difference_j: number;
  readonly ci95: Interval | null;
  /** Of the primary channel's difference; null unless that exceeds its half-width. */
  readonly share: number | null;
}

/** One phase compared like the whole run; its percent is by blocks, exploratory, and no part of the verdict. */
export interface PhaseComparison {
  readonly phase: string;
  readonly blocks: number;
  readonly mean_energy_j: { readonly baseline: number; readonly variant: number };
  readonly percent: { readonly estimate: number | null; readonly ci95: Interval | null };
  /** Variant minus baseline, of the means, joules. */
  readonly difference_j: number;
  /** Of the whole run's difference; null unless that exceeds its half-width. */
  readonly share: number | null;
  /** In one of the arms some lasted less than three readings: its energy is rough. */
  readonly short?: boolean;
  /** True of what is left of the runs outside of their phases, which comes last. */
  readonly outside?: boolean;
}
