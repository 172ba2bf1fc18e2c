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
  /** What `prepare` left running; null: nothing, or it can't be told. */
  readonly leftByPrepare: PreparedProcesses | null;
  /**
   * Runs the workload, all its executions one after the other in one window, each with its own timeout: the window is from the first
   * start to the last end, and the first that is not good ends it. Throws MeasureError when it could not be started at all.
   */
  execute(hooks: RunHooks): Promise<Execution>;
  /**
   * The execution as it is known when the guard is over: with its window, for places whose clock is looked at then (until then it is one that
   * holds it), and with the limit that it met, where that takes time to find. Absent: all is known at once. Throws PlaceLostError where
   * the window will never be known.
   */
  settle?(execution: Execution): Promise<Execution>;
  /** What `execute` told of phases and used of the machine. Called after the guard, since the output has to be read for it; never throws. */
  telemetry?(): Promise<RunTelemetry>;
  /** Its services, as far as they have been stopped; absent: it has none. */
  readonly services?: readonly ServiceRun[];
  /** `cleanup` command, then containers removed. Throws MeasureError when `cleanup` fails; the place is gone even then. */
  dispose(): Promise<void>;
}

export interface RunContext {
  readonly experimentId: string;
  /** Number of this execution in the database. */
  readonly runId: number;
  /** Everything that the run prints goes here. */
  readonly logFile: string;
  /** Lines of its output that begin a phase, beside the markers; absent: none. */
  readonly phaseLines?: readonly PhaseLine[] | undefined;
  /** Whether what it prints goes to a disk as it is printed; absent: what is kept of it is in memory until the guard is over. */
  readonly outputToDisk?: boolean | undefined;
  /** Whether what it prints on another machine is read and stamped there while it runs, which is work: only where nobody measures. Absent: it isn't. */
  readonly stampsOutput?: boolean | undefined;
  /** Executions of the command in the window; absent: one. */
  readonly executions?: number | undefined;
  /** Whether each is a start of its place; absent: one start holds all of them. */
  readonly ownStarts?: boolean | undefined;
  /** Called when all that the command printed is in the log, before anything else prints there. */
  readonly onPrinted?: (() => void) | undefined;
  /** What it shares the network with, as a service of the same place calls it; absent: nothing. */
  readonly joins?: string | undefined;
  /** Address at which its commands find the services of the variant's place, once these have started; absent: it has none. */
  readonly serviceHost?: (() => string) | undefined;
  /** What all of it is born in, where the run is observed; absent: it isn't. */
  readonly observed?: ObservedGroup | undefined;
  /** What observers add to its command and its services; absent: nothing. */
  readonly added?: readonly Added[] | undefined;
  /** Who asks its services about themselves; absent: nobody. */
  readonly around?: readonly AroundClient[] | undefined;
  /** What its own command is started under, where its place `traces`; absent: nothing. */
  readonly tracer?: Tracer | undefined;
  /** Aborted by a signal that stops the program: whatever runs is ended and removed within 5 seconds. */
  readonly signal: AbortSignal;
}

/** A place as it can be looked around in. */
export interface PlaceInspection {
  /** What it would be as a variant of its own, whose command is run there. */
  readonly variant: VariantBase;
  /** Names that its program may have, the likeliest first; empty: nobody knows. */
  readonly program: readonly string[];
  /** The way from it to what is outside; null: not known. */
  readonly network: string | null;
}

/** A place whose services have places of their own. */
export interface PlaceInspections {
  /** Null: the command runs on the host. */
  readonly client: PlaceInspection | null;
  readonly services: readonly (PlaceInspection & { readonly service: string })[];
  /** What was found at `setup` and holds for each of these places. */
  readonly facts: PlaceFacts;
}

/** A place where a workload runs, and the services of its variant. */
export interface Executor extends ServiceRunner {
  /**
   * The services of a run in this place, made from those of the experiment, in the order of their start; absent: those as they are. Asked before
   * `setup`. Throws InputError.
   */
  services?(given: readonly Service[]): readonly Service[];
  /**
   * Once, before the first block: finds, pulls or builds what is needed; checks that it can work. `recorded`: the facts that an unfinished
   * experiment was begun with; what they name is used again, and nothing is pulled or built anew. Throws InputError, MeasureError, or the
   * signal's reason.
   */
  setup(signal: AbortSignal, recorded?: PlaceFacts): Promise<PlaceFacts>;
  /** How to look around where its services have places of their own; absent: they are in the variant's. Asked after `setup`. */
  inspections?(): PlaceInspections;
  /** Why one start can't hold several executions, a sentence without its end; null or absent: it can. Asked after `setup`. */
  repeatProblem?(signal: AbortSignal): Promise<string | null>;
  /**
   * Makes the place of one run and runs `prepare` there. Throws MeasureError when `prepare` fails (the place is gone then). This and what it
   * gives throw PlaceLostError where the place went away by itself.
   */
  prepare(context: RunContext): Promise<PreparedRun>;
  /** Whose files a run's own command has, where it starts that under a tracer that it is given; absent: it starts none. */
  readonly traces?: 'host' | 'image';
  /** Whether what it starts is born in a control group that is given; absent: it is. Asked after `setup`. */
  hasGroups?(): boolean;
  /** Copies files of its place, by their absolute paths, into a folder of the host, as far as they are there; absent: its files are the host's. */
  filesOf?(paths: readonly string[], into: string): Promise<void>;
  /** Waits up to a minute for a place that was lost, and removes what is left of the run. Throws MeasureError when it doesn't come back. */
  recover?(signal: AbortSignal): Promise<void>;
}

export interface ExecutorEnvironment {
  readonly experimentId: string;
  /** Folder that relative paths start from. */
  readonly directory: string;
  /** Environment that processes on the host inherit: what the caller's may pass on, with `passedEnv`. */
  readonly inheritedEnv: Readonly<Record<string, string>>;
  /** The caller's variables that the experiment passes to workloads in every place. */
  readonly passedEnv: Readonly<Record<string, string>>;
  /** The machine that is measured, where it is another one; absent: it is this one. */
  readonly host?: RemoteHost | undefined;
  /** A line for the log of the experiment (image pulled, built, …). */
  log(line: string): void;
  /** Remembers what lets go of something that several runs need, when the experiment's session is over; absent: it is let go of with this process. */
  atEnd?(letGo: () => Promise<void>): void;
}
