import type { PassportCheck } from '../../findings/passport.ts';
import type { ChannelInfo, MeterInfo } from '../meter.ts';
import type { Recording, StepPlan } from './step-test.ts';
import { isQuiet, type StepResult } from './steps.ts';
import type { Timing } from './timing.ts';

/** The meter's clock may be so wrong, and its readings so uneven, before that says something (method reference, de-jittered clock). */
const WORST_RATE = 0.005;
const WORST_JITTER_S = 0.03;

export interface Checked {
  readonly info: MeterInfo;
  readonly channel: ChannelInfo;
  readonly plan: StepPlan;
  readonly recording: Recording;
  readonly timing: Timing | null;
  readonly result: StepResult;
  /** As in the passport. */
  readonly guardNeededS: number | null;
}

/** What the check found, each a sentence with its remedy. The meter is sane when none is `fail`. */
export function verdicts(checked: Checked): PassportCheck[] {
  return [rate(checked), jitter(checked), gaps(checked), ...quiet(checked), wiring(checked), ...latency(checked)];
}

const ok = (name: string, detail: string): PassportCheck => ({ name, state: 'ok', detail, advice: null });

function rate({ timing, channel }: Checked): PassportCheck {
  const name = 'rate';
  if (timing === null) {
    return { name, state: 'fail', detail: 'Too few readings came to say anything.', advice: 'Check the cable.' };
  }
  const { periodS, nominalPeriodS } = timing;
  const off = Math.abs(periodS / nominalPeriodS - 1);
  const detail = `A reading came every ${periodS.toFixed(4)} s; ${nominalPeriodS} s are usual.`;
  // Where the host asks, a rate that is a little off is a busy host and no fault: each reading counts for its own time.
  if (off <= (channel.clock === 'meter' ? WORST_RATE : 0.1)) return ok(name, detail);
  const advice =
    channel.clock === 'meter'
      ? "The meter's clock or this machine's is wrong: energy would be wrong by as much."
      : 'The meter answers slowly, or this machine is too busy to ask it in time.';
  return { name, state: channel.clock === 'meter' ? 'fail' : 'warn', detail, advice };
}

function jitter({ timing, channel }: Checked): PassportCheck {
  const name = 'jitter';
  const ms = ((timing?.jitterS ?? 0) * 1000).toFixed(1);
  if (timing === null || timing.jitterS <= Math.max(WORST_JITTER_S, 0.1 * channel.samplingPeriodS)) {
    return ok(name, `The readings come evenly, to ${ms} ms.`);
  }
  return {
    name,
    state: 'warn',
    detail: `The readings come unevenly, by ${ms} ms.`,
    advice: 'What else runs on this machine? A USB hub between may be the cause too.',
  };
}

function gaps({ recording }: Checked): PassportCheck {
  const name = 'gaps';
  const found = recording.events.filter(({ kind }) => kind === 'gap');
  if (found.length === 0) return ok(name, 'No reading is missing.');
  const times = found.length === 1 ? 'once' : `${found.length} times`;
  return {
    name,
    state: 'fail',
    detail: `Readings were missing ${times} (${found[0]?.detail ?? ''}): each time a run would be invalid.`,
    advice: 'Check the cable, plug the meter into the machine without a hub, and end other programs.',
  };
}

/** Only what spoils the test. */
function quiet({ recording: { phases } }: Checked): PassportCheck[] {
  const disturbed = (busy: boolean) =>
    phases
      .filter((phase) => phase.busy === busy)
      .flatMap(({ share }) => [share.settling, share.level])
      .filter((share) => share !== null && !isQuiet(busy, share)) as number[];
  const checks: PassportCheck[] = [];
  const restless = disturbed(false);
  if (restless.length > 0) {
    checks.push({
      name: 'idle',
      state: 'warn',
      detail: `Other programs used up to ${percent(Math.max(...restless))} of the processors while they should have been idle.`,
      advice: 'What they disturbed was not used.',
    });
  }
  const lazy = disturbed(true);
  if (lazy.length > 0) {
    checks.push({
      name: 'load',
      state: 'warn',
      detail: `The processors were busy for only ${percent(Math.min(...lazy))} of a time in which they should have been.`,
      advice: 'Something keeps them from working, for example the quota of a container.',
    });
  }
  return checks;
}

