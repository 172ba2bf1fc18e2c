import type { Profile } from '../contracts/profilers.ts';
import type { TraceChoice } from '../contracts/tracers.ts';
import type { Command, Metric, Pin } from '../contracts/variant.ts';
import type { LogLimits } from '../executors/output-limit.ts';
import type { FindPhases, PhaseLine } from '../executors/phases/phase-lines.ts';
import type { Variant } from '../executors/registry.ts';
import type { Service } from '../executors/service.ts';
import type { SettingName } from '../findings/conditions.ts';
import type { AutoRepetitions } from '../schedule/interims.ts';
import type { Suite } from './suite.ts';

/** Maximum number of variants, including those that a matrix or a suite makes. */
export const MAX_VARIANTS = 500;

/** A factorial design: variants are the combinations of at least two factors; some may be left out. */
export interface FactorialDesign {
  readonly factors: readonly FactorDesign[];
  readonly cells: readonly {
    readonly variant: string;
    /** One level of each factor, in the order of the factors. */
    readonly levels: readonly string[];
  }[];
}

export interface FactorDesign {
  readonly name: string;
  /** At least two levels; the baseline's is the first, if the baseline is a cell. */
  readonly levels: readonly string[];
}

/** Price of electricity, carbon intensity, and the unit of work of the user. */
export interface Cost {
  readonly price: { readonly perKwh: number; readonly currency: string } | null;
  /** Carbon intensity, grams of CO2 equivalent per kWh. */
  readonly intensityGPerKwh: number | null;
  /** `runs`: executions of the command per task; may be a fraction. */
  readonly task: { readonly name: string; readonly runs: number } | null;
}

export const HOOK_NAMES = ['before-all', 'before-block', 'prepare', 'cleanup', 'after-all'] as const;
export type HookName = (typeof HOOK_NAMES)[number];

/** A command that runs before or after what is measured. */
export interface Hook {
  readonly run: Command;
  /** Absent: the command runs on the host. */
  readonly place?: 'variant';
  /** Null: no limit. */
  readonly timeoutS: number | null;
}

/** A change that fails the job when the measurement shows it. */
export interface Threshold {
  /** The threshold as the user wrote it, such as `5%` or `20 J`. */
  readonly text: string;
  readonly metric: 'percent' | 'joules';
  /** `above`: crossed by a change above the limit, which is 0 or more; `below`: by one below it, which is 0 or less. */
  readonly direction: 'above' | 'below';
  readonly limit: number;
  /** null: every compared variant. */
  readonly variant: string | null;
  /** null: the primary channel. */
  readonly channel: string | null;
  /** Whether the job also fails if the interval does not decide. */
  readonly evenIfInconclusive: boolean;
  /** Quantity with the limit: the mean over a suite, or the energy of the variants that a pattern names; absent: a change. */
  readonly of?: 'mean' | { readonly energy: string };
}

/** Storage of findings over time: exactly one of `file` and `branch` is given. */
export interface HistorySetting {
  /** Path of an SQLite file on the runner; `~/` is the user's home. */
  readonly file: string | null;
  /** Branch of the repository. */
  readonly branch: string | null;
  /** Branch whose commits are kept; null: the repository's default branch. */
  readonly track: string | null;
  /** Reports a new step: as an issue, or to the webhook whose address is in this environment variable. */
  readonly alert?: 'issue' | { readonly webhook: string };
}

/** Reaction when a machine is not quiet before a block; `wait` has a maximum wait. */
export type OnNoise = { readonly react: 'warn' | 'fail' } | { readonly react: 'wait'; readonly limitS: number };

/** A third machine that runs the client, while the measured machine runs the services. */
export interface ClientMachine {
  /** Address as `ssh://…`. */
  readonly address: string;
  /** Address at which the client reaches the services; null: the one from which this machine connects to it. */
  readonly serviceHost: string | null;
}

