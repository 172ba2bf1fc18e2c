// Class: system.
import { describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../../src/errors.ts';
import type { Passport } from '../../../../src/findings/passport.ts';
import type { Load } from '../../../../src/parts/bench/tools/busy-processors.ts';
import { checkMeter } from '../../../../src/parts/bench/tools/check.ts';
import type { StepProgress } from '../../../../src/parts/bench/tools/step-test.ts';
import { rejection } from '../../../meters/collect.ts';
import { onRealPort, onVirtualPort, type Place } from '../../../meters/place.ts';

/** Works by telling the emulated machine, so that the true moments are known whatever this machine does. */
class TellingLoad implements Load {
  readonly words = 'the emulated machine busy';
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async on(): Promise<bigint> {
    return this.#tell('on');
  }

  async off(): Promise<bigint> {
    return this.#tell('off');
  }

  workedS(): null {
    return null;
  }

  async end(): Promise<void> {}

  #tell(word: string): bigint {
    const tNs = this.#place.host.clock.nowNs();
    this.#place.steer(`${word} ${tNs}`);
    return tNs;
  }
}

const never = new AbortController().signal;

async function findsLatencyAndStep(place: Place): Promise<void> {
  const meter = await place.open();
  const reported: StepProgress[] = [];
  const { passport } = await checkMeter(meter, new TellingLoad(place), 1, {
    signal: never,
    report: (one) => reported.push(one),
    clock: place.host.clock,
  });
  expect(passport).toMatchObject({ source: 'emulated', passed: true, gaps: 0, resolution_w: 0.1 });
  expect(passport.step).toMatchObject({ made: 1, judged: 1, seen: 1 });
  expect(Math.abs((passport.step?.step_w ?? 0) - 25)).toBeLessThan(0.5);
  expect(passport.latency?.edges).toBe(2);
  expect(Math.abs((passport.latency?.mean_s ?? 0) - 0.4)).toBeLessThan(0.15);
  expect(place.truth().late).toBe(0);
  expect(reported.map(({ step, busy }) => [step, busy])).toEqual([
    [0, false],
    [1, true],
    [1, false],
  ]);
}

/** Checks a machine that cools down with this lag after each load. */
function checkCooling(heatS: number, args: readonly string[] = [], steps = 5): Promise<Passport['settling']> {
  return new Promise((resolve, reject) => {
    const work = async (place: Place): Promise<void> => {
      const control = { signal: never, report: () => {}, clock: place.host.clock };
      const { passport } = await checkMeter(await place.open(), new TellingLoad(place), steps, control);
      expect(passport).toMatchObject({ passed: true, step: { seen: steps } });
      resolve(passport.settling);
    };
    onVirtualPort('watts-up-pro', ['--noise', '0.1', '--heat', String(heatS), ...args], work)().catch(reject);
  });
}

async function endsWhenItIsStopped(place: Place): Promise<void> {
  const meter = await place.open();
  const controller = new AbortController();
  const check = checkMeter(meter, new TellingLoad(place), 1, {
    signal: controller.signal,
    report: () => void place.wait(200).then(() => controller.abort(new Error('enough'))),
    clock: place.host.clock,
  });
  await expect(check).rejects.toThrow('enough');
  // The port is free again.
  await (await place.open()).stop();
}

async function reportsThatTheMeterWasLost(place: Place): Promise<void> {
  const meter = await place.open();
  const report = () => place.steer('unplug');
  const error = await rejection(
    checkMeter(meter, new TellingLoad(place), 1, { signal: never, report, clock: place.host.clock }),
  );
  expect(error).toBeInstanceOf(MeasureError);
  expect(error.message).toContain('was unplugged or failed');
}

describe('checkMeter', () => {
  it(
    'finds the latency and the step that the emulated meter has',
    onVirtualPort('watts-up-pro', ['--latency', '0.4', '--phase', '0.7', '--noise', '0.1'], findsLatencyAndStep),
  );
  it.each([1, 2, 3])('finds how long the heat of the last load is in the power (seed %i)', async (seed) => {
    const settled = async (heatS: number) => (await checkCooling(heatS, ['--seed', String(seed)]))?.after_s;
    // The first reading after the load still holds some of it.
    expect(await settled(0)).toBeLessThanOrEqual(2);
    // 3 W have fallen to five times the noise after 9 s and to half of it after 20 s; noise decides when the rule is met.
    const after = (await settled(5)) ?? 0;
    expect(after > 5 && after < 20 ? 'within' : after).toBe('within');
    expect(await checkCooling(60, ['--seed', String(seed)])).toEqual({
      after_s: null,
      watched_s: expect.any(Number),
    });
  });
  it(
    'ends at once, and lets go of the port, when it is stopped',
    onVirtualPort('watts-up-pro', [], endsWhenItIsStopped),
  );
  it('tells that the meter was lost, on a pseudo-terminal', onRealPort('watts-up-pro', [], reportsThatTheMeterWasLost));
});
