import type { batchState } from '../experiment/batches.ts';
import type { SuitePair } from '../experiment/suite.ts';
import type { Check, CheckOf } from '../findings/checks.ts';
import type { Findings } from '../findings/findings.ts';
import { LONGEST_HOLD_PERIODS } from '../sampling/sample-clock.ts';
import type {
  ChannelRecord,
  ExperimentRecord,
  QuietInspection,
  RunIncidents,
  SessionEnd,
  SessionRecord,
  VariantRecord,
} from '../store/records.ts';
import { emulatedCheck } from './checks/emulated.ts';
import { incidentChecks, unseenLimits } from './checks/incidents.ts';
import { leftByPrepare } from './checks/left-by-prepare.ts';
import { passportCheck } from './checks/meter-passport.ts';
import { meterReadings } from './checks/meter-readings.ts';
import { mirroredZones } from './checks/mirrored-zones.ts';
import { quietCheck } from './checks/quiet.ts';
import { renewal } from './checks/renewal.ts';
import { restsCheck } from './checks/rests.ts';
import { revisionChecks } from './checks/revisions.ts';
import { runChecks } from './checks/run-checks.ts';
import { smallestLoad } from './checks/smallest-load.ts';
import { startUpCheck } from './checks/start-up.ts';
import type { RunEnergies } from './run-energies.ts';
import { runLengths } from './run-length.ts';

export interface CheckedExperiment {
  readonly experiment: ExperimentRecord;
  readonly variants: readonly VariantRecord[];
  readonly sessions: readonly SessionRecord[];
  readonly energies: RunEnergies;
  /** Incidents by run number. */
  readonly incidents: ReadonlyMap<number, RunIncidents>;
  readonly quietInspections: readonly QuietInspection[];
  /** Whether the experiment file asks for a new start of the place for every execution. */
  readonly asksForStarts: boolean;
  /** Whether its file has keys that exclude several executions in a window. */
  readonly batch: ReturnType<typeof batchState>;
  /** What is compared with what; absent: every variant with the baseline. */
  readonly pairs?: readonly Pick<SuitePair, 'baseline' | 'variant'>[] | undefined;
  /** Variants of the benchmarks that are compared; absent: there is no suite, and all variants count. */
  readonly cells?: ReadonlySet<string> | undefined;
  readonly complete: boolean;
  /** Number of blocks after which an interim analysis ended the experiment; null: none did. */
  readonly stoppedAt: number | null;
  /** Meter of the primary channel. */
  readonly meter: ChannelRecord['meter'];
  /** Summary of rests that ended when the machine had settled; absent: every rest had a fixed length. */
  readonly rests?: Findings['experiment']['rests'];
}

/** Checks of the data quality, each with advice. They use facts only and do not depend on the result. */
export function checks(checked: CheckedExperiment): Check[] {
  const primary = checked.energies.channels[0]?.channel.channel;
  const runs = checked.energies.runs.filter(({ channel }) => channel === primary);
  return [
    throughThePlan(checked),
    ...emulatedCheck(checked.variants.filter(({ facts }) => facts.vm_accel === 'tcg').map(({ name }) => name)),
    goodRuns(checked),
    ...lengths(checked),
    ...startUpCheck(runs, checked),
    ...leftByPrepare(runs),
    ...unseenLimits(runs),
    oneSession(checked),
    ...sameFiles(checked),
    ...quietCheck(checked.quietInspections),
    ...restsCheck(checked.rests),
    ...incidentChecks(runs, checked.incidents),
    ...sampleClocks(checked),
    ...(checked.meter.source === 'modelled' ? [] : ofReadings(checked)),
    ...mirroredZones(checked.energies.channels.map(({ channel }) => channel)),
    ...meterPassport(checked),
    ...runsThemselves(checked),
    ...revisionChecks(checked.variants),
  ];
}

function ofReadings({ energies, experiment: { guardS } }: CheckedExperiment): Check[] {
  return [...meterReadings(energies, guardS), ...renewal(energies, guardS), ...smallestLoad(energies, guardS)];
}

function runsThemselves({ energies, variants, pairs, experiment: { baseline } }: CheckedExperiment): Check[] {
  const primary = energies.channels[0]?.channel.channel;
  // An experiment with only the two arms of the baseline has no other differences to check.
  const hidden = variants.length === 2 ? undefined : variants.find((variant) => variant.hidden)?.name;
  return primary === undefined ? [] : runChecks(energies.runs, { channel: primary, baseline, pairs, hidden });
}

/** Check of the meter's passport; models have none, and emulators need none. */
function meterPassport({ meter, experiment }: CheckedExperiment): Check[] {
  if (meter.passport === null && meter.source !== 'measured') return [];
  return [passportCheck(meter.passport, experiment.guardS, Date.parse(experiment.startedAt))];
}

function lengths({ energies, batch, cells }: CheckedExperiment): Check[] {
  const runs = cells === undefined ? energies.runs : energies.runs.filter(({ variant }) => cells.has(variant));
  const channels = new Map(energies.channels.map(({ channel }) => [channel.channel, channel]));
  return runLengths(runs, [...channels.values()], batch);
}

