import type { PhaseMark, ServiceRun, WindowClock } from '../contracts/execution.ts';
import type { ChannelInfo, MeterInfo, RawReading } from '../contracts/reading.ts';
import type { StopSignal } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Calibration, Passport } from '../findings/passport.ts';
import type { Counted } from '../findings/resources.ts';
import type { CounterReading } from '../sampling/reported.ts';
import type { PlannedRun } from '../schedule/plan.ts';
import type { ObservedRecord, ObserverRecord } from './observed.ts';
import type { Row } from './table.ts';
import type {
  EVENT,
  EXPERIMENT,
  IDLE,
  INTERIM,
  NOISE_FLOOR,
  PROCESSOR_TIME,
  QUIET_INSPECTION,
  RUN,
  RUN_PLACE,
  RUN_UNREAD,
  RUN_USAGE,
  SESSION,
  VARIANT,
} from './tables.ts';

/** Contents of the database as the reader returns them: raw observations only, nothing derived. */

export type ExperimentRecord = Omit<Row<typeof EXPERIMENT.columns>, 'definition'>;

export interface VariantRecord extends Row<typeof VARIANT.columns> {
  /** The revision that was checked out for it; null: it ran the files as they were on disk. */
  readonly revision: { readonly name: string; readonly commit: string } | null;
  /** Whether this is the second copy of the baseline, for the noise floor. */
  readonly hidden: boolean;
}

/** What was found out about a variant's place from inside it. */
export type SeenPlace = Pick<Row<typeof VARIANT.columns>, 'surroundings' | 'unseen' | 'version'>;

/** The noise floor that an A/A experiment of this workload had found on this machine with this meter, before this experiment began. */
export interface NoiseFloorRecord extends Omit<Row<typeof NOISE_FLOOR.columns>, 'ci95Low' | 'ci95High'> {
  /** Interval of the difference of two identical variants, percent; lies within ± `percent`. */
  readonly ci95: readonly [number, number];
}

/** A meter, with the result of its `meter check`, if there is one. */
export interface RecordedMeter extends MeterInfo {
  /** Name of the meter with its options, as on a command line. */
  readonly name: string;
  readonly passport: Passport | null;
}

export interface ChannelRecord extends ChannelInfo {
  readonly primary: boolean;
  /** Calibration from the meter's passport, which is applied to the readings; absent: readings are used as they are. */
  readonly calibration?: Calibration | undefined;
  /** The meter, with the result of `meter check` that was known when the experiment began. */
  readonly meter: Omit<RecordedMeter, 'channels'>;
}

/** How a session ended. */
export type SessionEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'stopped'; readonly signal: StopSignal }
  | { readonly kind: 'failed'; readonly message: string };

type SessionRow = Row<typeof SESSION.columns>;

/** One session: a period of measuring by one process. `measure --resume` adds another. Monotonic times are comparable only within a session. */
export interface SessionRecord extends Omit<SessionRow, 'endKind' | 'endSignal' | 'endMessage'> {
  /** Null: the session goes on, or its process died. */
  readonly end: SessionEnd | null;
}

export interface RunRecord extends Row<typeof RUN.columns> {
  readonly block: number;
  readonly variant: string;
}

/** The machine just before the window of a run; null where it can't be read. */
export interface MachineState {
  /** Scaling governor of all processors; different ones are listed in alphabetical order. */
  readonly governor: string | null;
  /** Temperature of the hottest processor. */
  readonly temperatureC: number | null;
  /** Average number of busy processors in the last part of the rest, when the workload does not run. */
  readonly load: number | null;
}

/** Result of checking before a block how quiet the machine is. */
export type QuietInspection = Omit<Row<typeof QUIET_INSPECTION.columns>, 'session'>;

/** Disturbances of the machine during a run and its guards; null: they can't be read. */
export interface RunIncidents {
  /** How often processors were throttled. */
  readonly throttled: number | null;
  /** Messages of the kernel log, warnings and worse. */
  readonly kernelMessages: readonly string[] | null;
}

/** A metric's value that a run printed. */
export interface MetricValue {
  readonly metric: string;
  readonly value: number;
}

