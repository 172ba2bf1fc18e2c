import * as z from 'zod';
import type { MeterInfo, RawReading } from '../contracts/reading.ts';
import type { PlaceFacts, WorkloadFiles } from '../contracts/variant.ts';
import { STOP_SIGNALS } from '../errors.ts';
import { recordedExperiment, recordedVariant } from '../experiment/recorded.ts';
import { Noise } from '../findings/checks.ts';
import { EndReason } from '../findings/comparison.ts';
import { Conditions } from '../findings/conditions.ts';
import { MachinePart, scalar } from '../findings/numbers.ts';
import { Passport } from '../findings/passport.ts';
import { RecordedCounter, Uncounted } from '../findings/resources.ts';
import { ReportedVersion, SeenAround, Unseen } from '../findings/surroundings.ts';
import { type Quantity, REPORTED_ROLES, REPORTED_UNITS } from '../sampling/reported.ts';
import { REST_ENDS, RUN_CAUSES, RUN_STATUSES } from '../schedule/outcome.ts';
import { OBSERVED_TABLES } from './observed-tables.ts';
import { flag, integer, isReading, json, nullable, ofRun, oneOf, real, table, text, timeNs } from './table.ts';

// Raw observations; the only derived table is `look`, without which a plan's completeness would be unknown. Times are CLOCK_MONOTONIC
// nanoseconds of their session, power is in watts. A change of a table needs a migration.

const workloadFiles = z.strictObject({
  commit: z.string().nullable(),
  changes: z.string().nullable(),
  named: z.record(z.string(), z.string()),
});

export const EXPERIMENT = table(
  'experiment',
  {
    id: text,
    /** Version of joulediff that made the file. */
    joulediffVersion: text,
    name: text,
    /** ISO 8601, UTC. */
    startedAt: text,
    seed: integer,
    orderRule: text,
    /** Blocks planned. */
    repetitions: integer,
    baseline: text,
    marginPercent: real,
    restS: real,
    guardS: real,
    /** The whole experiment with all defaults filled in. */
    definition: json(recordedExperiment, { isReadBack: true }),
  },
  { key: ['id'], constraints: ['FOREIGN KEY (baseline) REFERENCES variant(name) DEFERRABLE INITIALLY DEFERRED'] },
);

export const VARIANT = table(
  'variant',
  {
    name: text,
    position: integer,
    kind: text,
    definition: json(recordedVariant),
    facts: json<PlaceFacts>(z.record(z.string(), scalar.nullable())),
    /** Findings from inside its place and its services' places, before the first block; null: not examined, or `unseen` has the reason. */
    surroundings: nullable(json<SeenAround>(SeenAround)),
    unseen: nullable(oneOf(Unseen.options)),
    /** Output of the variant's version command; null: it has none, or it could not be run. */
    version: nullable(json<ReportedVersion>(ReportedVersion)),
  },
  { key: ['position'], constraints: ['UNIQUE (name)'] },
);

export const PLANNED_RUN = table(
  'planned_run',
  {
    planned: integer,
    block: integer,
    position: integer,
    variant: text,
    warmup: flag,
  },
  { key: ['planned'], constraints: ['FOREIGN KEY (variant) REFERENCES variant(name)', 'UNIQUE (block, variant)'] },
);

export const METER = table(
  'meter',
  {
    meter: integer,
    type: text,
    address: nullable(text),
    name: text,
    source: oneOf(['measured', 'modelled', 'emulated']),
    identity: json<MeterInfo['identity']>(z.record(z.string(), scalar)),
    accuracyGainPercent: nullable(real),
    accuracyOffsetW: nullable(real),
    minimumGuardS: real,
    remarks: json<MeterInfo['remarks']>(z.array(z.string())),
    passport: nullable(json<Passport>(Passport)),
  },
  { key: ['meter'] },
);

const quantities = z
  .array(
    z.strictObject({
      name: z.string(),
      unit: z.enum(REPORTED_UNITS),
      role: z.enum(REPORTED_ROLES),
      range: z.number().positive().optional(),
    }),
  )
  .max(1000);

