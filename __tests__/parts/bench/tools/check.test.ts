// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { ChannelInfo, MeterEvent, MeterInfo, Sample } from '../../../../src/contracts/reading.ts';
import { isUndecided } from '../../../../src/findings/passport.ts';
import { randomUnit } from '../../../../src/meters/emulator/emulator.ts';
import type { Replies } from '../../../../src/meters/meter.ts';
import { checkText } from '../../../../src/parts/bench/commands/check-text.ts';
import { judge } from '../../../../src/parts/bench/tools/check.ts';
import { planSteps } from '../../../../src/parts/bench/tools/step-test.ts';
import type { Phase } from '../../../../src/parts/bench/tools/steps.ts';
import { passportCheckWords } from '../../../../src/report/words/passport-checks.ts';

const wall: ChannelInfo = { channel: 'wall', integration: 'guard', samplingPeriodS: 1, clock: 'meter' };
const info: MeterInfo = {
  type: 'watts-up-pro',
  address: '/dev/ttyUSB0',
  source: 'measured',
  identity: { model: 'PRO' },
  accuracy: null,
  minimumGuardS: 3,
  channels: [wall],
  remarks: [],
};
const ns = (seconds: number) => BigInt(Math.round(seconds * 1e9));

interface Scene {
  readonly powerW?: (busy: boolean, second: number) => number;
  readonly periodS?: number;
  readonly latencyS?: number;
  readonly events?: MeterEvent[];
  readonly share?: (busy: boolean, index: number) => number;
  /** Share of the processors that others use in the rest after the steps; absent: there is no rest. */
  readonly restShare?: number;
  readonly channel?: ChannelInfo;
  readonly source?: MeterInfo['source'];
  readonly replies?: Replies;
  readonly type?: string;
}

/** The check of a machine that takes 40 W, and 65 W when it works, or as the scene has it. */
function judged(scene: Scene = {}, steps = 3) {
  const { powerW = (busy) => (busy ? 65 : 40), periodS = 1, latencyS = 0.2, events = [], channel = wall } = scene;
  const share = scene.share ?? ((busy) => (busy ? 1 : 0.01));
  const about = { ...info, type: scene.type ?? info.type, channels: [channel], source: scene.source ?? info.source };
  const plan = planSteps(about, channel, steps);
  const phases: Phase[] = Array.from({ length: 2 * steps + 1 }, (_, i) => {
    const busy = i % 2 === 1;
    const startNs = ns(i * plan.phaseS);
    const level = share(busy, i);
    return { busy, startNs, endNs: startNs + ns(plan.phaseS), share: { settling: level, level } };
  });
  const endS = (2 * steps + 1) * plan.phaseS;
  const restS = scene.restShare === undefined ? 0 : plan.restS;
  const restShare = scene.restShare ?? null;
  const rest: Phase | null =
    restShare === null
      ? null
      : { busy: false, startNs: ns(endS), endNs: ns(endS + restS), share: { settling: restShare, level: restShare } };
  const samples: Sample[] = [];
  for (let k = 0; k * periodS < endS + restS; k++) {
    const at = k * periodS + 0.53;
    const busy = at - latencyS < endS && Math.floor((at - latencyS) / plan.phaseS) % 2 === 1;
    samples.push({ tNs: ns(at), powerW: powerW(busy, k), durationS: periodS });
  }
  return judge(about, channel, plan, { samples, events, phases, rest, replies: scene.replies ?? null });
}

const check = (scene: Scene = {}, steps = 3) => judged(scene, steps).passport;

const states = (passport: ReturnType<typeof check>) =>
  Object.fromEntries(passport.checks.map(({ name, state }) => [name, state]));
const reported = (passport: ReturnType<typeof check>, name: string) => {
  const found = passport.checks.find((one) => one.name === name);
  return found && { state: found.state, reason: found.reason, ...passportCheckWords(found) };
};
const detail = (passport: ReturnType<typeof check>, name: string) => reported(passport, name)?.found;

