// Class: system.
import { describe, expect, it } from '@jest/globals';
import { InputError } from '../../../src/errors.ts';
import { emulatedMachine } from '../../../src/meters/emulator/load.ts';
import { ProcessorLoad } from '../../../src/meters/emulator/processor-load.ts';

const SECOND = 1_000_000_000n;
const stat = (busyTicks: number) => `cpu  ${busyTicks} 0 0 1000 0 0 0 0 0 0\n`;

/** A machine with two processors, 40 W idle and 60 W at full load; `busy` are the ticks at each second. */
function follow(...busy: number[]): ProcessorLoad {
  let reads = 0;
  const load = new ProcessorLoad(
    { idleW: 40, loadW: 60, noiseW: 0, seed: 1, processors: 2, stat: () => stat(busy[reads++] ?? 0) },
    0n,
  );
  for (let at = 1; at < busy.length; at++) load.read(BigInt(at) * SECOND);
  return load;
}

describe('ProcessorLoad', () => {
  it('takes idle power, load power when all processors work, and what lies between', () => {
    const load = follow(500, 500, 700, 800);
    expect(load.energyJ(0n, SECOND)).toBeCloseTo(40, 9);
    expect(load.energyJ(SECOND, 2n * SECOND)).toBeCloseTo(60, 9);
    expect(load.energyJ(2n * SECOND, 3n * SECOND)).toBeCloseTo(50, 9);
    expect(load.energyJ(0n, 3n * SECOND)).toBeCloseTo(150, 9);
  });

  it('divides a reading evenly over its time, and is idle before the first and after the last', () => {
    const load = follow(0, 200);
    expect(load.energyJ(0n, SECOND / 4n)).toBeCloseTo(15, 9);
    expect(load.energyJ(-SECOND, 2n * SECOND)).toBeCloseTo(40 + 60 + 40, 9);
  });

  it('makes no energy from a counter that goes back', () => {
    expect(follow(500, 300, 600).energyJ(0n, 2n * SECOND)).toBeCloseTo(80 + 10, 9);
  });

  it('keeps the sum from the start, and a bounded number of readings, over an hour', () => {
    let busy = 0;
    const load = new ProcessorLoad(
      { idleW: 40, loadW: 60, noiseW: 0, seed: 1, processors: 2, stat: () => stat(busy) },
      0n,
    );
    const step = SECOND / 50n;
    for (let at = 1n; at <= 3600n * 50n; at++) {
      busy += 2; // half of the time of two processors
      load.read(at * step);
    }
    expect(load.energyJ(0n, 3600n * SECOND)).toBeCloseTo(3600 * 50, 3);
    expect(load.energyJ(3500n * SECOND, 3501n * SECOND)).toBeCloseTo(50, 6);
    expect(load.readings).toBeLessThan(10_000);
  });
});

describe('emulatedMachine', () => {
  const options = { idleW: 40, loadW: 65, steadyW: null, noiseW: 0, seed: 1, originNs: 0n };

  it('holds a steady power whatever the processors do', () => {
    const { power } = emulatedMachine({ ...options, steadyW: 33 });
    expect(power.energyJ(5n * SECOND, 7n * SECOND)).toBeCloseTo(66, 9);
  });

  it('refuses a load below idle', () => {
    expect(() => emulatedMachine({ ...options, loadW: 20 })).toThrow(
      new InputError('--load is less than --idle (20 W against 40 W).'),
    );
  });
});
