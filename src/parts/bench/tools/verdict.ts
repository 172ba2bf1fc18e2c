import type { ChannelInfo, MeterInfo } from '../../../contracts/reading.ts';
import type { PassportCheck, PassportCheckOf } from '../../../findings/passport.ts';
import { isSerial } from '../../../meters/registry.ts';
import { mean } from '../../../stats/sums.ts';
import type { Recording, StepPlan } from './step-test.ts';
import { isQuiet, type Phase, type StepResult } from './steps.ts';
import type { Timing } from './timing.ts';

/** Maximum relative error of the meter's clock, and maximum jitter; beyond them the check warns (method reference, de-jittered clock). */
const WORST_RATE = 0.005;
const WORST_HOST_RATE = 0.1;
const WORST_JITTER_S = 0.03;

export interface Checked {
  readonly info: MeterInfo;
  readonly channel: ChannelInfo;
  readonly plan: StepPlan;
  readonly recording: Recording;
  readonly timing: Timing | null;
  readonly result: StepResult;
  /** Guard for the passport, seconds; null: unknown. */
  readonly guardNeededS: number | null;
}

/** Findings of the check. The meter has passed when none is `fail`. */
export function verdicts(checked: Checked): PassportCheck[] {
  return [
    rate(checked),
    jitter(checked),
    gaps(checked),
    ...disturbances(checked.recording.phases.concat(checked.recording.rest ?? [])),
    wiring(checked),
    ...latency(checked),
  ];
}

function rate({ info, timing, channel }: Checked): PassportCheck {
  const name = 'rate';
  const nominalS = timing?.nominalPeriodS ?? channel.samplingPeriodS;
  const facts = { period_s: timing?.periodS ?? null, nominal_period_s: nominalS, serial: isSerial(info) };
  if (facts.period_s === null) return { name, state: 'fail', reason: 'few-readings', facts };
  const off = Math.abs(facts.period_s / nominalS - 1);
  // For a polled meter, a slightly wrong rate means a busy host and is no fault: each reading counts for its actual duration.
  if (off <= (channel.clock === 'meter' ? WORST_RATE : WORST_HOST_RATE)) {
    return { name, state: 'ok', reason: 'usual', facts };
  }
  return channel.clock === 'meter'
    ? { name, state: 'fail', reason: 'clock-off', facts }
    : { name, state: 'warn', reason: 'host-off', facts };
}

function jitter({ info, timing, channel }: Checked): PassportCheck {
  const name = 'jitter';
  const jitterS = timing?.jitterS ?? 0;
  const facts = { jitter_s: jitterS, serial: isSerial(info) };
  return jitterS <= Math.max(WORST_JITTER_S, 0.1 * channel.samplingPeriodS)
    ? { name, state: 'ok', reason: 'even', facts }
    : { name, state: 'warn', reason: 'uneven', facts };
}

function gaps({ info, recording }: Checked): PassportCheck {
  const name = 'gaps';
  const found = recording.events.filter(({ kind }) => kind === 'gap');
  const facts = { count: found.length, first: found[0]?.detail ?? null, serial: isSerial(info) };
  return found.length === 0
    ? { name, state: 'ok', reason: 'none', facts }
    : { name, state: 'fail', reason: 'seen', facts };
}

/** Disturbances of the steps by other programs, if they affect the result. */
export function disturbances(phases: readonly Phase[]): PassportCheck[] {
  const disturbed = (busy: boolean) =>
    phases
      .filter((phase) => phase.busy === busy)
      .flatMap(({ share }) => [share.settling, share.level])
      .filter((share) => share !== null && !isQuiet(busy, share)) as number[];
  const checks: PassportCheck[] = [];
  const restless = disturbed(false);
  if (restless.length > 0) {
    checks.push({ name: 'idle', state: 'warn', reason: 'disturbed', facts: { most_share: Math.max(...restless) } });
  }
  const lazy = disturbed(true);
  if (lazy.length > 0) {
    checks.push({ name: 'load', state: 'warn', reason: 'hindered', facts: { least_share: Math.min(...lazy) } });
  }
  return checks;
}

function wiring({ info, result, plan }: Checked): PassportCheck {
  const steps = result.steps.filter((step) => step.quiet);
  const seen = steps.filter((step) => step.seen);
  const up = seen.filter(({ stepW }) => stepW > 0).length;
  const facts = {
    idle_w: steps.length === 0 ? null : mean(steps.map(({ idleW }) => idleW)),
    busy_w: steps.length === 0 ? null : mean(steps.map(({ busyW }) => busyW)),
    idle_sd_w: result.idleSdW,
    up,
    judged: steps.length,
    made: plan.steps,
    serial: isSerial(info),
  };
  const check = (state: PassportCheck['state'], reason: PassportCheckOf<'wiring'>['reason']): PassportCheck => {
    return { name: 'wiring', state, reason, facts };
  };
  if (result.steps.length === 0) return check('fail', 'few-readings');
  if (steps.length === 0) return check('fail', 'disturbed');
  if (up === steps.length) return check('ok', info.source === 'modelled' ? 'model-follows' : 'follows');
  if (seen.length === 0) return check('fail', 'no-step');
  return check('fail', up === 0 ? 'falls' : 'some-steps');
}

function latency({ info, channel, plan, result, guardNeededS }: Checked): PassportCheck[] {
  // A model has neither a latency nor a cable.
  if (info.source === 'modelled') return [];
  const counter = channel.integration === 'counter';
  const edges = counter ? [] : result.edges.filter((edge) => edge.quiet && edge.latencyS !== null);
  const latencies = edges.flatMap(({ latencyS }) => latencyS ?? []);
  if (!counter && latencies.length === 0) return [];
  const unsettled = edges.filter(({ guardS }) => guardS === null).length;
  const facts = {
    mean_s: counter ? null : mean(latencies),
    unsettled,
    edges: edges.length,
    settle_s: plan.settleS,
    guard_needed_s: guardNeededS,
    minimum_guard_s: info.minimumGuardS,
  };
  const check = (state: PassportCheck['state'], reason: PassportCheckOf<'latency'>['reason']): PassportCheck[] => {
    return [{ name: 'latency', state, reason, facts }];
  };
  if (counter) return check('ok', 'counter');
  if (unsettled > 0) return check(unsettled > edges.length / 2 ? 'fail' : 'warn', 'unsettled');
  if (Math.min(...latencies) < -channel.samplingPeriodS) return check('warn', 'early');
  if (guardNeededS !== null && guardNeededS > info.minimumGuardS) return check('warn', 'short-guard');
  return check('ok', 'held');
}
