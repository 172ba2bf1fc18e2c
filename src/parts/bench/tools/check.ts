import { hostname } from 'node:os';
import type { ChannelInfo, MeterInfo } from '../../../contracts/reading.ts';
import { neededGuardS, type Passport } from '../../../findings/passport.ts';
import type { Meter } from '../../../meters/meter.ts';
import { COMPARED, settledAfterS, settlingValues } from '../../../sampling/settling.ts';
import { mean } from '../../../stats/sums.ts';
import type { Load } from './busy-processors.ts';
import { planSteps, type Recording, recordSteps, type StepControl, type StepPlan } from './step-test.ts';
import { analyzeSteps, isQuiet, type StepResult } from './steps.ts';
import { computeTiming, resolutionW, type Timing } from './timing.ts';
import { verdicts } from './verdict.ts';

export interface MeterCheck {
  readonly passport: Passport;
  /** Null: too few readings. */
  readonly timing: Timing | null;
  readonly result: StepResult;
}

/** The channel that is checked: the meter's primary one. */
export function checkedChannel(info: MeterInfo): ChannelInfo {
  const channel = info.channels[0];
  if (!channel) throw new Error(`the meter ${info.type} has no channel`);
  return channel;
}

/** Runs the step test on a meter and judges it; the meter is stopped afterwards. Rejects as `recordSteps` does. */
export async function checkMeter(meter: Meter, load: Load, steps: number, control: StepControl): Promise<MeterCheck> {
  const channel = checkedChannel(meter.info);
  const plan = planSteps(meter.info, channel, steps);
  const recording = await recordSteps(meter, channel.channel, load, plan, control);
  return judge(meter.info, channel, plan, recording);
}

/** Judges a recording of the step test. Pure, except for the time and the host's name in the passport. */
export function judge(info: MeterInfo, channel: ChannelInfo, plan: StepPlan, recording: Recording): MeterCheck {
  const { samples, events, phases, rest, replies } = recording;
  const timing = computeTiming(channel, samples);
  const periodS = timing?.periodS ?? channel.samplingPeriodS;
  const result = analyzeSteps(phases, samples, { settleS: plan.settleS, periodS });
  const counter = channel.integration === 'counter';
  const edges = counter ? [] : result.edges.filter(({ quiet }) => quiet);
  const latencies = edges.flatMap(({ latencyS }) => latencyS ?? []);
  const guards = edges.flatMap(({ guardS }) => guardS ?? []);
  const steps = result.steps.filter(({ quiet }) => quiet);
  const stepsW = steps.map(({ stepW }) => stepW);
  const draft: Passport = {
    schema: 'joulediff/passport/1',
    when: new Date().toISOString(),
    host: hostname(),
    type: info.type,
    address: info.address,
    source: info.source,
    identity: info.identity,
    channel: channel.channel,
    duration_s: durationS(rest === null ? phases : [...phases, rest]),
    readings: samples.length,
    gaps: events.filter(({ kind }) => kind === 'gap').length,
    period_s: periodS,
    nominal_period_s: channel.samplingPeriodS,
    jitter_s: timing?.jitterS ?? 0,
    longest_interval_s: timing?.longestS ?? 0,
    resolution_w: counter ? null : resolutionW(samples),
    latency:
      latencies.length === 0
        ? null
        : {
            mean_s: mean(latencies),
            sd_s: standardDeviation(latencies),
            max_s: Math.max(...latencies),
            edges: latencies.length,
          },
    ...(replies !== null && { reply: { mean_s: replies.meanS, max_s: replies.mostS } }),
    guard_needed_s: guards.length === 0 ? null : Math.max(...guards),
    step:
      stepsW.length === 0
        ? null
        : {
            idle_w: mean(steps.map(({ idleW }) => idleW)),
            busy_w: mean(steps.map(({ busyW }) => busyW)),
            step_w: mean(stepsW),
            sd_w: standardDeviation(stepsW),
            made: plan.steps,
            judged: steps.length,
            seen: steps.filter(({ seen }) => seen).length,
          },
    ...computeSettling(
      channel,
      plan,
      recording,
      steps.some(({ seen }) => seen),
    ),
    passed: false,
    checks: [],
  };
  const checks = verdicts({ info, channel, plan, recording, timing, result, guardNeededS: neededGuardS(draft) });
  const passed = checks.every(({ state }) => state !== 'fail');
  return { passport: { ...draft, checks, passed }, timing, result };
}

/**
 * Time for the power to settle after the last load. Absent if no load was seen, or the idle period before or
 * after the loads was disturbed or has too few readings.
 */
function computeSettling(
  channel: ChannelInfo,
  { settleS }: StepPlan,
  { samples, phases, rest }: Recording,
  isSeen: boolean,
): Pick<Passport, 'settling'> {
  const [cold, cooling] = [phases[0], phases.at(-1)];
  if (!isSeen || !cold || !cooling || !rest) return {};
  if (![cold, cooling, rest].every(({ share }) => isQuiet(false, share.level))) return {};
  const coldNs = cold.startNs + BigInt(Math.round(settleS * 1e9));
  const before = samples.filter(({ tNs }) => tNs > coldNs && tNs <= cold.endNs);
  const after = samples.filter(({ tNs }) => tNs > cooling.startNs && tNs <= rest.endNs);
  if ([before, after].some((some) => settlingValues(channel, some).length < COMPARED)) return {};
  return {
    settling: { after_s: settledAfterS(channel, before, after), watched_s: durationS([cooling, rest]) },
  };
}

function durationS(phases: Recording['phases']): number {
  const first = phases[0];
  const last = phases.at(-1);
  return first && last ? Number(last.endNs - first.startNs) / 1e9 : 0;
}

function standardDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const m = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - m) ** 2, 0) / (values.length - 1));
}