describe('judge', () => {
  it('puts into the passport how long answers take, where the meter is asked', () => {
    const asked = judged({ replies: { count: 77, meanS: 0.0312, mostS: 0.4 } });
    expect(asked.passport.reply).toEqual({ mean_s: 0.0312, max_s: 0.4 });
    expect(checkText(asked, null, { color: false })).toContain(
      'Replies     31.2 ms after the question on average, 400 ms at the most\n',
    );
    const unasked = judged();
    expect(unasked.passport.reply).toBeUndefined();
    expect(checkText(unasked, null, { color: false })).not.toContain('Replies');
  });

  it('passes a meter that follows the machine, and tells its step', () => {
    const passport = check();
    expect(states(passport)).toEqual({ rate: 'ok', jitter: 'ok', gaps: 'ok', wiring: 'ok', latency: 'ok' });
    expect(passport).toMatchObject({
      schema: 'joulediff/passport/1',
      type: 'watts-up-pro',
      passed: true,
      readings: 77,
      gaps: 0,
      resolution_w: 25,
      step: { idle_w: 40, busy_w: 65, step_w: 25, made: 3, judged: 3, seen: 3 },
    });
    expect(detail(passport, 'wiring')).toBe(
      'The meter measures this machine: 40.0 W idle, 65.0 W busy, at every step.',
    );
  });

  it('tests no wiring and no latency of a model', () => {
    const channel: ChannelInfo = { ...wall, integration: 'counter' };
    const made = judged({ source: 'modelled', channel });
    expect(states(made.passport)).not.toHaveProperty('latency');
    const text = checkText(made, null, { color: false });
    expect(text).toContain('The model follows this machine: 40.0 W idle, 65.0 W busy, at every step.');
    expect(text).toContain('It is not a measurement, so there is no wiring to test.');
    expect(text).not.toContain('The meter');
  });

  it('asks for the outlet when the power does not follow', () => {
    const passport = check({ powerW: (_, k) => 40 + randomUnit(1, k) });
    expect(passport).toMatchObject({ passed: false, latency: null, guard_needed_s: null, step: { seen: 0 } });
    const wiring = reported(passport, 'wiring');
    expect(wiring?.reason).toBe('no-step');
    expect(wiring?.found).toContain("The power does not follow this machine's processors: 40.");
    expect(wiring?.advice).toContain('another outlet');
  });

  it('tells of a step in the wrong direction', () => {
    const passport = check({ powerW: (busy) => (busy ? 30 : 40) });
    expect(passport.passed).toBe(false);
    expect(detail(passport, 'wiring')).toContain('The power falls while the processors work');
  });

  it('is not fooled by another machine that happened to step once', () => {
    const passport = check({ powerW: (busy, k) => (busy && k < 22 ? 65 : 40) });
    expect(passport).toMatchObject({ passed: false, step: { judged: 3, seen: 1 } });
    expect(detail(passport, 'wiring')).toContain('at only 1 of 3 steps');
  });

  it('judges the undisturbed steps alone', () => {
    const disturbed = (busy: boolean, k: number) => (busy || k < 11 ? 65 : 40);
    const share = (busy: boolean, i: number) => (busy ? 1 : i === 0 ? 0.9 : 0);
    const passport = check({ powerW: disturbed, share });
    expect(passport).toMatchObject({ passed: true, step: { made: 3, judged: 2, seen: 2 } });
    expect(states(passport)).toMatchObject({ idle: 'warn', wiring: 'ok' });
    expect(detail(passport, 'idle')).toContain('Other programs used up to 90 % of the processors');
  });

  it('tells how long the machine takes to settle, where nothing disturbs its rest and the meter sees it', () => {
    expect(check().settling).toBeUndefined();
    expect(check({ restShare: 0 }).settling).toEqual({ after_s: expect.any(Number), watched_s: 31 });
    const busy = check({ restShare: 0.5 });
    expect(busy.settling).toBeUndefined();
    expect(states(busy)).toMatchObject({ idle: 'warn', wiring: 'ok' });
    expect(check({ restShare: 0, powerW: (_, k) => 40 + randomUnit(1, k) }).settling).toBeUndefined();
  });

  it('says nothing of the outlet when others disturbed every step', () => {
    const passport = check({ share: () => 1 });
    expect(passport).toMatchObject({ passed: false, step: null, latency: null });
    expect(detail(passport, 'wiring')).toContain('other programs disturbed every step');
    expect(isUndecided(passport)).toBe(true);
    expect(isUndecided(check({ share: () => 1, periodS: 1.02 }))).toBe(false);
    expect(isUndecided(check())).toBe(false);
  });

  it.each([
    ['watts-up-pro', 'Check the cable.'],
    ['redfish', 'Check again with more steps. `joulediff meter watch` shows whether its readings keep coming.'],
    ['command', 'Check again with more steps. `joulediff meter watch` shows whether its readings keep coming.'],
  ])('asks for the cable only where there is one: %s', (type, advice) => {
    const passport = check({
      type,
      periodS: 9,
      latencyS: 0,
      events: [{ tNs: ns(3), kind: 'gap', detail: 'Nothing.' }],
    });
    expect(reported(passport, 'wiring')).toMatchObject({ reason: 'few-readings', advice });
    const others = passport.checks.map((one) => passportCheckWords(one).advice ?? '').join(' ');
    expect(/cable|hub/i.test(others)).toBe(type === 'watts-up-pro');
  });

  it('refuses a meter whose clock is off, and one with gaps', () => {
    expect(states(check({ periodS: 1.02 }))).toMatchObject({ rate: 'fail', wiring: 'ok' });
    const gap: MeterEvent = { tNs: ns(3), kind: 'gap', detail: 'The records of a second are missing.' };
    const passport = check({ events: [gap, { ...gap, kind: 'note' }] });
    expect(passport).toMatchObject({ gaps: 1, passed: false });
    expect(detail(passport, 'gaps')).toContain('The records of a second are missing.');
  });

  it('wants a longer guard for a meter that is later than its type', () => {
    const slow = { ...wall, samplingPeriodS: 0.5, clock: 'host' as const };
    const passport = check({ channel: slow, periodS: 0.5, latencyS: 3.7 });
    expect(passport.passed).toBe(true);
    expect(passport.latency?.mean_s).toBeGreaterThan(3);
    const latency = reported(passport, 'latency');
    expect(latency).toMatchObject({ state: 'warn', advice: expect.stringMatching(/^Set guard: 3\.\ds or longer\.$/) });
  });

  it('looks for no latency in a counter, and calls a model a model', () => {
    const counter: ChannelInfo = { channel: 'cpu-model', integration: 'counter', samplingPeriodS: 0.1, clock: 'host' };
    const passport = check({ channel: counter, periodS: 0.1, latencyS: 0, source: 'modelled' });
    expect(passport).toMatchObject({ passed: true, latency: null, guard_needed_s: null, resolution_w: null });
    expect(detail(passport, 'wiring')).toContain('The model follows this machine');
  });
});