export const CHANNEL = table(
  'channel',
  {
    channel: integer,
    name: text,
    meter: integer,
    isPrimary: flag,
    integration: oneOf(['guard', 'counter']),
    samplingPeriodS: real,
    clock: oneOf(['meter', 'host']),
    resolutionW: nullable(real),
    edgeS: nullable(real),
    part: nullable(oneOf(MachinePart.options)),
    /** Quantities that the meter reports beside, or instead of, watts; null: it reports watts only. */
    quantities: nullable(json<readonly Quantity[]>(quantities)),
  },
  { key: ['channel'], constraints: ['UNIQUE (name)', 'FOREIGN KEY (meter) REFERENCES meter(meter)'] },
);

export const NOISE_FLOOR = table(
  'noise_floor',
  {
    /** ISO 8601, UTC. */
    measuredAt: text,
    percent: real,
    ci95Low: real,
    ci95High: real,
    blocks: integer,
  },
  { key: ['measuredAt'] },
);

export const SESSION = table(
  'session',
  {
    session: integer,
    startedAt: text,
    endedAt: nullable(text),
    endKind: nullable(oneOf(['complete', 'stopped', 'failed'])),
    /** Signal that stopped the session. */
    endSignal: nullable(oneOf(STOP_SIGNALS)),
    /** Message of the error that ended the session. */
    endMessage: nullable(text),
    /** Zero of the sample columns of this session, nanoseconds on CLOCK_MONOTONIC. */
    originNs: timeNs,
    conditions: json<Conditions>(Conditions),
    /** Null: the files were not examined. */
    files: nullable(json<WorkloadFiles>(workloadFiles)),
  },
  {
    key: ['session'],
    constraints: [
      'CHECK ((ended_at IS NULL) = (end_kind IS NULL))',
      "CHECK ((end_kind IS 'stopped') = (end_signal IS NOT NULL))",
      "CHECK ((end_kind IS 'failed') = (end_message IS NOT NULL))",
    ],
  },
);

export const RUN = table(
  'run',
  {
    /** Number of this execution, from 1, in chronological order. */
    run: integer,
    /** The planned run that this execution was for. */
    planned: integer,
    /** Attempt of the block: 1, or more if the block was repeated. */
    attempt: integer,
    position: integer,
    session: integer,
    status: oneOf(RUN_STATUSES),
    /** Why the run failed or is invalid; null: neither. */
    cause: nullable(oneOf(RUN_CAUSES)),
    /** The cause in words. */
    reason: nullable(text),
    /** Start of the idle rest before the window; CLOCK_MONOTONIC, like all that follow. */
    restStartNs: timeNs,
    /** Why a rest without a given length ended: the machine had settled, or the longest rest was over; null: the length was given. */
    restEnd: nullable(oneOf(REST_ENDS)),
    startNs: timeNs,
    endNs: timeNs,
    /** End of the guard after the window. */
    guardEndNs: timeNs,
    exitCode: nullable(integer),
    signal: nullable(text),
    outputTail: nullable(text),
    /** Executions of the command inside the window. */
    executions: integer,
  },
  {
    key: ['run'],
    constraints: [
      'FOREIGN KEY (planned) REFERENCES planned_run(planned)',
      'FOREIGN KEY (session) REFERENCES session(session)',
      "CHECK ((status IN ('ok', 'warmup')) = (cause IS NULL))",
      'CHECK ((cause IS NULL) = (reason IS NULL))',
      'CHECK (rest_start_ns <= start_ns AND start_ns <= end_ns AND end_ns <= guard_end_ns)',
      'CHECK (executions >= 1)',
    ],
  },
);

/** State of the machine just before the window of a run. */
export const MACHINE_STATE = ofRun('machine_state', {
  /** Scaling governor of all processors; different ones are listed in alphabetical order. */
  governor: nullable(text),
  /** Temperature of the hottest processor. */
  temperatureC: nullable(real),
  /** Average number of busy processors in the last part of the rest, when the workload does not run. */
  load: nullable(real),
});

