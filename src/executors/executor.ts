import type { Variant } from '../experiment/experiment.ts';

/** How `run` went. The window is [startNs, endNs] on CLOCK_MONOTONIC, of the workload itself. */
export interface Execution {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Last lines of stdout and stderr, for the record of a failed run. At most 4,000 characters. */
  readonly outputTail: string;
}

export interface RunHooks {
  /** Called immediately before the workload is started, and immediately after it was seen to end. Synchronous and short. */
  onEdge(edge: 'start' | 'end'): void;
}

/** One run's place, made before the guard and taken down after it. */
export interface PreparedRun {
  /**
   * Runs the workload, `times` (default 1) one after the other in one window, each with its own timeout: the window is from the first
   * start to the last end, and the first that is not good ends it. Throws MeasureError when it could not be started at all.
   */
  execute(hooks: RunHooks, times?: number): Promise<Execution>;
  /** `cleanup` command, then containers removed. Throws MeasureError when `cleanup` fails; the place is gone even then. */
  dispose(): Promise<void>;
}

export interface RunContext {
  readonly experimentId: string;
  /** Number of this execution in the database. */
  readonly runId: number;
  /** Everything that the run prints goes here. */
  readonly logFile: string;
  /** Aborted on SIGINT or SIGTERM: whatever runs is ended and removed within 5 seconds. */
  readonly signal: AbortSignal;
}

/** What is fixed about a variant before the first block, for the record. */
export interface VariantFacts {
  readonly imageReference: string | null;
  readonly imageId: string | null;
  readonly imageDigest: string | null;
}

/** A place where a workload runs. */
export interface Executor {
  /** Once, before the first block: finds, pulls or builds what is needed; checks that it can work. Throws InputError or MeasureError. */
  setup(signal: AbortSignal): Promise<VariantFacts>;
  /** Makes the place of one run and runs `prepare` there. Throws MeasureError when `prepare` fails (the place is gone then). */
  prepare(context: RunContext): Promise<PreparedRun>;
}

/** One line a kind of place in the registry. */
export type MakeExecutor = (variant: Variant, environment: ExecutorEnvironment) => Executor;

export interface ExecutorEnvironment {
  readonly experimentId: string;
  /** Folder that relative paths start from. */
  readonly directory: string;
  /** Environment that workloads inherit: the caller's, without tokens and inputs. */
  readonly inheritedEnv: Readonly<Record<string, string>>;
  /** A line for the log of the experiment (image pulled, built, …). */
  log(line: string): void;
}
