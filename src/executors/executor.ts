import type { Execution, PreparedProcesses, RunTelemetry, ServiceRun } from '../contracts/execution.ts';
import type { ObservedGroup } from '../contracts/observation.ts';
import type { Added, AroundClient, Tracer } from '../contracts/observing.ts';
import type { PlaceFacts, VariantBase } from '../contracts/variant.ts';
import type { RemoteHost } from '../hosts/host.ts';
import type { PhaseLine } from './phases/phase-lines.ts';
import type { Service, ServiceRunner } from './service.ts';

export interface RunHooks {
  /** Called immediately before the workload is started, and immediately after it was seen to end. Synchronous and short. */
  onEdge(edge: 'start' | 'end'): void;
}

/** One run's place, made before the guard and taken down after it. */
export interface PreparedRun {
  /** Processes that `prepare` left running; null: none, or it can't be told. */
  readonly leftByPrepare: PreparedProcesses | null;
  /**
   * Runs the workload, all its executions one after the other in one window, each with its own timeout: the window is from the first
   * start to the last end, and the first that is not good ends it. Throws MeasureError when it could not be started at all.
   */
  execute(hooks: RunHooks): Promise<Execution>;
  /**
   * The execution as it is known once the guard is over: with its final window, for places whose clock is read then (until then, a wider window holds
   * it), and with the limit that it met, if that takes time to find. Absent: all is known at once. Throws PlaceLostError where
   * the window will never be known.
   */
  settle?(execution: Execution): Promise<Execution>;
  /** Phases and resource use of `execute`. Called after the guard, since it has to read the output; never throws. */
  telemetry?(): Promise<RunTelemetry>;
  /** Services that have been stopped; absent: the run has none. */
  readonly services?: readonly ServiceRun[];
  /** `cleanup` command, then containers removed. Throws MeasureError when `cleanup` fails; the place is gone even then. */
  dispose(): Promise<void>;
}

export interface RunContext {
  readonly experimentId: string;
  /** Number of this run in the database. */
  readonly runId: number;
  /** File for all output of the run. */
  readonly logFile: string;
  /** Lines of its output that begin a phase, beside the markers; absent: none. */
  readonly phaseLines?: readonly PhaseLine[] | undefined;
  /** Whether output goes to a disk as it is printed; absent: it is kept in memory until the guard is over. */
  readonly outputToDisk?: boolean | undefined;
  /** Whether output on another machine is read and stamped during the run. This is work, so only for machines that aren't measured; absent: no. */
  readonly stampsOutput?: boolean | undefined;
  /** Executions of the command in the window; absent: one. */
  readonly executions?: number | undefined;
  /** Whether each execution starts its place anew; absent: one start holds all executions. */
  readonly ownStarts?: boolean | undefined;
  /** Called when all output of the command is in the log, before anything else prints there. */
  readonly onPrinted?: (() => void) | undefined;
  /** Network to share, as named by a service of the same place; absent: none. */
  readonly joins?: string | undefined;
  /** Gives the address at which commands find the services of the variant's place, once these have started; absent: there are none. */
  readonly serviceHost?: (() => string) | undefined;
  /** Control group that all processes of an observed run are born in; absent: the run isn't observed. */
  readonly observed?: ObservedGroup | undefined;
  /** What observers add to its command and its services; absent: nothing. */
  readonly added?: readonly Added[] | undefined;
  /** Clients that ask its services about themselves; absent: none. */
  readonly around?: readonly AroundClient[] | undefined;
  /** Tracer that its own command is started under, where the place `traces`; absent: none. */
  readonly tracer?: Tracer | undefined;
  /** Aborted by a signal that stops the program, or where this run alone has to end: whatever runs is ended and removed within 5 seconds. */
  readonly signal: AbortSignal;
  /** Aborted only by a signal that stops the program; absent: `signal` is that. */
  readonly stop?: AbortSignal | undefined;
}

/** The same for a `cleanup` in a place that is still there: after a run whose meter was lost, or whose service died, the next one follows. */
export const forCleanup = (context: RunContext): RunContext => ({ ...context, signal: context.stop ?? context.signal });

/** How to inspect a place. */
export interface PlaceInspection {
  /** A variant whose command would run in that place. */
  readonly variant: VariantBase;
  /** Names that its program may have, the likeliest first; empty: nobody knows. */
  readonly program: readonly string[];
  /** Network path from the place to the outside; null: unknown. */
  readonly network: string | null;
}

/** How to inspect a variant whose services have places of their own. */
export interface PlaceInspections {
  /** Place of the command; null: it runs on the host. */
  readonly client: PlaceInspection | null;
  readonly services: readonly (PlaceInspection & { readonly service: string })[];
  /** Facts from `setup`, which hold for each of these places. */
  readonly facts: PlaceFacts;
}

/** A place where a workload runs, and the services of its variant. */
export interface Executor extends ServiceRunner {
  /**
   * The services of a run in this place, in the order of their start, derived from those of the experiment; absent: the same as those. Called before
   * `setup`. Throws InputError.
   */
  services?(given: readonly Service[]): readonly Service[];
  /**
   * Called once, before the first block: finds, pulls or builds what is needed, and checks that it can work. `recorded`: the facts that an unfinished
   * experiment was begun with; what they name is used again, and nothing is pulled or built anew. Throws InputError, MeasureError, or the
   * signal's reason.
   */
  setup(signal: AbortSignal, recorded?: PlaceFacts): Promise<PlaceFacts>;
  /** How to inspect a variant whose services have places of their own; absent: they are in the variant's place. Called after `setup`. */
  inspections?(): PlaceInspections;
  /** Why one start can't hold several executions, a sentence without its end; null or absent: it can. Called after `setup`. */
  repeatProblem?(signal: AbortSignal): Promise<string | null>;
  /**
   * Makes the place of one run and runs `prepare` there. Throws MeasureError when `prepare` fails (the place is gone then). This and what it
   * gives throw PlaceLostError where the place went away by itself.
   */
  prepare(context: RunContext): Promise<PreparedRun>;
  /** Whose files a run's command uses, where this executor can start it under a tracer; absent: it can't. */
  readonly traces?: 'host' | 'image';
  /** Whether its processes can be born in a given control group; absent: they can. Called after `setup`. */
  hasGroups?(): boolean;
  /** Copies files of its place that exist, by absolute path, into a folder of the host; absent: its files are the host's. */
  filesOf?(paths: readonly string[], into: string): Promise<void>;
  /** Waits up to a minute for a place that was lost, and removes what is left of the run. Throws MeasureError when it doesn't come back. */
  recover?(signal: AbortSignal): Promise<void>;
}

export interface ExecutorEnvironment {
  readonly experimentId: string;
  /** Folder that relative paths start from. */
  readonly directory: string;
  /** Variables that processes on the host inherit, including `passedEnv`. */
  readonly inheritedEnv: Readonly<Record<string, string>>;
  /** The caller's variables that the experiment passes to workloads in every place. */
  readonly passedEnv: Readonly<Record<string, string>>;
  /** The machine that is measured; absent: this one. */
  readonly host?: RemoteHost | undefined;
  /** Whether a hook may create the workload's program, which then need not exist when the session starts; absent: no. */
  readonly isMadeByHook?: boolean | undefined;
  /** Adds a line to the log of the experiment (image pulled, built, …). */
  log(line: string): void;
  /** Registers a function that releases something when the experiment's session ends; absent: it is released with this process. */
  atEnd?(letGo: () => Promise<void>): void;
}
