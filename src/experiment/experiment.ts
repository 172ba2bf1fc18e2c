import type { Profile } from '../contracts/profilers.ts';
import type { TraceChoice } from '../contracts/tracers.ts';
import type { Command, Metric, Pin } from '../contracts/variant.ts';
import type { LogLimits } from '../executors/output-limit.ts';
import type { FindPhases, PhaseLine } from '../executors/phases/phase-lines.ts';
import type { Variant } from '../executors/registry.ts';
import type { Service } from '../executors/service.ts';
import type { SettingName } from '../findings/findings.ts';
import type { AutoRepetitions } from '../schedule/interims.ts';
import type { Suite } from './suite.ts';

/** The most variants of an experiment, including those that a matrix or a suite makes. */
export const MAX_VARIANTS = 500;

/** Two factors or more, whose combinations are variants; some may be left out. */
export interface FactorialDesign {
  readonly factors: readonly FactorDesign[];
  readonly cells: readonly {
    readonly variant: string;
    /** One of each factor, in the order of the factors. */
    readonly levels: readonly string[];
  }[];
}

export interface FactorDesign {
  readonly name: string;
  /** Two or more; the baseline's is the first, where the baseline is a cell. */
  readonly levels: readonly string[];
}

/** What electricity costs, and what the user counts in. */
export interface Cost {
  readonly price: { readonly perKwh: number; readonly currency: string } | null;
  /** CO2 equivalent. */
  readonly intensityGPerKwh: number | null;
  /** `runs`: executions of the command that the task takes; may be a fraction. */
  readonly task: { readonly name: string; readonly runs: number } | null;
}

export const HOOK_NAMES = ['before-all', 'before-block', 'prepare', 'cleanup', 'after-all'] as const;
export type HookName = (typeof HOOK_NAMES)[number];

/** A command beside what is measured. */
export interface Hook {
  readonly run: Command;
  /** Absent: on the host. */
  readonly place?: 'variant';
  /** Null: no limit. */
  readonly timeoutS: number | null;
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
  /** What it limits: the mean over a suite, or the energy by itself of what a pattern names; absent: a change. */
  readonly of?: 'mean' | { readonly energy: string };
}

/** Exactly one of the two places is given. */
export interface HistorySetting {
  /** SQLite file on the runner; `~/` is the user's home. */
  readonly file: string | null;
  /** Branch of the repository. */
  readonly branch: string | null;
  /** Branch whose commits are kept; null: the repository's default branch. */
  readonly track: string | null;
  /** What tells of a new step: an issue, or a message to the address in this environment variable. */
  readonly alert?: 'issue' | { readonly webhook: string };
}

/** What happens where a machine is not quiet before a block; `wait`: so long at most. */
export type OnNoise = { readonly react: 'warn' | 'fail' } | { readonly react: 'wait'; readonly limitS: number };

/** The machine that a client runs on, while this one runs the services and is measured. */
export interface ClientMachine {
  /** `ssh://…`. */
  readonly address: string;
  /** Where it finds the services; null: at the address that it sees this machine come from. */
  readonly serviceHost: string | null;
}

