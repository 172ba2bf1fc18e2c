// Class: system.
import { describe, expect, it } from '@jest/globals';
import { ESTIMATE_MODEL, modelCounter } from '../../../src/meters/estimate/estimate.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { Collected, rejection } from '../collect.ts';

const stat = (...fields: number[]) => `cpu  ${fields.join(' ')}\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 0\n`;

describe('the model', () => {
  it('is idle power for idle time, and its share of the rest for every busy processor', () => {
    let now = stat(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const counter = modelCounter(10, 50, 4, () => now);
    expect(counter.advance(2)).toEqual({ energyJ: [20] });
    now = stat(100, 0, 0, 300, 0, 0, 0, 0, 0, 0); // one of four busy for a second: 10 W + 40 W / 4
    expect(counter.advance(1)).toEqual({ energyJ: [20] });
    now = stat(500, 0, 0, 300, 0, 0, 0, 0, 0, 0);
    expect(counter.advance(1)).toEqual({ energyJ: [50] });
  });

  it('is never above the maximum, however short a sample is in which a step of the kernel’s counter comes', () => {
    let ticks = 0;
    const counter = modelCounter(10, 40, 4, () => stat(ticks, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const lengthsS = [0.0952, 0.0048, 0.1, 0.0048, 0.0952, 0.1];
    let atS = 0;
    let sumJ = 0;
    for (const lengthS of lengthsS) {
      atS += lengthS;
      // Four busy processors, each of which is counted when a tick of its own ends.
      ticks = Array.from({ length: 4 }, (_, i) => Math.floor((atS + i * 0.0024) * 100)).reduce((sum, n) => sum + n, 0);
      const advanced = counter.advance(lengthS);
      const energyJ = 'energyJ' in advanced ? advanced.energyJ[0]! : Number.NaN;
      expect(energyJ / lengthS).toBeLessThanOrEqual(40 + 1e-9);
      sumJ += energyJ;
    }
    expect(Math.abs(sumJ - 40 * atS)).toBeLessThan((30 / 4) * 0.01 * 4);
  });

  it('loses nothing of a counter that runs faster than the clock', () => {
    let ticks = 0;
    const counter = modelCounter(0, 40, 4, () => stat(ticks, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    ticks = 1000;
    expect(counter.advance(1)).toEqual({ energyJ: [10 * (10 - 0.04)] });
    expect(counter.advance(1)).toEqual({ energyJ: [expect.closeTo(10 * 0.04, 9)] });
  });

  it('makes nothing of a counter that goes back', () => {
    let now = stat(100, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const counter = modelCounter(10, 50, 4, () => now);
    now = stat(99, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect(counter.advance(1)).toEqual({ energyJ: [10] });
  });
});

describe('estimate', () => {
  it('says that it is a model, with its parameters', async () => {
    const { meters, chosen } = await openMeters(['estimate?idle=12&max=40']);
    expect(chosen).toBeNull();
    expect(meters[0]?.info).toMatchObject({
      source: 'modelled',
      identity: { idleW: 12, maxW: 40 },
      accuracy: null,
      channels: [{ channel: 'cpu-model', integration: 'counter', samplingPeriodS: 0.1, clock: 'host' }],
    });
    expect(meters[0]?.info.remarks[0]).toBe(`${ESTIMATE_MODEL} Here idle is 12 W and max is 40 W.`);
  });

  it('sees the processor time that this process used', async () => {
    const { meters } = await openMeters(['estimate?idle=0&max=100']);
    const [meter] = meters;
    const collected = new Collected();
    await meter?.start(collected);
    const before = process.cpuUsage();
    while (process.cpuUsage(before).user < 500_000);
    meter?.mark();
    await meter?.stop();
    const processors = Number(meter?.info.identity.processors);
    const busyS = (collected.energyJ('cpu-model') * processors) / 100;
    expect(busyS).toBeGreaterThan(0.45); // counted in steps of 10 ms; others may have worked too
    expect(collected.samples.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'estimate?idle=50&max=40',
      'In the meter name "estimate?idle=50&max=40" max is less than idle (40 W against 50 W).',
    ],
    [
      'estimate?idle=-1',
      'The option idle=-1 in the meter name "estimate?idle=-1" is not possible: it must be 0 to 100000 watts.',
    ],
    ['estimate:cpu', 'The meter type estimate takes no address, but "estimate:cpu" has "cpu".'],
    ['estimate?watts=3', 'The meter type estimate has no option "watts" (in "estimate?watts=3").'],
  ])('refuses %s', async (name, message) => {
    expect((await rejection(openMeters([name]))).message).toBe(message);
  });
});
