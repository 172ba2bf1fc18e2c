import type { PhaseMark, ServiceRun, WindowClock } from '../contracts/execution.ts';
import type { ChannelInfo, MeterInfo, RawReading } from '../contracts/reading.ts';
import type { StopSignal } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Calibration, Passport } from '../findings/passport.ts';
import type { Counted } from '../findings/resources.ts';
import type { CounterReading } from '../sampling/told.ts';
import type { PlannedRun } from '../schedule/plan.ts';
import type { ObservedRecord, ObserverRecord } from './observed.ts';
import type { Row } from './table.ts';
import type {
  EVENT,
  EXPERIMENT,
  IDLE,
  LOOK,
  NOISE_FLOOR,
  QUIET_INSPECTION,
  RUN,
  RUN_PLACE,
  RUN_UNREAD,
  RUN_USAGE,
  SESSION,
  VARIANT,
} from './tables.ts';

/** What the database holds: raw observations, as the reader gives them. Nothing here is derived. */

export type ExperimentRecord = Omit<Row<typeof EXPERIMENT.columns>, 'definition'>;

export interface VariantRecord extends Row<typeof VARIANT.columns> {
  /** What was checked out for it; null: the files as they lay there. */
  readonly revision: { readonly name: string; readonly commit: string } | null;
  /** The baseline a second time, for the noise floor. */
  readonly hidden: boolean;
}

/** What a variant's place looks like from inside. */
export type SeenPlace = Pick<Row<typeof VARIANT.columns>, 'surroundings' | 'unseen' | 'version'>;

/** What an A/A experiment of this workload, on this machine with this meter, had found when the experiment began. */
export interface NoiseFloorRecord extends Omit<Row<typeof NOISE_FLOOR.columns>, 'ci95Low' | 'ci95High'> {
  /** Interval of the difference of two identical variants, percent; lies within ± `percent`. */
  readonly ci95: readonly [number, number];
}

/** A meter with what `meter check` found out about it, where that was done. */
export interface RecordedMeter extends MeterInfo {
  /** With its options, as it is named on a command line. */
  readonly name: string;
  readonly passport: Passport | null;
}

export interface ChannelRecord extends ChannelInfo {
  readonly primary: boolean;
  /** From its meter's passport: what turns readings into powers. Absent: they are used as they are. */
  readonly calibration?: Calibration | undefined;
  /** With what `meter check` had found out about it when the experiment began. */
  readonly meter: Omit<RecordedMeter, 'channels'>;
}

/** How a stretch of measuring ended. */
export type SessionEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'stopped'; readonly signal: StopSignal }
  | { readonly kind: 'failed'; readonly message: string };

type SessionRow = Row<typeof SESSION.columns>;

/** One stretch of measuring by one process: `measure --resume` adds another. Monotonic times are comparable only inside one. */
export interface SessionRecord extends Omit<SessionRow, 'endKind' | 'endSignal' | 'endMessage'> {
  /** Null: it goes on, or the process died. */
  readonly end: SessionEnd | null;
}

export interface RunRecord extends Row<typeof RUN.columns> {
  readonly block: number;
  readonly variant: string;
}

/** The machine just before the window of a run; null where it can't be read. */
export interface MachineState {
  /** The same of all processors, or several in alphabetical order. */
  readonly governor: string | null;
  /** The hottest processor's. */
  readonly temperatureC: number | null;
  /** Processors that were busy on average in the latter part of the rest, when the workload does not run. */
  readonly load: number | null;
}

/** How quiet the machine was found before a block. */
export type QuietInspection = Omit<Row<typeof QUIET_INSPECTION.columns>, 'session'>;

/** What happened to the machine in a run, its guards included; null where it can't be read. */
export interface RunIncidents {
  /** Times that processors were throttled. */
  readonly throttled: number | null;
  /** The kernel's, warnings and worse. */
  readonly kernelMessages: readonly string[] | null;
}

/** A number that a run printed. */
export interface MetricValue {
  readonly metric: string;
  readonly value: number;
}

/** A secondary channel on which a run has no energy, and why: a sentence without its end. */
export type UnreadChannel = Omit<Row<typeof RUN_UNREAD.columns>, 'run'>;

/** Resources that a run used: processor time, memory, bytes read and written. */
export type RunUsage = Omit<Row<typeof RUN_USAGE.columns>, 'run'>;

/** How a run's place was used. */
export type RunPlace = Omit<Row<typeof RUN_PLACE.columns>, 'run'>;

export type IdleRecord = Row<typeof IDLE.columns>;
export type EventRecord = Row<typeof EVENT.columns>;
export type InterimRecord = Row<typeof LOOK.columns>;

/** Samples of one session and channel, in order of time. */
export interface SampleColumns {
  /** Nanoseconds after the session's origin (exact in a double for 104 days). */
  readonly tNs: Float64Array;
  readonly powerW: Float64Array;
  readonly durationS: Float64Array;
  /** Only where they were asked for, and by the number of their sample: readings of which a power is the mean. */
  readonly readings?: ReadonlyMap<number, readonly RawReading[]>;
}

/** The one reader: opens a file read-only and gives its records. */
export interface StoreReader extends Disposable {
  experiment(): ExperimentRecord;
  /** The whole experiment as it was resolved. */
  definition(): Experiment;
  variants(): readonly VariantRecord[];
  /** The primary one first. */
  channels(): readonly ChannelRecord[];
  /** Null: none had been measured before. */
  noiseFloor(): NoiseFloorRecord | null;
  sessions(): readonly SessionRecord[];
  plannedRuns(): readonly PlannedRun[];
  runs(): readonly RunRecord[];
  closingIdle(): readonly IdleRecord[];
  /** By number of the run; those of which nothing was recorded are absent. */
  machineStates(): ReadonlyMap<number, MachineState>;
  /** Inspections in order; none where the machine was not inspected. */
  quietInspections(): readonly QuietInspection[];
  /** By run; those of which nothing was recorded are absent. */
  incidents(): ReadonlyMap<number, RunIncidents>;
  /** Checkpoints in order, by run; runs without any are absent. */
  phaseMarks(): ReadonlyMap<number, readonly PhaseMark[]>;
  /** By run; empty where it was not recorded. */
  usage(): ReadonlyMap<number, RunUsage>;
  /** By run; those of which nothing was counted are absent. */
  counters(): ReadonlyMap<number, readonly Counted[]>;
  /** By run: the secondary channels on which a good run has no energy. Runs that have energy on all channels are absent. */
  unread(): ReadonlyMap<number, readonly UnreadChannel[]>;
  /** What runs printed; those that printed none are absent. */
  metrics(): ReadonlyMap<number, readonly MetricValue[]>;
  /** By run, as far as they were started; runs without any are absent. */
  services(): ReadonlyMap<number, readonly ServiceRun[]>;
  /** By run; those that could not be started are absent. */
  places(): ReadonlyMap<number, RunPlace>;
  /** How far off the windows may be that another machine's clock told, by run. */
  clocks(): ReadonlyMap<number, WindowClock>;
  samples(session: number, channel: string, options?: { readonly readings: boolean }): SampleColumns;
  /** What the channel's meter told in the place of watts, in order of time; none where it tells watts. */
  told(session: number, channel: string): readonly CounterReading[];
  events(): readonly EventRecord[];
  /** Looks that were taken, in order; none where repetitions are fixed. */
  looks(): readonly InterimRecord[];
  /** What there was to look with when runs were last observed; empty: none were. */
  observers(): readonly ObserverRecord[];
  /** Extra runs that were observed, in the order of execution. */
  observed(): readonly ObservedRecord[];
  close(): void;
}
