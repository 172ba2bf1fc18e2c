import * as z from 'zod';
import type { MeterInfo, RawReading } from '../contracts/reading.ts';
import type { PlaceFacts, WorkloadFiles } from '../contracts/variant.ts';
import { STOP_SIGNALS } from '../errors.ts';
import { recordedExperiment, recordedVariant } from '../experiment/recorded.ts';
import { Noise } from '../findings/checks.ts';
import { EndReason } from '../findings/comparison.ts';
import { Conditions } from '../findings/findings.ts';
import { MachinePart, scalar } from '../findings/numbers.ts';
import { Passport } from '../findings/passport.ts';
import { RecordedCounter, Uncounted } from '../findings/resources.ts';
import { ReportedVersion, SeenAround, Unseen } from '../findings/surroundings.ts';
import { type Quantity, TOLD_ROLES, TOLD_UNITS } from '../sampling/told.ts';
import { REST_ENDS, RUN_CAUSES, RUN_STATUSES } from '../schedule/outcome.ts';
import { OBSERVED_TABLES } from './observed-tables.ts';
import { flag, integer, isReading, json, nullable, oneOf, real, type Table, table, text, timeNs } from './table.ts';

// Raw observations only, nothing derived but `look`: without it nobody could tell whether a plan is complete. Times are CLOCK_MONOTONIC
// nanoseconds of their session, power is in watts. A change here goes with a migration.

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
    /** The whole experiment, resolved. */
    definition: json(recordedExperiment),
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
    /** Its place from inside, and those of its services, before the first block; null: not looked at, or `unseen` says why. */
    surroundings: nullable(json<SeenAround>(SeenAround)),
    unseen: nullable(oneOf(Unseen.options)),
    /** What its command for the version printed; null: it has none, or could not be asked. */
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
      unit: z.enum(TOLD_UNITS),
      role: z.enum(TOLD_ROLES),
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
    /** What its meter tells in the place of watts, or beside them; null: it tells watts. */
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
    /** What stopped it. */
    endSignal: nullable(oneOf(STOP_SIGNALS)),
    /** What it failed with. */
    endMessage: nullable(text),
    /** Zero of the sample columns of this session, nanoseconds on CLOCK_MONOTONIC. */
    originNs: timeNs,
    conditions: json<Conditions>(Conditions),
    /** Null: not read. */
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
    /** Number of this execution, from 1, in the order of execution. */
    run: integer,
    /** The planned run that this execution was for. */
    planned: integer,
    /** 1, or more where the block was repeated. */
    attempt: integer,
    position: integer,
    session: integer,
    status: oneOf(RUN_STATUSES),
    /** Why it is failed or invalid; null: it is neither. */
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
export const MACHINE_STATE = table(
  'machine_state',
  {
    run: integer,
    governor: nullable(text),
    temperatureC: nullable(real),
    load: nullable(real),
  },
  { key: ['run'], constraints: ['FOREIGN KEY (run) REFERENCES run(run)'] },
);

/** How quiet the machine was found before a block, and how long that was waited for. */
export const QUIET_INSPECTION = table(
  'quiet_look',
  {
    session: integer,
    tNs: timeNs,
    block: integer,
    warmup: flag,
    /** What was found first, in a fixed order; empty: nothing. */
    found: json<readonly Noise[]>(z.array(Noise)),
    /** What was still there in the end. */
    remaining: json<readonly Noise[]>(z.array(Noise)),
    waitedS: real,
    /** At the end, as far as they can be read. Processors that others kept busy. */
    load: nullable(real),
    temperatureC: nullable(real),
    /** The sum of what the policies of the processors' clocks allow. */
    limitHz: nullable(real),
    /** Times since the look before, in runs too. */
    throttled: nullable(integer),
  },
  {
    constraints: ['FOREIGN KEY (session) REFERENCES session(session)', 'CHECK (waited_s >= 0)'],
  },
);

/** What happened to the machine in a run, its guards included; null: it can't be read there. */
export const INCIDENT = table(
  'incident',
  {
    run: integer,
    /** Times that processors were throttled. */
    throttled: nullable(integer),
    /** The kernel's, warnings and worse. */
    kernelMessages: nullable(json<readonly string[]>(z.array(z.string()))),
  },
  { key: ['run'], constraints: ['FOREIGN KEY (run) REFERENCES run(run)'] },
);

export const PHASE_MARK = table(
  'phase_mark',
  {
    run: integer,
    mark: integer,
    tNs: timeNs,
    lateNs: timeNs,
    phase: nullable(text),
  },
  { key: ['run', 'mark'], constraints: ['FOREIGN KEY (run) REFERENCES run(run)', 'CHECK (late_ns >= 0)'] },
);

/** Resources that a run used. */
export const RUN_USAGE = table(
  'run_usage',
  {
    run: integer,
    cpuS: nullable(real),
    peakMemoryBytes: nullable(integer),
    readBytes: nullable(integer),
    writtenBytes: nullable(integer),
  },
  { key: ['run'], constraints: ['FOREIGN KEY (run) REFERENCES run(run)'] },
);

