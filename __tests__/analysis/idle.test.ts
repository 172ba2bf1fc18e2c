// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { guardIdle, type IdleReadings, idleLevel } from '../../src/analysis/idle.ts';
import { createPrng } from '../../src/stats/prng.ts';

const readings = (...watts: number[]): IdleReadings => ({
  meanW: watts.reduce((sum, w) => sum + w, 0) / watts.length,
  watts: Float64Array.from(watts),
});

describe('idleLevel', () => {
  it('gives both sides the same weight, and tells how far they are apart', () => {
    const level = idleLevel(readings(40, 40, 40, 40), readings(42, 42));
    expect(level).toEqual({ powerW: 41, uncertaintyW: 0, scatterW: 0, changeW: 2 });
  });

  it('lives with one side, and then knows of no change', () => {
    expect(idleLevel(null, readings(40, 42))).toMatchObject({ powerW: 41, changeW: null });
    expect(idleLevel(null, null)).toBeNull();
  });

  it('says nothing of its uncertainty from one reading a side', () => {
    expect(idleLevel(readings(40), readings(41))).toEqual({
      powerW: 40.5,
      uncertaintyW: null,
      scatterW: null,
      changeW: 1,
    });
  });

  it.each([0, 0.6, 0.9])('states the scatter of means of readings with the lag-1 correlation %p', (rho) => {
    const random = createPrng(2);
    const uniform = () => random.u32() / 2 ** 32;
    const gauss = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    const stretch = () => {
      let value = gauss();
      return readings(
        ...Array.from({ length: 60 }, () => {
          value = rho * value + Math.sqrt(1 - rho * rho) * gauss();
          return 40 + value;
        }),
      );
    };
    const levels = Array.from({ length: 400 }, () => idleLevel(stretch(), stretch()));
    const rms = (values: number[]) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
    const stated = rms(levels.map((level) => level?.uncertaintyW ?? 0));
    const found = rms(levels.map((level) => (level?.powerW ?? 0) - 40));
    expect(stated / found).toBeGreaterThan(0.85);
    expect(stated / found).toBeLessThan(1.3);
  });
});

describe('guardIdle', () => {
  it('weighs each reading by the time that it stands for, so that late stamps of a steady counter change nothing', () => {
    // 60 W, read by an integrator every second; some answers came up to half a second late.
    const stampsS = [1, 2, 3.5, 4, 5.1, 6, 7.4, 8, 9, 10];
    const readAtS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const durations = stampsS.map((s, i) => s - (stampsS[i - 1] ?? 0));
    const columns = {
      tNs: Float64Array.from(stampsS, (s) => s * 1e9),
      powerW: Float64Array.from(readAtS, (s, i) => (60 * (s - (readAtS[i - 1] ?? 0))) / (durations[i] as number)),
      durationS: Float64Array.from(durations),
    };
    const idle = guardIdle(columns, { fromNs: 0, toNs: 10e9 }, 0, 0);
    expect(idle?.meanW).toBeCloseTo(60, 9);
    expect(idle?.watts).toHaveLength(10);
    const timeless = { ...columns, powerW: new Float64Array(10).fill(60), durationS: new Float64Array(10) };
    expect(guardIdle(timeless, { fromNs: 0, toNs: 10e9 }, 0, 0)?.meanW).toBeCloseTo(60, 9);
  });
});