function wiring({ info, result, plan }: Checked): PassportCheck {
  const name = 'wiring';
  const fail = (detail: string, advice: string): PassportCheck => ({ name, state: 'fail', detail, advice });
  if (result.steps.length === 0) return fail('Too few readings came for a step to be seen.', 'Check the cable.');
  const steps = result.steps.filter((step) => step.quiet);
  if (steps.length === 0) {
    return fail(
      "Whether the meter meters this machine can't be said: other programs disturbed every step.",
      'End them and check again.',
    );
  }
  const seen = steps.filter((step) => step.seen);
  const up = seen.filter(({ stepW }) => stepW > 0);
  const watts = `${mean(steps.map((s) => s.idleW)).toFixed(1)} W idle, ${mean(steps.map((s) => s.busyW)).toFixed(1)} W busy`;
  const fluctuation = `${result.idleSdW.toFixed(2)} W of fluctuation`;
  if (up.length === steps.length) {
    const what = info.source === 'modelled' ? 'The model follows this machine' : 'The meter meters this machine';
    const times = steps.length === plan.steps ? 'at every step' : `at each of the ${steps.length} undisturbed steps`;
    return { name, state: 'ok', detail: `${what}: ${watts}, ${times}.`, advice: null };
  }
  if (seen.length === 0) {
    return fail(
      `The power does not follow this machine's processors: ${watts}, with ${fluctuation}.`,
      'Is this machine plugged into another outlet than the metered one, or does a second power supply feed it?',
    );
  }
  if (up.length === 0) {
    return fail(
      `The power falls while the processors work: ${watts}.`,
      'Is a current clamp the wrong way round, or is something between that feeds power back?',
    );
  }
  return fail(
    `The power followed this machine's processors at ${up.length} of ${steps.length} steps only: ${watts}, with ${fluctuation}.`,
    'Is another machine on the same meter? Only the measured one may be.',
  );
}

function latency({ info, channel, plan, result, guardNeededS }: Checked): PassportCheck[] {
  const name = 'latency';
  const check = (state: PassportCheck['state'], detail: string, advice: string | null = null): PassportCheck[] => {
    return [{ name, state, detail, advice }];
  };
  if (channel.integration === 'counter') {
    return check(
      'ok',
      'A counter is read at the very edges of a run: its latency is none, and only the wiring was tested.',
    );
  }
  const edges = result.edges.filter((edge) => edge.quiet && edge.latencyS !== null);
  const latencies = edges.flatMap(({ latencyS }) => latencyS ?? []);
  if (latencies.length === 0) return [];
  const detail = `The meter shows a step ${mean(latencies).toFixed(2)} s late`;
  const restless = edges.filter(({ guardS }) => guardS === null).length;
  if (restless > 0) {
    return check(
      restless > edges.length / 2 ? 'fail' : 'warn',
      `After ${restless} of ${edges.length} changes the power had not settled within ${plan.settleS.toFixed(1)} s.`,
      'The machine itself may be slow (a short boost, fans), or the meter slower than its type: measure with a guard of 10 s or more.',
    );
  }
  if (Math.min(...latencies) < -channel.samplingPeriodS) {
    return check(
      'warn',
      `${detail} in the mean, but once before it was made.`,
      'Something else changes the power: check again on an idle machine.',
    );
  }
  if (guardNeededS !== null && guardNeededS > info.minimumGuardS) {
    return check(
      'warn',
      `${detail}; a run touches readings up to ${guardNeededS} s away.`,
      `Set guard: ${guardNeededS}s or longer.`,
    );
  }
  return check('ok', `${detail}; a guard of ${info.minimumGuardS} s, the least for this meter, holds all of it.`);
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
