import type { PhaseMark, PlaceFacts, Usage } from '../executors/executor.ts';
import type { ChannelInfo, MeterInfo } from '../meters/meter.ts';
import type { Passport } from '../meters/passport/passport.ts';
import type { PlannedRun } from '../schedule/plan.ts';

/** What the database holds: raw observations, as the reader gives them. Nothing here is derived. */

export interface ExperimentRecord {
  readonly id: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly seed: number;
  readonly order: string;
  /** Blocks planned. */
  readonly repetitions: number;
  readonly baseline: string;
  readonly marginPercent: number;
  readonly restS: number;
  readonly guardS: number;
  /** The resolved experiment, as JSON text. */
  readonly definition: string;
  /** Version of joulediff that made the file. */
  readonly version: string;
}

export interface VariantRecord {
  readonly name: string;
  readonly position: number;
  readonly kind: string;
  readonly definition: string;
  readonly facts: PlaceFacts;
  /** What was checked out for it; null: the files as they lay there. */
  readonly revision: { readonly name: string; readonly commit: string } | null;
  /** The baseline a second time, for the noise floor. */
  readonly hidden: boolean;
}

/** What an A/A experiment of this workload, on this machine with this meter, had found when the experiment began. */
export interface NoiseFloorRecord {
  /** ISO 8601, UTC. */
  readonly measuredAt: string;
  /** The 95 % interval of the difference of two identical variants, percent, lies within ± this. */
  readonly percent: number;
  readonly ci95: readonly [number, number];
  readonly blocks: number;
}

export interface ChannelRecord extends ChannelInfo {
  readonly primary: boolean;
  /** With what `meter check` had found out about it when the experiment began. */
  readonly meter: Omit<MeterInfo, 'channels'> & { readonly passport: Passport | null };
}

/** One stretch of measuring by one process: `measure --resume` adds another. Monotonic times are comparable only inside one. */
export interface SessionRecord {
  readonly session: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** `complete`, `stopped by SIGINT`, an error's sentence; null: the process died. */
  readonly endReason: string | null;
  /** Zero of the sample columns of this session, nanoseconds on CLOCK_MONOTONIC. */
  readonly originNs: bigint;
  readonly conditions: Conditions;
}

/** The machine as found; null where it can't be read. */
export interface Conditions {
  readonly hostname: string;
  readonly machine: string | null;
  readonly cpu: string | null;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly os: string | null;
  readonly governor: string | null;
  readonly turbo: boolean | null;
  readonly virtualization: string | null;
  readonly node: string;
  readonly docker: {
    readonly version: string | null;
    readonly storageDriver: string | null;
    readonly networkDriver: string | null;
    readonly cgroup: string | null;
  } | null;
}

export type RunStatus = 'ok' | 'warmup' | 'failed' | 'invalid';

export interface RunRecord {
  /** Number of this execution, from 1, in the order of execution. */
  readonly run: number;
  /** The planned run that this execution was for. */
  readonly planned: number;
  readonly block: number;
  readonly position: number;
  readonly variant: string;
  /** 1, or more where the block was repeated. */
  readonly attempt: number;
  readonly session: number;
  readonly status: RunStatus;
  readonly reason: string | null;
  /** Start of the idle rest before the window; CLOCK_MONOTONIC, like all that follow. */
  readonly restStartNs: bigint;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** End of the guard after the window. */
  readonly guardEndNs: bigint;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outputTail: string | null;
  /** Executions of the command inside the window. */
  readonly executions: number;
}

/** The machine just before the window of a run; null where it can't be read. */
export interface MachineState {
  /** The same of all processors, or several in alphabetical order. */
  readonly governor: string | null;
  /** Of the hottest processor. */
  readonly temperatureC: number | null;
  /** Processors that were busy on average in the latter part of the rest, when the workload does not run. */
  readonly load: number | null;
}

/** Idle stretch that closes a session, so that the last run has idle on both sides too. */
export interface IdleRecord {
  readonly session: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** Samples of one session and channel, in order of time. */
export interface SampleColumns {
  /** Nanoseconds after the session's origin (exact in a double for 104 days). */
  readonly tNs: Float64Array;
  readonly powerW: Float64Array;
  readonly durationS: Float64Array;
}

/** What was decided at one planned look; on what was known then, so that a later analysis may find p a little different. */
export interface LookRecord {
  /** From 1. */
  readonly look: number;
  /** Blocks planned up to this look. */
  readonly blocks: number;
  /** Level that a p must not exceed here. */
  readonly nominalP: number;
  /** The greatest p of the comparisons; null: one can't be tested. */
  readonly p: number | null;
  /** The experiment ended here: what the plan holds beyond is not needed. */
  readonly stopped: boolean;
}

export interface EventRecord {
  readonly session: number;
  readonly tNs: bigint;
  readonly kind: string;
  readonly detail: string;
}

/** The one reader: opens a file read-only and gives its records. */
export interface StoreReader {
  experiment(): ExperimentRecord;
  variants(): readonly VariantRecord[];
  channels(): readonly ChannelRecord[];
  /** Null: none had been measured before. */
  noiseFloor(): NoiseFloorRecord | null;
  sessions(): readonly SessionRecord[];
  plannedRuns(): readonly PlannedRun[];
  runs(): readonly RunRecord[];
  closingIdle(): readonly IdleRecord[];
  /** By number of the run; those of which nothing was recorded are absent. */
  machineStates(): ReadonlyMap<number, MachineState>;
  /** Checkpoints in order, by run; runs that told none are not in it. */
  phaseMarks(): ReadonlyMap<number, readonly PhaseMark[]>;
  /** By run; empty where it was not recorded. */
  usage(): ReadonlyMap<number, Usage>;
  samples(session: number, channel: string): SampleColumns;
  events(): readonly EventRecord[];
  /** Looks that were taken, in order; none where repetitions are fixed. */
  looks(): readonly LookRecord[];
  close(): void;
}
