import type { Check } from '../findings/checks.ts';
import { passportAdvice } from '../meters/passport/advice.ts';
import { LONGEST_HOLD_PERIODS } from '../sampling/sample-clock.ts';
import type { ChannelRecord, ExperimentRecord, SessionEnd, SessionRecord, VariantRecord } from '../store/records.ts';
import { revisionChecks } from './checks/revisions.ts';
import { speakingChecks } from './checks/speak.ts';
import type { ChannelSession, RunEnergies } from './run-energies.ts';
import { runLengths } from './run-length.ts';

export interface CheckedExperiment {
  readonly experiment: ExperimentRecord;
  readonly variants: readonly VariantRecord[];
  readonly sessions: readonly SessionRecord[];
  readonly energies: RunEnergies;
  readonly complete: boolean;
  /** Blocks after which a look ended it; null: none did. */
  readonly stoppedAt: number | null;
  /** Of the primary channel. */
  readonly meter: ChannelRecord['meter'];
}

/** What a reader must know about the quality of the data, each with advice. Objective, and blind to the outcome. */
export function checks(checked: CheckedExperiment): Check[] {
  return [
    throughThePlan(checked),
    goodRuns(checked),
    ...lengths(checked),
    oneSession(checked),
    ...sampleClocks(checked),
    ...meterPassport(checked),
    ...runsThemselves(checked),
    ...revisionChecks(checked.variants),
  ];
}

function runsThemselves({ energies, variants, experiment: { baseline } }: CheckedExperiment): Check[] {
  const primary = energies.channels[0]?.channel.channel;
  const hidden = new Set(variants.filter((v) => v.hidden).map(({ name }) => name));
  // An experiment of nothing but the two arms of the baseline has no other differences to look at.
  const all = hidden.size === 0 || variants.length === 2;
  const runs = all ? energies.runs : energies.runs.filter(({ variant }) => !hidden.has(variant));
  return primary === undefined ? [] : speakingChecks(runs, { channel: primary, baseline });
}

/** A model has none, and an emulator needs none. */
function meterPassport({ meter, experiment }: CheckedExperiment): Check[] {
  if (meter.passport === null && meter.source !== 'measured') return [];
  return [passportAdvice(meter.passport, experiment.guardS, Date.parse(experiment.startedAt))];
}

const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail, advice: null });

function lengths({ energies }: CheckedExperiment): Check[] {
  const channels = new Map(energies.channels.map(({ channel }) => [channel.channel, channel]));
  return runLengths(energies.runs, [...channels.values()]);
}

function throughThePlan({ complete, stoppedAt, sessions }: CheckedExperiment): Check {
  const name = 'plan';
  if (complete && stoppedAt !== null) {
    return ok(
      name,
      `It ended early by plan, at its look after ${stoppedAt} blocks; the planned runs beyond were not needed.`,
    );
  }
  if (complete) return ok(name, 'Every planned run has a valid execution.');
  const reason = endText(sessions.at(-1)?.end ?? null);
  return {
    name,
    state: 'warn',
    detail: `The experiment is not through its plan (${reason}); the numbers are of what was measured until then.`,
    advice: 'Run it again with --resume to complete it.',
  };
}

function endText(end: SessionEnd | null): string {
  if (end === null) return 'the process died';
  if (end.kind === 'stopped') return `stopped by ${end.signal}`;
  return end.kind === 'failed' ? end.message : 'complete';
}

function goodRuns({ energies }: CheckedExperiment): Check {
  const name = 'runs';
  const bad = Map.groupBy(
    energies.runs.filter(({ status }) => status !== 'ok' && status !== 'warmup'),
    ({ channel }) => channel,
  );
  if (bad.size === 0) return ok(name, 'No run failed or was invalid.');
  const primary = energies.channels[0]?.channel.channel ?? '';
  const ofPrimary = bad.get(primary) ?? [];
  const words = ofPrimary.length === 0 ? [] : [`${excludedWords(ofPrimary.length)} not compared.`];
  // A run may have its energy on the channel that decides, and none on another.
  const known = new Set(ofPrimary.map(({ run }) => run));
  for (const [channel, runs] of bad) {
    const more = runs.filter(({ run }) => !known.has(run)).length;
    if (more > 0) words.push(`On ${channel} alone ${excludedWords(more)} not compared there.`);
  }
  return { name, state: 'warn', detail: words.join(' '), advice: 'The reason of each is in runs.csv.' };
}

function excludedWords(count: number): string {
  return count === 1
    ? '1 run failed, was invalid or was set aside with its block, and is'
    : `${count} runs failed, were invalid or were set aside with their block, and are`;
}

function oneSession({ sessions }: CheckedExperiment): Check {
  const name = 'conditions';
  const first = sessions[0];
  const changed = sessions.filter((s) => JSON.stringify(s.conditions) !== JSON.stringify(first?.conditions));
  if (changed.length === 0) return ok(name, 'The machine was described the same way whenever measuring began.');
  return {
    name,
    state: 'warn',
    detail: 'The experiment was resumed on a machine that is described differently (kernel, governor, Docker, …).',
    advice: 'Measure it anew in one go if the difference matters; both descriptions are in the database.',
  };
}

/** Limits of the de-jittered clock: beyond 0.5 % the readings are not what the meter's type says; 30 ms is a busy host. */
const MOST_CLOCK_ERROR = 0.005;
const MOST_JITTER_S = 0.03;
const LEAVE_A_PROCESSOR = 'The host read them late: leave it a processor, or read the meter on another machine.';

/** How late the readings came, for each channel whose energy rests on their times. */
function sampleClocks({ energies }: CheckedExperiment): Check[] {
  const late = energies.channels.filter((c) => c.channel.integration === 'guard' && c.columns.tNs.length >= 3);
  return late.map((c) => {
    const name = late.length > 1 ? `sample clock of ${c.channel.channel}, session ${c.session}` : 'sample clock';
    return { name, ...(c.channel.clock === 'meter' ? meterClock(c) : hostClock(c)) };
  });
}

function meterClock({ channel, times }: ChannelSession): Omit<Check, 'name'> {
  const error = Math.abs(times.periodS / channel.samplingPeriodS - 1);
  const detail = `A reading came every ${times.periodS.toFixed(5)} s, scattered by ${milliseconds(times.jitterS)}.`;
  if (error > MOST_CLOCK_ERROR) {
    const advice = `The meter should give one every ${channel.samplingPeriodS} s: check the cable, and that nothing else reads this port.`;
    return { state: 'fail', detail, advice };
  }
  if (times.jitterS <= MOST_JITTER_S) return { state: 'ok', detail, advice: null };
  return { state: 'warn', detail, advice: LEAVE_A_PROCESSOR };
}

/** A late question loses nothing, but it sees an edge late. */
function hostClock({ channel, times }: ChannelSession): Omit<Check, 'name'> {
  const questions = `The meter was read every ${channel.samplingPeriodS} s, scattered by ${milliseconds(times.jitterS)}`;
  const detail = `${questions}; the longest pause was ${milliseconds(times.longestS)}.`;
  if (times.longestS <= LONGEST_HOLD_PERIODS * channel.samplingPeriodS) return { state: 'ok', detail, advice: null };
  return { state: 'warn', detail, advice: `${LEAVE_A_PROCESSOR} Runs with such a pause are not compared.` };
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(1)} ms`;
}