/** What the kernel counted in the window of a run: for the run itself, or for the whole machine. */
export const RUN_COUNTER = table(
  'run_counter',
  {
    run: integer,
    counter: oneOf(RecordedCounter.options),
    value: nullable(real),
    /** Why it is not known; null: it is. */
    missing: nullable(oneOf(Uncounted.options)),
  },
  {
    key: ['run', 'counter'],
    constraints: ['FOREIGN KEY (run) REFERENCES run(run)', 'CHECK ((value IS NULL) = (missing IS NOT NULL))'],
  },
);

/** How the services of a run did. */
export const RUN_SERVICE = table(
  'run_service',
  {
    run: integer,
    service: text,
    /** Seconds from its start until it was ready; null: it never was. */
    readyS: nullable(real),
    /** Seconds from its stop signal to its end; null: it was gone before. */
    stopS: nullable(real),
    ended: oneOf(['stopped', 'killed', 'died']),
  },
  { key: ['run', 'service'], constraints: ['FOREIGN KEY (run) REFERENCES run(run)'] },
);

/** Numbers that a run printed. */
export const RUN_METRIC = table(
  'run_metric',
  { run: integer, metric: text, value: real },
  { key: ['run', 'metric'], constraints: ['FOREIGN KEY (run) REFERENCES run(run)'] },
);

/** Secondary channels whose readings are missing in a run that is good on the primary channel. */
export const RUN_UNREAD = table(
  'run_unread',
  { run: integer, channel: text, reason: text },
  {
    key: ['run', 'channel'],
    constraints: ['FOREIGN KEY (run) REFERENCES run(run)', 'FOREIGN KEY (channel) REFERENCES channel(name)'],
  },
);

/** How a run's place was used. */
export const RUN_PLACE = table(
  'run_place',
  {
    run: integer,
    /** Starts in the window: one that holds all executions, or one for each. */
    starts: integer,
    /** Of the window, until the place had started, all starts together; null: nothing but the command is started. */
    startUpS: nullable(real),
    /** Names of processes that `prepare` left running. */
    preparedNames: json<readonly string[]>(z.array(z.string())),
    /** They ran on beside the workload; else they ended with `prepare`. */
    preparedRunOn: flag,
    /** Its accounts were gone when it ended, and the kernel's log can't be read: whether it met a limit is not known. */
    limitUnseen: flag,
  },
  {
    key: ['run'],
    constraints: ['FOREIGN KEY (run) REFERENCES run(run)', 'CHECK (starts >= 1)', 'CHECK (start_up_s >= 0)'],
  },
);

/** How far off the window of a run may be that another machine's clock told, seconds at the most; no row: it is on the clock of the samples. */
export const RUN_CLOCK = table(
  'run_clock',
  {
    run: integer,
    /** How far the start and the end of the window may be off at the most, seconds. */
    edgeS: real,
    /** How far the time between them may be off at the most, seconds. */
    lengthS: real,
  },
  {
    key: ['run'],
    constraints: ['FOREIGN KEY (run) REFERENCES run(run)', 'CHECK (edge_s >= 0)', 'CHECK (length_s >= 0)'],
  },
);

/** Idle stretch that closes a session, so that the last run has idle on both sides too. */
export const IDLE = table(
  'idle',
  { session: integer, startNs: timeNs, endNs: timeNs },
  { constraints: ['FOREIGN KEY (session) REFERENCES session(session)'] },
);

/** Nanoseconds and watts. */
const RawReadings = z.array(z.tuple([z.int().min(0), z.number().refine(isReading)])).max(1000);

export const SAMPLE = table(
  'sample',
  {
    session: integer,
    channel: integer,
    tNs: timeNs,
    powerW: real,
    durationS: real,
    /** What the meter gave, where the power is the mean of several readings; null: it is what the meter gave. */
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

/** What meters told that tell something else than watts: the powers of such channels can be computed from it again (`powerFrom`). */
export const TOLD = table(
  'told',
  {
    session: integer,
    channel: integer,
    tNs: timeNs,
    /** Place in the channel's quantities, from 0. */
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

/** What was decided at one planned look; on what was known then, so that a later analysis may find p a little different. */
export const LOOK = table(
  'look',
  {
    /** From 1. */
    look: integer,
    /** Blocks planned up to this look. */
    blocks: integer,
    /** Level that a p must not exceed here. */
    nominalP: real,
    /** The greatest p of the comparisons; null: one can't be tested. */
    p: nullable(real),
    /** Why the experiment ended here, so that what the plan holds beyond is not needed; null: it did not. */
    because: nullable(oneOf(EndReason.options)),
  },
  { key: ['look'] },
);

/** All tables, in the order in which they are made. */
export const TABLES: readonly Pick<Table<never>, 'name' | 'ddl' | 'checks'>[] = [
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
  RUN_PLACE,
  RUN_CLOCK,
  RUN_SERVICE,
  RUN_METRIC,
  RUN_UNREAD,
  IDLE,
  SAMPLE,
  TOLD,
  EVENT,
  LOOK,
  ...OBSERVED_TABLES,
];