/** How quiet the machine was before a block, and how long it was waited for. */
export const QUIET_INSPECTION = table(
  'quiet_look',
  {
    session: integer,
    tNs: timeNs,
    block: integer,
    warmup: flag,
    /** Disturbances found first, in a fixed order; empty: none. */
    found: json<readonly Noise[]>(z.array(Noise)),
    /** Disturbances that remained after waiting. */
    remaining: json<readonly Noise[]>(z.array(Noise)),
    waitedS: real,
    /** Processors that other programs kept busy, at the end of the check; null: it can't be read. */
    load: nullable(real),
    temperatureC: nullable(real),
    /** Sum of the frequency limits of all cpufreq policies, Hz. */
    limitHz: nullable(real),
    /** How often processors were throttled since the check before, in runs too. */
    throttled: nullable(integer),
  },
  { constraints: ['FOREIGN KEY (session) REFERENCES session(session)', 'CHECK (waited_s >= 0)'] },
);

/** Disturbances of the machine in a run and its guards; null: they can't be read. */
export const INCIDENT = ofRun('incident', {
  /** How often processors were throttled. */
  throttled: nullable(integer),
  /** Messages of the kernel log, warnings and worse. */
  kernelMessages: nullable(json<readonly string[]>(z.array(z.string()))),
});

export const PHASE_MARK = ofRun(
  'phase_mark',
  {
    mark: integer,
    tNs: timeNs,
    lateNs: timeNs,
    phase: nullable(text),
  },
  { key: ['mark'], constraints: ['CHECK (late_ns >= 0)'] },
);

/** Resources that a run used. */
export const RUN_USAGE = ofRun('run_usage', {
  cpuS: nullable(real),
  peakMemoryBytes: nullable(integer),
  readBytes: nullable(integer),
  writtenBytes: nullable(integer),
});

/** Counters of the kernel in the window of a run: for the run itself, or for the whole machine. */
export const RUN_COUNTER = ofRun(
  'run_counter',
  {
    counter: oneOf(RecordedCounter.options),
    value: nullable(real),
    /** Why the counter has no value; null: it has one. */
    missing: nullable(oneOf(Uncounted.options)),
  },
  { key: ['counter'], constraints: ['CHECK ((value IS NULL) = (missing IS NOT NULL))'] },
);

/** Times of all processors of the machine together since its start, about once a second in the window of a run. */
export const PROCESSOR_TIME = ofRun('processor_time', { tNs: timeNs, busyS: real, allS: real }, { key: ['tNs'] });

/** How the services of a run started and ended. */
export const RUN_SERVICE = ofRun(
  'run_service',
  {
    service: text,
    /** Seconds from its start until it was ready; null: it never was. */
    readyS: nullable(real),
    /** Seconds from its stop signal to its end; null: it had ended before. */
    stopS: nullable(real),
    ended: oneOf(['stopped', 'killed', 'died']),
  },
  { key: ['service'] },
);

/** Numbers that a run printed. */
export const RUN_METRIC = ofRun('run_metric', { metric: text, value: real }, { key: ['metric'] });

/** Secondary channels whose readings are missing in a run that is good on the primary channel. */
export const RUN_UNREAD = ofRun(
  'run_unread',
  { channel: text, reason: text },
  { key: ['channel'], constraints: ['FOREIGN KEY (channel) REFERENCES channel(name)'] },
);

/** How the place of a run was prepared and started. */
export const RUN_PLACE = ofRun(
  'run_place',
  {
    /** Starts in the window: one start holds all executions, or each has its own. */
    starts: integer,
    /** Seconds of the window before the place had started, all starts together; null: only the command itself is started. */
    startUpS: nullable(real),
    /** Names of processes that `prepare` left running. */
    preparedNames: json<readonly string[]>(z.array(z.string())),
    /** Whether these processes kept running beside the workload; false: they were ended with `prepare`. */
    preparedRunOn: flag,
    /** True: whether the run met a limit is unknown, because its cgroup was gone when it ended and the kernel log can't be read. */
    limitUnseen: flag,
  },
  { constraints: ['CHECK (starts >= 1)', 'CHECK (start_up_s >= 0)'] },
);

