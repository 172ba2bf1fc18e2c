import type { Passport } from '../meters/passport/passport.ts';
import type { Conditions, RunStatus } from '../store/records.ts';
import type { RunUncertainty } from './uncertainty.ts';

/** findings.json, schema `joulediff/findings/1`. SI units; what is undefined is null; differences are variant minus baseline. */

export type Interval = readonly [number, number];

export interface Summary {
  readonly mean: number;
  /** n − 1. */
  readonly sd: number | null;
  readonly median: number;
  /** Raw, unscaled. */
  readonly mad: number;
  /** Quartiles of type 7. */
  readonly q1: number;
  readonly q3: number;
  readonly min: number;
  readonly max: number;
  readonly mean_ci95: Interval | null;
}

/**
 * How far an energy in joules can be trusted (GUM). Expanded uncertainties (k = 2) unless said otherwise; null: the meter's class, or
 * another part, isn't known. For a relative difference the interval of the comparison counts: there the gain of the meter cancels.
 */
export interface EnergyUncertainty {
  readonly coverage_factor: number;
  /** Of one run, root mean square over the runs. */
  readonly of_run: number | null;
  /** Of the mean: `systematic` and `random` together. */
  readonly of_mean: number | null;
  /** Of the mean, from the meter's class: the same for every run, not made smaller by repetition. */
  readonly systematic: number | null;
  /** Of the mean, from all that differs from run to run. */
  readonly random: number | null;
  /** Standard uncertainties (k = 1) of one run, root mean square over the runs. */
  readonly components: {
    readonly gain: number | null;
    readonly offset: number | null;
    readonly idle: number | null;
    readonly drift: number | null;
    readonly quantization: number | null;
    readonly edges: number | null;
  };
}

export interface VariantFindings {
  readonly name: string;
  readonly kind: string;
  readonly image: {
    readonly reference: string | null;
    readonly id: string | null;
    readonly digest: string | null;
  } | null;
  readonly runs: number;
  readonly excluded: readonly { readonly run: number; readonly reason: string }[];
  readonly flagged: readonly { readonly run: number; readonly modified_z: number }[];
  readonly energy_j: Summary | null;
  readonly net_energy_j: Summary | null;
  readonly energy_uncertainty_j?: EnergyUncertainty | null;
  readonly net_energy_uncertainty_j?: EnergyUncertainty | null;
  readonly duration_s: Summary | null;
  readonly mean_power_w: Summary | null;
  /** Executions of the command in each window; energies and durations are of the whole window. Null: no run. */
  readonly executions_per_run?: number | null;
  /** Means of one execution; null: no run. */
  readonly per_execution?: {
    readonly energy_j: number;
    readonly net_energy_j: number | null;
    readonly duration_s: number | null;
  } | null;
  readonly shapiro_wilk: { readonly w: number; readonly p: number } | null;
  readonly energy_time_pearson: { readonly r: number; readonly p: number; readonly ci95: Interval | null } | null;
}

export type Verdict = 'increase' | 'decrease' | 'changed-within-margin' | 'equivalent' | 'inconclusive';
export type Magnitude = 'negligible' | 'small' | 'medium' | 'large';

/** A mean log ratio and its t interval (natural logarithms). */
export interface LogPart {
  readonly mean: number;
  readonly ci95: Interval | null;
}

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
  readonly minimum_detectable_percent: number | null;
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
}

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly advice: string | null;
}

export interface Findings {
  readonly schema: 'joulediff/findings/1';
  readonly experiment: {
    readonly id: string | null;
    readonly name: string;
    readonly started_at: string | null;
    readonly seed: number | null;
    readonly order: string;
    readonly repetitions_planned: number | null;
    /** Blocks in which every variant has a valid run. */
    readonly repetitions_completed: number | null;
    /** Only of an experiment that could end early. */
    readonly looks?: {
      /** Blocks at each look. */
      readonly planned: readonly number[];
      /** Looks that were taken. */
      readonly used: number;
      /** Level of each planned look. */
      readonly nominal_p: readonly number[];
      /** The greatest p of the comparisons at each look taken, as it was then. */
      readonly p: readonly (number | null)[];
      /** Blocks after which it was ended by its rule, before the last look; null: it wasn't. */
      readonly stopped_at: number | null;
    };
    /** False: stopped before the plan was through; the numbers are of what was measured until then. */
    readonly complete: boolean;
    readonly baseline: string;
    readonly margin_percent: number;
    readonly rest_s: number | null;
    readonly guard_s: number | null;
    readonly joulediff_version: string;
  };
  readonly meter: {
    readonly type: string;
    readonly address: string | null;
    /** True only for an instrument: neither a model nor an emulator. */
    readonly measured: boolean;
    readonly source: 'measured' | 'modelled' | 'emulated' | 'unknown';
    readonly sampling_period_s: number | null;
    readonly accuracy: { readonly gain_percent: number; readonly offset_w: number } | null;
    readonly identity: Readonly<Record<string, string | number | boolean>>;
    readonly remarks: readonly string[];
    /** What `meter check` had found out about it on this machine; null: it was never checked here. */
    readonly passport: Passport | null;
    readonly channels: readonly string[];
  };
  readonly conditions: Conditions | null;
  readonly quality: {
    /** `noise_floor.percent`. */
    readonly noise_floor_percent: number | null;
    /** The difference that this machine shows between two identical variants; null: not measured. */
    readonly noise_floor: {
      /** The whole 95 % interval of the difference of two identical arms of the baseline lies within ± this. */
      readonly percent: number;
      /** That interval, percent. */
      readonly ci95: Interval;
      readonly blocks: number;
      /** `inline`: within this experiment; `stored`: before it, with the same workload, machine and meter. */
      readonly source: 'inline' | 'stored';
      /** ISO 8601, UTC: when that experiment began. */
      readonly measured_at: string;
    } | null;
    readonly checks: readonly Check[];
  };
  readonly variants: readonly VariantFindings[];
  readonly comparisons: readonly Comparison[];
}

/** One line of runs.csv: one execution on one channel, with what the analysis made of it. */
export interface RunResult {
  readonly run: number;
  readonly block: number | null;
  readonly position: number | null;
  readonly variant: string;
  readonly revision: string | null;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly startNs: bigint | null;
  readonly endNs: bigint | null;
  readonly durationS: number | null;
  /** Gross energy over the window. */
  readonly energyJ: number | null;
  readonly netEnergyJ: number | null;
  readonly meanPowerW: number | null;
  readonly idlePowerW: number | null;
  /** Expanded uncertainties (k = 2), joules; null: the meter's class, or another part, isn't known. */
  readonly uncertaintyJ?: number | null;
  readonly netUncertaintyJ?: number | null;
  /** What they are made of. */
  readonly uncertainty?: RunUncertainty | null;
  readonly channel: string;
  /** Samples that the energy was summed from. */
  readonly samples: number | null;
  /** Executions of the command inside the window; absent: one. The energy and the duration are those of all of them. */
  readonly executions?: number;
}

/** Power of one run over time, for the charts: the middle of each reading's stretch, in seconds after the start of the window. */
export interface RunTrace {
  readonly run: number;
  readonly variant: string;
  readonly durationS: number;
  readonly tS: Float64Array;
  readonly powerW: Float64Array;
}

/** Everything that the report is made from. */
export interface Analysis {
  readonly findings: Findings;
  readonly runs: readonly RunResult[];
  /** Primary channel, compared runs only. */
  readonly traces: readonly RunTrace[];
}
