import { describe, expect, it } from '@jest/globals';
import { type IdleReadings, idleLevel } from '../../src/analysis/idle.ts';
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
