import type { ChannelInfo, MeterInfo, RawReading } from '../contracts/reading.ts';
import type { StopSignal } from '../errors.ts';
import type { Calibration, Passport } from '../findings/passport.ts';
import type { Column, Columns, Row, Table } from './table.ts';
import type * as tables from './tables.ts';

/** Contents of the database as the reader returns them: raw observations only, nothing derived. */

/** A row of a table about runs, apart from the run's number. */
type OfRun<T extends Table<Columns & { readonly run: Column<number> }>> = Omit<Row<T['columns']>, 'run'>;

export type ExperimentRecord = Omit<Row<typeof tables.EXPERIMENT.columns>, 'definition'>;

export interface VariantRecord extends Row<typeof tables.VARIANT.columns> {
  /** The revision that was checked out for it; null: it ran the files as they were on disk. */
  readonly revision: { readonly name: string; readonly commit: string } | null;
  /** Whether this is the second copy of the baseline, for the noise floor. */
  readonly hidden: boolean;
}

/** What was found out about a variant's place from inside it. */
export type SeenPlace = Pick<Row<typeof tables.VARIANT.columns>, 'surroundings' | 'unseen' | 'version'>;

/** The noise floor that an A/A experiment of this workload had found on this machine with this meter, before this experiment began. */
export interface NoiseFloorRecord extends Omit<Row<typeof tables.NOISE_FLOOR.columns>, 'ci95Low' | 'ci95High'> {
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

type SessionRow = Row<typeof tables.SESSION.columns>;

/** One session: a period of measuring by one process. `measure --resume` adds another. Monotonic times are comparable only within a session. */
export interface SessionRecord extends Omit<SessionRow, 'endKind' | 'endSignal' | 'endMessage'> {
  /** Null: the session goes on, or its process died. */
  readonly end: SessionEnd | null;
}

export interface RunRecord extends Row<typeof tables.RUN.columns> {
  readonly block: number;
  readonly variant: string;
}

/** The machine just before the window of a run; null where it can't be read. */
export type MachineState = OfRun<typeof tables.MACHINE_STATE>;

/** Result of checking before a block how quiet the machine is. */
export type QuietInspection = Omit<Row<typeof tables.QUIET_INSPECTION.columns>, 'session'>;

/** Disturbances of the machine during a run and its guards; null: they can't be read. */
export type RunIncidents = OfRun<typeof tables.INCIDENT>;

/** A metric's value that a run printed. */
export type MetricValue = OfRun<typeof tables.RUN_METRIC>;

/** A secondary channel without energy in a run; the reason is a clause without a full stop. */
export type UnreadChannel = OfRun<typeof tables.RUN_UNREAD>;

/** Times of all processors together since the machine's start, at a moment in a window. */
export type ProcessorReading = OfRun<typeof tables.PROCESSOR_TIME>;

/** How the place of a run was prepared and started. */
export type RunPlace = OfRun<typeof tables.RUN_PLACE>;

export type IdleRecord = Row<typeof tables.IDLE.columns>;
export type InterimRecord = Row<typeof tables.INTERIM.columns>;

/** Samples of one session and channel, ascending by time. */
export interface SampleColumns {
  /** Nanoseconds after the session's origin (exact in a double for 104 days). */
  readonly tNs: Float64Array;
  readonly powerW: Float64Array;
  readonly durationS: Float64Array;
  /** Individual readings whose mean is a sample's power, by the sample's index; only if they were asked for. */
  readonly readings?: ReadonlyMap<number, readonly RawReading[]>;
}
