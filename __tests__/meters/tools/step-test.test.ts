import { describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import type { Meter } from '../../../src/meters/meter.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import type { Load } from '../../../src/meters/tools/busy-processors.ts';
import { checkMeter } from '../../../src/meters/tools/check.ts';
import type { StepProgress } from '../../../src/meters/tools/step-test.ts';
import { type StartedEmulator, startEmulator } from '../../emulators/start.ts';
import { rejection } from '../collect.ts';

/** Works by telling the emulated machine, so that the true moments are known whatever this machine does. */
class TellingLoad implements Load {
  readonly words = 'the emulated machine busy';
  readonly #emulator: StartedEmulator;

  constructor(emulator: StartedEmulator) {
    this.#emulator = emulator;
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
    const tNs = process.hrtime.bigint();
    this.#emulator.steer(`${word} ${tNs}`);
    return tNs;
  }
}

async function withEmulator(
  args: string[],
  work: (meter: Meter, load: Load, emulator: StartedEmulator) => Promise<void>,
) {
  const emulator = await startEmulator('watts-up-pro', ...args);
  const { meters } = await openMeters([`watts-up-pro:${emulator.port}`]);
  const meter = meters[0] as Meter;
  try {
    await work(meter, new TellingLoad(emulator), emulator);
  } finally {
    await meter.stop();
    await emulator.stop();
  }
}

const never = new AbortController().signal;

describe('checkMeter on a pseudo-terminal', () => {
  it(
    'finds the latency and the step that the emulated meter has',
    () =>
      withEmulator(['--latency', '0.4', '--phase', '0.7', '--noise', '0.1'], async (meter, load, { truth }) => {
        const told: StepProgress[] = [];
        const { passport } = await checkMeter(meter, load, 1, { signal: never, tell: (one) => told.push(one) });
        expect(passport).toMatchObject({ source: 'emulated', sane: true, gaps: 0, resolution_w: 0.1 });
        expect(passport.step).toMatchObject({ made: 1, judged: 1, seen: 1 });
        expect(Math.abs((passport.step?.step_w ?? 0) - 25)).toBeLessThan(0.5);
        expect(passport.latency?.edges).toBe(2);
        expect(Math.abs((passport.latency?.mean_s ?? 0) - 0.4)).toBeLessThan(0.15);
        expect(truth().late).toBe(0);
        expect(told.map(({ step, busy }) => [step, busy])).toEqual([
          [0, false],
          [1, true],
          [1, false],
        ]);
      }),
    90_000,
  );

  it('ends at once, and lets go of the port, when it is stopped', () =>
    withEmulator([], async (meter, load, { port }) => {
      const controller = new AbortController();
      const check = checkMeter(meter, load, 1, {
        signal: controller.signal,
        tell: () => setTimeout(() => controller.abort(new Error('enough')), 200),
      });
      await expect(check).rejects.toThrow('enough');
      const again = await openMeters([`watts-up-pro:${port}`]);
      await again.meters[0]?.stop();
    }));

  it('tells that the meter was lost', () =>
    withEmulator([], async (meter, load, { steer }) => {
      const error = await rejection(checkMeter(meter, load, 1, { signal: never, tell: () => steer('unplug') }));
      expect(error).toBeInstanceOf(MeasureError);
      expect(error.message).toContain('was unplugged or failed');
    }));
});