/** Largest error of windows that another machine's clock timed, seconds. A run without a row was timed by the clock of the samples. */
export const RUN_CLOCK = ofRun(
  'run_clock',
  {
    /** Largest error of the window's start and end, seconds. */
    edgeS: real,
    /** Largest error of the window's length, seconds. */
    lengthS: real,
  },
  { constraints: ['CHECK (edge_s >= 0)', 'CHECK (length_s >= 0)'] },
);

/** Idle period that ends a session, so that the last run has idle on both sides too. */
export const IDLE = table(
  'idle',
  { session: integer, startNs: timeNs, endNs: timeNs },
  { constraints: ['FOREIGN KEY (session) REFERENCES session(session)'] },
);

/** Pairs of a duration in nanoseconds and a power in watts. */
const RawReadings = z.array(z.tuple([z.int().min(0), z.number().refine(isReading)])).max(1000);

export const SAMPLE = table(
  'sample',
  {
    session: integer,
    channel: integer,
    tNs: timeNs,
    powerW: real,
    durationS: real,
    /** Individual readings, if the power is the mean of several; null: the power is a single reading. */
    readings: nullable(json<readonly RawReading[]>(RawReadings)),
  },
  {
    key: ['session', 'channel', 'tNs'],
    constraints: [
      'FOREIGN KEY (session) REFERENCES session(session)',
      'FOREIGN KEY (channel) REFERENCES channel(channel)',
    ],
  },
);

/** Values that meters reported instead of watts, such as counters: `powerFrom` can compute the powers from them again. */
export const REPORTED = table(
  'told',
  {
    session: integer,
    channel: integer,
    tNs: timeNs,
    /** Index in the channel's quantities, from 0. */
    quantity: integer,
    value: real,
  },
  {
    key: ['session', 'channel', 'tNs', 'quantity'],
    constraints: [
      'FOREIGN KEY (session) REFERENCES session(session)',
      'FOREIGN KEY (channel) REFERENCES channel(channel)',
    ],
  },
);

export const EVENT = table(
  'event',
  { session: integer, tNs: timeNs, kind: oneOf(['gap', 'note']), detail: text },
  { constraints: ['FOREIGN KEY (session) REFERENCES session(session)'] },
);

/** Decision of one planned interim analysis, from the data at that time: a later analysis may give a slightly different p. */
export const INTERIM = table(
  'look',
  {
    /** Number of the interim analysis, from 1. */
    look: integer,
    /** Blocks planned before this analysis. */
    blocks: integer,
    /** Nominal level of this analysis, which p must not exceed. */
    nominalP: real,
    /** The largest p of the comparisons; null: one of them can't be tested. */
    p: nullable(real),
    /** Why the experiment ended here, before the end of its plan; null: it went on. */
    because: nullable(oneOf(EndReason.options)),
  },
  { key: ['look'] },
);

/** All tables, in the order of their creation. */
export const TABLES = [
  EXPERIMENT,
  VARIANT,
  PLANNED_RUN,
  METER,
  CHANNEL,
  NOISE_FLOOR,
  SESSION,
  RUN,
  MACHINE_STATE,
  QUIET_INSPECTION,
  INCIDENT,
  PHASE_MARK,
  RUN_USAGE,
  RUN_COUNTER,
  PROCESSOR_TIME,
  RUN_PLACE,
  RUN_CLOCK,
  RUN_SERVICE,
  RUN_METRIC,
  RUN_UNREAD,
  IDLE,
  SAMPLE,
  REPORTED,
  EVENT,
  INTERIM,
  ...OBSERVED_TABLES,
];
