import type { Distribution, Interval, Summary } from './numbers.ts';

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
  /** What its place told of itself, by name: of a container `image` (its reference), `image_digest` and `image_id`. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** What was checked out for it; absent: the files as they lay there. */
  readonly revision?: { readonly name: string; readonly commit: string } | null;
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
  /** Runs of whose use of the machine something could be read. */
  readonly resources_runs?: number;
  /** What a run used of the machine beside energy; what could not be read is null. */
  readonly resources?: {
    /** Processor time of all processes of the workload. */
    readonly cpu_s: Summary | null;
    readonly peak_memory_bytes: Summary | null;
    readonly read_bytes: Summary | null;
    readonly written_bytes: Summary | null;
  } | null;
  /** Of a workload that tells its phases: by phase, in order of their start. */
  readonly phases?: readonly {
    readonly phase: string;
    readonly runs: number;
    readonly energy_j: Summary;
    readonly duration_s: Summary;
    /** Some lasted less than three readings: their energy is rough. */
    readonly short: boolean;
    /** Expanded (k = 2) uncertainty of one run's energy in it, root mean square over the runs: of its edges, without the meter's class. */
    readonly uncertainty_j?: number | null;
    /** True of what is left of the runs outside of their phases, which comes last. */
    readonly outside?: boolean;
  }[];
  /** Descriptive: of the energies. */
  readonly distribution?: Distribution | null;
  /** Why no run could be flagged; null: it could. */
  readonly flagged_note?: string | null;
  readonly shapiro_wilk: { readonly w: number; readonly p: number } | null;
  readonly energy_time_pearson: { readonly r: number; readonly p: number; readonly ci95: Interval | null } | null;
}
