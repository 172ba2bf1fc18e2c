import type { ChannelInfo, MeterEvent, MeterInfo, Sample } from '../../../contracts/reading.ts';
import type { Meter, Replies } from '../../../meters/meter.ts';
import { NegativePower } from '../../../meters/negative-power.ts';
import { FULL_REST_S } from '../../../sampling/settling.ts';
import { type Clock, nsToSeconds, SYSTEM_CLOCK, secondsToNs, sleepUntil } from '../../../system/clock.ts';
import type { Load } from './busy-processors.ts';
import type { Phase } from './steps.ts';

/** Durations of the test's phases for a meter, seconds. */
export interface StepPlan {
  readonly steps: number;
  /** Time after a step from which readings show the new level. */
  readonly settleS: number;
  /** Duration of a phase: settling, and enough readings of the level. */
  readonly phaseS: number;
  /** Idle time after the last phase, for a warm machine to cool down; 0: none. */
  readonly restS: number;
  /** Duration of the whole test. */
  readonly totalS: number;
}

/** Added to the settling time of the meter's type, so that a slower meter is recognized, with the guard that it needs. */
const MARGIN_S = { guard: 1, counter: 0 };
const LEVEL_S = { guard: 6, counter: 2 };
const LEVEL_READINGS = 6;

/** Phases long enough for the meter's settling and period; a counter has no settling and takes less. */
export function planSteps(info: MeterInfo, channel: ChannelInfo, steps: number): StepPlan {
  const settleS = info.minimumGuardS + channel.samplingPeriodS + MARGIN_S[channel.integration];
  const phaseS = settleS + Math.max(LEVEL_S[channel.integration], LEVEL_READINGS * channel.samplingPeriodS);
  // Each phase is longer by a different part of a period, so that steps occur at all phases of the meter's cycle.
  // A model has no heat to dissipate.
  const restS = info.source === 'modelled' ? 0 : FULL_REST_S;
  const totalS = (2 * steps + 1) * (phaseS + channel.samplingPeriodS / 2) + restS;
  return { steps, settleS, phaseS, restS, totalS };
}

/** Phases long enough for both meters, without a rest after them. */
export function planForBoth(a: StepPlan, b: StepPlan): StepPlan {
  const settleS = Math.max(a.settleS, b.settleS);
  const phaseS = settleS + Math.max(a.phaseS - a.settleS, b.phaseS - b.settleS);
  return { steps: a.steps, settleS, phaseS, restS: 0, totalS: (2 * a.steps + 1) * (phaseS + 1) };
}

/** Recording of a channel between start and end. */
export interface Recording {
  readonly samples: readonly Sample[];
  readonly events: readonly MeterEvent[];
  readonly phases: readonly Phase[];
  /** Idle period after the phases; null: the plan has none. */
  readonly rest: Phase | null;
  /** Null: the meter is not polled. */
  readonly replies: Replies | null;
}

export interface StepProgress {
  /** Number of the step, from 1; 0: the first idle phase. */
  readonly step: number;
  readonly busy: boolean;
  readonly leftS: number;
}

export interface StepControl {
  readonly signal: AbortSignal;
  report(progress: StepProgress): void;
  readonly clock?: Clock;
}

/**
 * Alternates idle and busy phases and records the meter, which it starts and stops. Rejects with the meter's error when it is lost,
 * or the signal's reason when aborted; the caller must then end the load.
 */
export async function recordSteps(
  meter: Meter,
  channel: string,
  load: Load,
  plan: StepPlan,
  { signal, report, clock = SYSTEM_CLOCK }: StepControl,
): Promise<Recording> {
  const samples: Sample[] = [];
  const events: MeterEvent[] = [];
  const lost = new AbortController();
  const negative = new NegativePower();
  const stop = AbortSignal.any([signal, lost.signal]);
  try {
    await meter.start({
      sample: (name, sample) => {
        if (name !== channel) return;
        samples.push(sample);
        const refusal = negative.take(name, sample.powerW);
        if (refusal !== null) lost.abort(refusal);
      },
      event: (event) => events.push(event),
      lost: (error) => lost.abort(error),
    });
    const phases: Phase[] = [];
    const idle = (seconds: number) => sleepUntil(clock.nowNs() + secondsToNs(seconds), stop, clock);
    const periodS = meter.info.channels.find((one) => one.channel === channel)?.samplingPeriodS ?? 1;
    let startNs = clock.nowNs();
    let worked = readWorked(load, clock);
    for (let index = 0; index <= 2 * plan.steps; index++) {
      stop.throwIfAborted();
      const busy = index % 2 === 1;
      const leftS = plan.restS + ((plan.totalS - plan.restS) * (2 * plan.steps + 1 - index)) / (2 * plan.steps + 1);
      report({ step: Math.ceil(index / 2), busy, leftS });
      await idle(plan.settleS);
      const settling = shareOf(load, worked, clock);
      worked = readWorked(load, clock);
      await idle(plan.phaseS - plan.settleS + Math.random() * periodS);
      const level = shareOf(load, worked, clock);
      const last = index === 2 * plan.steps;
      const endNs = last ? clock.nowNs() : await (busy ? load.off() : load.on());
      phases.push({ busy, startNs, endNs, share: { settling, level } });
      startNs = endNs;
      worked = readWorked(load, clock);
    }
    if (plan.restS === 0) return { samples, events, phases, rest: null, replies: meter.replies?.() ?? null };
    await idle(plan.restS);
    const share = shareOf(load, worked, clock);
    const rest = { busy: false, startNs, endNs: clock.nowNs(), share: { settling: share, level: share } };
    return { samples, events, phases, rest, replies: meter.replies?.() ?? null };
  } finally {
    await meter.stop();
  }
}

interface Worked {
  readonly workedS: number;
  readonly atS: number;
}

function readWorked(load: Load, clock: Clock): Worked | null {
  const workedS = load.workedS();
  return workedS === null ? null : { workedS, atS: nsToSeconds(clock.nowNs()) };
}

function shareOf(load: Load, since: Worked | null, clock: Clock): number | null {
  const now = readWorked(load, clock);
  if (!now || !since) return null;
  return Math.min(1, Math.max(0, (now.workedS - since.workedS) / (now.atS - since.atS)));
}
