import type { PhaseLine } from '../executors/phases/phase-lines.ts';

/** A string goes through `sh -c`; a list is argv. */
export type Command = string | readonly string[];

export interface Workload {
  readonly run: Command;
  /** Before every run, outside the window, in the variant's own place. */
  readonly prepare: Command | null;
  /** After every run, outside the window, in the variant's own place. */
  readonly cleanup: Command | null;
  readonly env: Readonly<Record<string, string>>;
  /** Working directory: on the host (default: the experiment file's folder) or in the container (default: the image's). */
  readonly workdir: string | null;
  /** An execution that takes longer has failed; null: no limit. */
  readonly timeoutS: number | null;
}

/** A commit of the repository that the experiment file lies in. */
export interface Revision {
  /** As written, such as `main`. */
  readonly name: string;
  /** Its full hash, found before anything starts; null until then. */
  readonly commit: string | null;
}

export interface NativeVariant {
  readonly kind: 'native';
  readonly name: string;
  readonly workload: Workload;
  /** The files are those of a checkout; absent: as they lie there. Paths are those of the original all the same. */
  readonly revision?: Revision;
  /** The baseline a second time, for the noise floor: measured like the others, never compared. */
  readonly hidden?: true;
}

export interface ImageBuild {
  readonly context: string;
  readonly dockerfile: string;
  readonly target: string | null;
  readonly args: Readonly<Record<string, string>>;
  /** What the image is tagged by where the context is a passing one; absent: the paths. */
  readonly tagBy?: string;
}

export interface ContainerVariant {
  readonly kind: 'container';
  readonly name: string;
  readonly workload: Workload;
  /** As with a native one, both. */
  readonly revision?: Revision;
  readonly hidden?: true;
  /** Reference of an image that is present or can be pulled; null when `build` is given. */
  readonly image: string | null;
  readonly build: ImageBuild | null;
  readonly pull: 'missing' | 'always' | 'never';
  /** `host:container[:options]`, host paths absolute after resolution. */
  readonly volumes: readonly string[];
  readonly network: string | null;
  readonly user: string | null;
  readonly cpuset: string | null;
  readonly cpus: number | null;
  /** Bytes. */
  readonly memoryBytes: number | null;
  /** `null`: the image's own entry point stays; a list replaces it (empty list: none). */
  readonly entrypoint: readonly string[] | null;
  readonly runtime: string | null;
}

export type Variant = NativeVariant | ContainerVariant;

/** Two factors of two levels: the variants are their four cells. The baseline has the first level of both. */
export interface FactorialDesign {
  readonly factors: readonly [FactorDesign, FactorDesign];
  /** Names of variants, by the level of the first factor, then of the second. */
  readonly cells: readonly [readonly [string, string], readonly [string, string]];
}

export interface FactorDesign {
  readonly name: string;
  readonly levels: readonly [string, string];
}

/** What electricity costs, and what the user counts in. */
export interface Cost {
  readonly price: { readonly perKwh: number; readonly currency: string } | null;
  /** CO2 equivalent. */
  readonly intensityGPerKwh: number | null;
  /** `runs`: executions of the command that the task takes; may be a fraction. */
  readonly task: { readonly name: string; readonly runs: number } | null;
}

/** A change that fails the job when it is shown. */
export interface Threshold {
  /** As written, such as `5%` or `20 J`. */
  readonly text: string;
  readonly metric: 'percent' | 'joules';
  /** `above`: crossed by a change above the limit, which is 0 or more; `below`: by one below it, which is 0 or less. */
  readonly direction: 'above' | 'below';
  readonly limit: number;
  /** null: every variant that is compared. */
  readonly variant: string | null;
  /** null: the primary one. */
  readonly channel: string | null;
  /** Whether it fails too where the interval doesn't decide. */
  readonly evenIfInconclusive: boolean;
}

/** Exactly one of the two places is given. */
export interface HistorySetting {
  /** SQLite file on the runner; `~/` is the user's home. */
  readonly file: string | null;
  /** Branch of the repository. */
  readonly branch: string | null;
  /** Branch whose commits are kept; null: the repository's default branch. */
  readonly track: string | null;
}

/** What is asked: validated, defaults filled in, paths absolute. The plan and everything after it start from here. */
export interface Experiment {
  readonly name: string;
  /** Folder of the experiment file: relative paths start here, native workloads run here. */
  readonly directory: string;
  readonly variants: readonly Variant[];
  /** Name of the variant that the others are compared with. */
  readonly baseline: string;
  /** Of an experiment with `factors`. */
  readonly factorial?: FactorialDesign;
  /** Blocks; with looks: at most. */
  readonly repetitions: number;
  /** Blocks after which the experiment may end early, increasing, the last is `repetitions`; absent: it is fixed. */
  readonly looks?: readonly number[];
  /** Whole blocks, recorded, never compared. */
  readonly warmup: { readonly runs: number };
  /** Idle seconds between the end of preparation and the window; the guard before the window is its last part. */
  readonly restS: number;
  /** Idle seconds kept on both sides of a window. */
  readonly guardS: number;
  /** Executions of the command inside one window; `auto`: as many as make it long enough for the meter, found from the warm-up. */
  readonly batch: number | 'auto';
  /** unsigned 32 bits; null: drawn when the plan is made, and recorded. */
  readonly seed: number | null;
  /** Margin of the verdict, percent. */
  readonly marginPercent: number;
  /** Lines of a workload's output that begin a phase, beside its own markers; absent: none. */
  readonly phases?: readonly PhaseLine[];
  /** Meter names as given, the first is primary. */
  readonly meters: readonly string[];
  readonly cost?: Cost;
  /** In the order given. */
  readonly failOn?: readonly Threshold[];
  /** Where the findings are kept; absent: nowhere. */
  readonly history?: HistorySetting;
}