function throughThePlan({ complete, stoppedAt, sessions }: CheckedExperiment): Check {
  const name = 'plan';
  const facts = { blocks: stoppedAt, ended: null, signal: null, message: null };
  if (complete) return { name, state: 'ok', reason: stoppedAt === null ? 'complete' : 'ended-early', facts };
  return { name, state: 'warn', reason: 'incomplete', facts: { ...facts, ...endOf(sessions.at(-1)?.end ?? null) } };
}

function endOf(end: SessionEnd | null): Partial<CheckOf<'plan'>['facts']> {
  if (end === null) return { ended: 'died' };
  if (end.kind === 'stopped') return { ended: 'stopped', signal: end.signal };
  return end.kind === 'failed' ? { ended: 'failed', message: end.message } : { ended: 'complete' };
}

function goodRuns({ energies }: CheckedExperiment): Check {
  const bad = Map.groupBy(
    energies.runs.filter(({ status }) => status !== 'ok' && status !== 'warmup'),
    ({ channel }) => channel,
  );
  const ofPrimary = bad.get(energies.channels[0]?.channel.channel ?? '') ?? [];
  // A run may have an energy on the primary channel but not on another.
  const known = new Set(ofPrimary.map(({ run }) => run));
  const elsewhere = [...bad].flatMap(([channel, runs]) => {
    const more = runs.filter(({ run }) => !known.has(run)).length;
    return more === 0 ? [] : [{ channel, runs: more }];
  });
  const facts = { excluded: ofPrimary.length, elsewhere, warmups: null, listed: null };
  const isGood = bad.size === 0;
  return { name: 'runs', state: isGood ? 'ok' : 'warn', reason: isGood ? 'none-excluded' : 'excluded', facts };
}

function oneSession({ sessions }: CheckedExperiment): Check {
  // Settings made by joulediff are excluded here: they are in the other conditions, and their earlier values were not measured.
  const conditions = sessions.map((session) => JSON.stringify({ ...session.conditions, set: undefined }));
  const changed = conditions.some((each) => each !== conditions[0]);
  return { name: 'conditions', state: changed ? 'warn' : 'ok', reason: changed ? 'changed' : 'same', facts: {} };
}

/** Whether each session ran the same files; no check for an experiment that was not resumed. */
function sameFiles({ sessions }: CheckedExperiment): Check[] {
  const [first, ...later] = sessions.flatMap(({ files }) => files ?? []);
  if (first === undefined || later.length === 0) return [];
  const names = [first, ...later].flatMap(({ named }) => Object.keys(named));
  const facts = {
    commit: later.some(({ commit }) => commit !== first.commit),
    changes: later.some(({ changes }) => changes !== first.changes),
    named: [...new Set(names)].filter((name) => later.some(({ named }) => named[name] !== first.named[name])).sort(),
  };
  const changed = facts.commit || facts.changes || facts.named.length > 0;
  return [{ name: 'files', state: changed ? 'warn' : 'ok', reason: changed ? 'changed' : 'same', facts }];
}

/** Maximum relative error of the sample clock: beyond 0.5 %, the readings do not match the meter's type; 30 ms of delay mean a busy host. */
const MAX_CLOCK_ERROR = 0.005;
const MAX_JITTER_S = 0.03;

/** Delay of the readings, for each channel whose energy depends on their times. */
function sampleClocks({ energies }: CheckedExperiment): Check[] {
  const late = energies.channels.filter((c) => c.channel.integration === 'guard' && c.columns.tNs.length >= 3);
  return late.map(({ channel, session, times }) => {
    const isNamed = late.length > 1 || !channel.primary;
    const facts = {
      channel: isNamed ? channel.channel : null,
      session: isNamed ? session : null,
      clock: channel.clock === 'meter' ? ('meter' as const) : ('host' as const),
      period_s: times.periodS,
      nominal_period_s: channel.samplingPeriodS,
      jitter_s: times.jitterS,
      longest_s: times.longestS,
    };
    return { name: 'sample clock', ...(facts.clock === 'meter' ? meterClock(facts) : hostClock(facts)), facts };
  });
}

type Clock = CheckOf<'sample clock'>;

function meterClock({ period_s, nominal_period_s, jitter_s }: Clock['facts']): Pick<Clock, 'state' | 'reason'> {
  if (Math.abs(period_s / nominal_period_s - 1) > MAX_CLOCK_ERROR) return { state: 'fail', reason: 'wrong-rate' };
  return jitter_s <= MAX_JITTER_S ? { state: 'ok', reason: 'even' } : { state: 'warn', reason: 'scattered' };
}

/** Check of polling times: a late poll loses no energy, but shows an edge late. */
function hostClock({ nominal_period_s, longest_s }: Clock['facts']): Pick<Clock, 'state' | 'reason'> {
  const most = LONGEST_HOLD_PERIODS * nominal_period_s;
  return longest_s <= most ? { state: 'ok', reason: 'even' } : { state: 'warn', reason: 'long-pause' };
}