/** What is asked: validated, defaults filled in, paths absolute. The plan and everything after it start from here. */
export interface Experiment {
  /** Text of an experiment file that means this one, without values that may be secret. */
  readonly asWritten?: string;
  readonly name: string;
  /** Folder of the experiment file: relative paths start here, native workloads run here. */
  readonly directory: string;
  readonly variants: readonly Variant[];
  /** Name of the variant that the others are compared with. */
  readonly baseline: string;
  /** What is compared with what; absent: every variant with the baseline. */
  readonly comparisons?: readonly { readonly baseline: string; readonly variant: string }[];
  /** Benchmarks that are measured together; absent: there is one workload. */
  readonly suite?: Suite;
  /** Absent where no two factors vary. */
  readonly factorial?: FactorialDesign;
  /** Blocks; with interim analyses: at most. */
  readonly repetitions: number;
  /** Blocks after which the experiment may end early, increasing, the last is `repetitions`; absent: they are not given. */
  readonly looks?: readonly number[];
  /** It ends as soon as what is asked is settled; absent: the number of blocks is given. */
  readonly auto?: AutoRepetitions;
  /** Whole blocks, recorded, never compared. */
  readonly warmup: { readonly runs: number };
  /**
   * Idle seconds between the end of preparation and the window, at least; the guard before the window is its last part. Where the rest or the guard
   * is left to the meter, these are for a meter that is not known yet (`meterPauses`).
   */
  readonly restS: number;
  /** The longest rest, where a run starts as soon as the idle machine has settled; absent: every rest lasts `restS`. */
  readonly restUpToS?: number;
  /** Idle seconds kept on both sides of a window. */
  readonly guardS: number;
  /** The guard is what the meter needs. */
  readonly guardByMeter?: true;
  /** Executions of the command inside one window; `auto`: as many as make it long enough for the meter, found from the warm-up. */
  readonly batch: number | 'auto';
  /** How long a window is to be with `auto`, seconds; absent: as the meter needs. */
  readonly batchWindowS?: number;
  /** Every execution is a start of its place; absent: one start holds those of a window. */
  readonly batchStarts?: true;
  /** Settings of this machine, such as its governor, that are made for the time of the experiment and put back after it; absent: none. */
  readonly quiet?: readonly SettingName[];
  /** Absent: the machine is not inspected before blocks. */
  readonly onNoise?: OnNoise;
  /** How long is waited for a machine that another experiment holds; absent: not at all. */
  readonly waitForMachineS?: number;
  /** unsigned 32 bits; null: drawn when the plan is made, and recorded. */
  readonly seed: number | null;
  /** Margin of the verdict, percent. */
  readonly marginPercent: number;
  /** Lines of a workload's output that begin a phase, beside its own markers; auto: those that each run prints once; absent: none. */
  readonly phases?: readonly PhaseLine[] | FindPhases;
  /** What the workload's command talks to, in the order of their start; absent: nothing. */
  readonly services?: readonly Service[];
  /** The window is from the start of the services to their end; absent: it is that of the command. */
  readonly window?: 'service';
  /** Absent: none. */
  readonly hooks?: Readonly<Partial<Record<HookName, Hook>>>;
  /** Absent: none. */
  readonly metrics?: readonly Metric[];
  /** `ssh://…` of the machine that is measured; absent: this one. */
  readonly host?: string;
  /** Where the command, `prepare` and `cleanup` of every variant run, where that is a third machine; absent: where their workloads say. */
  readonly client?: ClientMachine;
  /** Names of the caller's variables that workloads see, beside what they see anyway; absent: none. */
  readonly passEnv?: readonly string[];
  /** What runs print goes to a disk as it is printed; absent: after them. */
  readonly output?: 'file';
  /** Bytes of the logs that are kept; absent: the defaults. */
  readonly logs?: LogLimits;
  /** Processors and nice values; the workload's are those of the variants' workloads, too. Absent: nothing is said. */
  readonly pins?: Readonly<Partial<Record<'workload' | 'client' | 'joulediff', Pin>>>;
  /** Meter names as given, the first is primary. */
  readonly meters: readonly string[];
  /** When extra runs are observed after the blocks; absent: they are not. */
  readonly explain?: 'on-change' | 'always';
  /** Profilers of runtimes that extra runs are looked at with, too; absent: none are named. */
  readonly profiles?: readonly Profile[];
  /** What more of them follow under; absent: strace, where system calls can't be counted otherwise. */
  readonly trace?: TraceChoice;
  readonly cost?: Cost;
  /** In the order given. */
  readonly failOn?: readonly Threshold[];
  /** Where the findings are kept; absent: nowhere. */
  readonly history?: HistorySetting;
}