/** The validated experiment, with defaults filled in and absolute paths: input of the plan and all later steps. */
export interface Experiment {
  /** Text of an equivalent experiment file, without values that may be secret. */
  readonly asWritten?: string;
  readonly name: string;
  /** Folder of the experiment file: relative paths start here, and native workloads run here. */
  readonly directory: string;
  readonly variants: readonly Variant[];
  /** Name of the baseline variant. */
  readonly baseline: string;
  /** Pairs to compare; absent: every variant with the baseline. */
  readonly comparisons?: readonly { readonly baseline: string; readonly variant: string }[];
  /** Benchmarks that are measured together; absent: there is one workload. */
  readonly suite?: Suite;
  /** Absent if fewer than two factors vary. */
  readonly factorial?: FactorialDesign;
  /** Number of blocks; with interim analyses, the maximum. */
  readonly repetitions: number;
  /** Blocks of the interim analyses, ascending, the last is `repetitions`; absent: they are not given. */
  readonly looks?: readonly number[];
  /** Limits for ending as soon as the question is settled; absent: the number of blocks is fixed. */
  readonly auto?: AutoRepetitions;
  /** Number of warm-up blocks, which are recorded but never compared. */
  readonly warmup: { readonly runs: number };
  /**
   * Minimum idle seconds between the end of preparation and the window; the guard before the window is the last part of it. If the meter decides
   * about rest or guard, these values hold until the meter is known (`meterPauses`).
   */
  readonly restS: number;
  /** Maximum rest if a run starts as soon as the idle machine has settled; absent: every rest lasts `restS`. */
  readonly restUpToS?: number;
  /** Idle seconds kept on both sides of a window. */
  readonly guardS: number;
  /** True: the guard is as long as the meter needs. */
  readonly guardByMeter?: true;
  /** Executions of the command in one window; `auto`: as many as the meter needs, found in the warm-up. */
  readonly batch: number | 'auto';
  /** Target length of a window with `auto`, seconds; absent: as the meter needs. */
  readonly batchWindowS?: number;
  /** True: every execution starts its place anew; absent: one start holds all executions of a window. */
  readonly batchStarts?: true;
  /** Settings of this machine, such as its governor, made for the duration of the experiment and then restored; absent: none. */
  readonly quiet?: readonly SettingName[];
  /** Absent: the machine is not checked before blocks. */
  readonly onNoise?: OnNoise;
  /** Maximum wait for a machine that another experiment holds, seconds; absent: it does not wait. */
  readonly waitForMachineS?: number;
  /** Seed, unsigned 32 bits; null: drawn when the plan is made, and recorded. */
  readonly seed: number | null;
  /** Equivalence margin of the verdict, percent. */
  readonly marginPercent: number;
  /** Output lines that begin a phase, beside the workload's own markers; auto: lines that each run prints once; absent: none. */
  readonly phases?: readonly PhaseLine[] | FindPhases;
  /** Services that the workload's command uses, in the order of their start; absent: none. */
  readonly services?: readonly Service[];
  /** The window lasts from the start of the services to their end; absent: it is that of the command. */
  readonly window?: 'service';
  /** Absent: there are no hooks. */
  readonly hooks?: Readonly<Partial<Record<HookName, Hook>>>;
  /** Absent: there are no metrics. */
  readonly metrics?: readonly Metric[];
  /** `ssh://…` of the measured machine; absent: this one. */
  readonly host?: string;
  /** Third machine for the command, `prepare` and `cleanup` of every variant; absent: they run where their workloads say. */
  readonly client?: ClientMachine;
  /** Environment variables of the caller that are passed to workloads; absent: none beyond the usual. */
  readonly passEnv?: readonly string[];
  /** Output is written to disk while the workload prints it; absent: after the run. */
  readonly output?: 'file';
  /** Maximum bytes of the kept logs; absent: the defaults. */
  readonly logs?: LogLimits;
  /** Processors and nice values; those of `workload` are also in the variants' workloads. Absent: unchanged. */
  readonly pins?: Readonly<Partial<Record<'workload' | 'client' | 'joulediff', Pin>>>;
  /** Meter names as given; the first is the primary meter. */
  readonly meters: readonly string[];
  /** When to observe extra runs after the blocks; absent: never. */
  readonly explain?: 'on-change' | 'always';
  /** Profilers of runtimes for the extra runs; absent: none are named. */
  readonly profiles?: readonly Profile[];
  /** Tracers of further extra runs; absent: strace, if system calls can't be counted otherwise. */
  readonly trace?: TraceChoice;
  readonly cost?: Cost;
  /** Thresholds in the given order. */
  readonly failOn?: readonly Threshold[];
  /** Where to keep the findings; absent: nowhere. */
  readonly history?: HistorySetting;
}