/** A secondary channel without energy in a run; the reason is a clause without a full stop. */
export type UnreadChannel = Omit<Row<typeof RUN_UNREAD.columns>, 'run'>;

/** Resources that a run used: processor time, memory, bytes read and written. */
export type RunUsage = Omit<Row<typeof RUN_USAGE.columns>, 'run'>;

/** Times of all processors together since the machine's start, at a moment in a window. */
export type ProcessorReading = Omit<Row<typeof PROCESSOR_TIME.columns>, 'run'>;

/** How the place of a run was prepared and started. */
export type RunPlace = Omit<Row<typeof RUN_PLACE.columns>, 'run'>;

export type IdleRecord = Row<typeof IDLE.columns>;
export type EventRecord = Row<typeof EVENT.columns>;
export type InterimRecord = Row<typeof INTERIM.columns>;

/** Samples of one session and channel, ascending by time. */
export interface SampleColumns {
  /** Nanoseconds after the session's origin (exact in a double for 104 days). */
  readonly tNs: Float64Array;
  readonly powerW: Float64Array;
  readonly durationS: Float64Array;
  /** Individual readings whose mean is a sample's power, by the sample's index; only if they were asked for. */
  readonly readings?: ReadonlyMap<number, readonly RawReading[]>;
}

/** Reader of an experiment.db, which it opens read-only. */
export interface StoreReader extends Disposable {
  experiment(): ExperimentRecord;
  /** The whole experiment with all defaults filled in. */
  definition(): Experiment;
  variants(): readonly VariantRecord[];
  /** Recorded channels, the primary one first. */
  channels(): readonly ChannelRecord[];
  /** The noise floor known at the start; null: none had been measured. */
  noiseFloor(): NoiseFloorRecord | null;
  sessions(): readonly SessionRecord[];
  plannedRuns(): readonly PlannedRun[];
  runs(): readonly RunRecord[];
  closingIdle(): readonly IdleRecord[];
  /** By run number; runs without a record are absent. */
  machineStates(): ReadonlyMap<number, MachineState>;
  /** Checks of the machine before blocks, in order; empty: none were made. */
  quietInspections(): readonly QuietInspection[];
  /** By run; runs without a record are absent. */
  incidents(): ReadonlyMap<number, RunIncidents>;
  /** Phase marks in order, by run; runs without any are absent. */
  phaseMarks(): ReadonlyMap<number, readonly PhaseMark[]>;
  /** By run; empty where it was not recorded. */
  usage(): ReadonlyMap<number, RunUsage>;
  /** By run; runs without counters are absent. */
  counters(): ReadonlyMap<number, readonly Counted[]>;
  /** Readings of the processors' cumulative times, by run and in order of time. A run without readings has no entry. */
  processors(): ReadonlyMap<number, readonly ProcessorReading[]>;
  /** By run: the secondary channels on which a good run has no energy. Runs that have energy on all channels are absent. */
  unread(): ReadonlyMap<number, readonly UnreadChannel[]>;
  /** Metrics by run; runs that printed none are absent. */
  metrics(): ReadonlyMap<number, readonly MetricValue[]>;
  /** Services by run, those that were started; runs without services are absent. */
  services(): ReadonlyMap<number, readonly ServiceRun[]>;
  /** By run; runs whose place could not be started are absent. */
  places(): ReadonlyMap<number, RunPlace>;
  /** Largest errors of windows that another machine's clock timed, by run. */
  clocks(): ReadonlyMap<number, WindowClock>;
  samples(session: number, channel: string, options?: { readonly readings: boolean }): SampleColumns;
  /** Readings of the channel's meter that are no watts, such as counters, by time; empty: the meter gives watts only. */
  reported(session: number, channel: string): readonly CounterReading[];
  events(): readonly EventRecord[];
  /** Interim analyses that were made, in order; empty: the number of repetitions is fixed. */
  looks(): readonly InterimRecord[];
  /** Observers that were available when runs were last observed; empty: no run was observed. */
  observers(): readonly ObserverRecord[];
  /** Observed extra runs, in the order of execution. */
  observed(): readonly ObservedRecord[];
  close(): void;
}
