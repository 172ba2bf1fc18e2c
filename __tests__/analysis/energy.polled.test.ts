// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { guardEnergy, type RunEnergy } from '../../src/analysis/energy.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';
import { createPrng } from '../../src/stats/prng.ts';
import { MCP, momentsOf, type PolledMeter, PZEM, polledReadings, SDM, steadyPower } from './simulated-meters.ts';

const RUNS = 1000;
const SIX_HZ_PZEM = { ...PZEM, pollS: 1 / 6 };

/** Relative errors of the energies of runs of 20 to 22 s, with random phases of run, register and polls. */
function errors(meter: PolledMeter, guardS: number, loadW = 65): number[] {
  const random = createPrng(5);
  const uniform = () => random.u32() / 2 ** 32;
  return Array.from({ length: RUNS }, () => {
    const startS = 30 + uniform() * 5;
    const load = { idleW: 40, loadW, startS, endS: startS + 20 + 2 * uniform() };
    const columns = polledReadings(steadyPower(load), load.endS + 30, meter, uniform);
    const times = sampleTimes('host', columns.tNs, meter.pollS);
    const moments = momentsOf(load, guardS, meter.pollS);
    const { energyJ } = guardEnergy(columns, times, moments, guardS * 1e9) as RunEnergy;
    return energyJ / (load.loadW * (load.endS - load.startS)) - 1;
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));

describe('energy of a run of 20 s or more on a meter that is polled', () => {
  it.each([
    ['PZEM-004T at 2 Hz', PZEM, 3, 65, 0.01],
    ['PZEM-004T at 6 Hz, which the driver asks at, with three times the power of idle', SIX_HZ_PZEM, 3, 120, 0.01],
    ['SDM120 at 2 Hz', { ...SDM, pollS: 0.5 }, 2, 65, 0.01],
    ['SDM120 at 6 Hz, with three times the power of idle', { ...SDM, pollS: 1 / 6 }, 2, 120, 0.01],
    ['MCP39F511 at 4 Hz', MCP, 1, 65, 0.005],
  ])('is within the limit and without bias: %s', (_name, meter, guardS, loadW, limit) => {
    const found = errors(meter, guardS, loadW);
    expect(largest(found)).toBeLessThan(limit);
    // Four standard errors of a mean whose single values lie within the limit.
    expect(Math.abs(mean(found))).toBeLessThan((4 * limit) / 2 / Math.sqrt(RUNS));
  });

  it('is biased where the guard does not hold the settling of a PZEM', () => {
    expect(mean(errors(PZEM, 1))).toBeLessThan(-0.005);
  });

  it('is off by no more than one poll at the height of the step, and that decides how often to poll', () => {
    // A poll a second sees an edge up to a second late: 25 W of 1300 J.
    expect(largest(errors(SDM, 3))).toBeGreaterThan(0.01);
    expect(largest(errors(SDM, 3))).toBeLessThan(25 / 1300 + 0.001);
  });
});

describe('sampleTimes of a polled meter', () => {
  const tNs = Float64Array.of(0, 0.5e9, 1.1e9, 1.5e9, 2.8e9, 3.3e9);

  it('lets a reading stand for the time since the one before', () => {
    const { lengthS, periodS, longestS } = sampleTimes('host', tNs, 0.5);
    expect([...lengthS].map((s) => Number(s.toFixed(9)))).toEqual([0.5, 0.5, 0.6, 0.4, 1.3, 0.5]);
    expect([periodS, longestS]).toEqual([0.5, 1.3]);
  });

  it('misses a reading where two and a half periods passed without one', () => {
    expect([...sampleTimes('host', tNs, 0.5).missingBefore]).toEqual([0, 0, 0, 0, 1, 0]);
    expect([...sampleTimes('host', tNs, 0.6).missingBefore]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('makes the energy of a run unknown when a reading is missing between its guards, at their ends too', () => {
    const random = createPrng(1);
    const uniform = () => random.u32() / 2 ** 32;
    const load = { idleW: 40, loadW: 65, startS: 30, endS: 50 };
    const whole = polledReadings(steadyPower(load), 80, PZEM, uniform);
    for (const goneS of [28, 40, 52.6]) {
      const keep = (_: number, i: number): boolean => Math.abs((whole.tNs[i] as number) / 1e9 - goneS) > 1;
      const columns = {
        tNs: whole.tNs.filter(keep),
        powerW: whole.powerW.filter(keep),
        durationS: whole.durationS.filter(keep),
      };
      const times = sampleTimes('host', columns.tNs, 0.5);
      expect(guardEnergy(columns, times, momentsOf(load, 3, 0.5), 3e9)).toEqual({
        problem: { kind: 'missing-reading-between-guards' },
      });
    }
  });
});
