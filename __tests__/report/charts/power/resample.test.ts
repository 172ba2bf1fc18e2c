// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { powerBand } from '../../../../src/report/charts/power/resample.ts';
import { failing } from '../../../stats/any-numbers.ts';

describe('powerBand', () => {
  const trace = (durationS: number, tS: number[], powerW: number[], run = 1) => {
    return { run, variant: 'a', durationS, tS: Float64Array.from(tS), powerW: Float64Array.from(powerW) };
  };

  it('uses only readings whose stretch lies wholly inside the run', () => {
    // Stretches around 0 and 4 lie over the edges: neither may tint the picture.
    const band = powerBand([trace(4, [0, 1, 2, 3, 4], [14, 20, 21, 22, 15])], 1)!;
    expect(new Set(band.medianW.filter(Number.isFinite))).toEqual(new Set([20, 21, 22]));
    const holes = band.tS.filter((_, i) => Number.isNaN(band.medianW[i]!));
    expect(holes.every((t) => t < 0.5 || t > 3.5)).toBe(true);
  });

  it('is the median and the 10 % and 90 % quantiles of the runs', () => {
    const traces = Array.from({ length: 11 }, (_, i) => trace(3, [0.5, 1.5, 2.5], [i, 10 + i, 20 + i], i));
    const band = powerBand(traces, 1)!;
    const at = band.tS.findIndex((t) => Math.abs(t - 1.5) < 1e-9);
    expect([band.lowW[at], band.medianW[at], band.highW[at]]).toEqual([11, 15, 19]);
  });

  it('ends at the median duration of runs of different length', () => {
    const centers = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5];
    const traces = [3, 4, 9].map((d, i) => trace(d, centers.slice(0, d), Array(d).fill(20), i));
    const band = powerBand(traces, 1)!;
    expect([band.medianDurationS, band.tS.at(-1), band.medianW.at(-1)]).toEqual([4, 4, 20]);
  });

  it('bridges no gap: where readings are missing there is a hole', () => {
    const band = powerBand([trace(10, [0.5, 1.5, 2.5, 7.5, 8.5, 9.5], [20, 20, 20, 30, 30, 30])], 1)!;
    const inGap = band.tS.map((t, i) => [t, band.medianW[i]!] as const).filter(([t]) => t > 3.3 && t < 6.7);
    expect(inGap.length).toBeGreaterThan(3);
    for (const [, w] of inGap) expect(w).toBeNaN();
    for (const [t, w] of band.tS.map((t, i) => [t, band.medianW[i]!] as const)) {
      if (t < 3 || t > 7) expect([t, w]).toEqual([t, t < 5 ? 20 : 30]);
    }
  });

  it('of nothing that can be drawn is null', () => {
    expect(powerBand([], 1)).toBeNull();
    expect(powerBand([trace(0.2, [0.6], [20])], 1)).toBeNull();
    expect(powerBand([trace(0, [], [])], null)).toBeNull();
  });

  it('of any finite readings lies inside of them', () => {
    expect(
      failing((sorted, low, high) => {
        const tS = Float64Array.from(sorted.keys(), (i) => i + 0.5);
        const trace = { run: 1, variant: 'a', durationS: sorted.length, tS, powerW: Float64Array.from(sorted) };
        const band = powerBand([trace, { ...trace, run: 2 }], 1);
        const isHeld = (w: number): boolean => Number.isNaN(w) || (w >= low && w <= high);
        return band === null || [...band.lowW, ...band.medianW, ...band.highW].every(isHeld);
      }),
    ).toEqual([]);
  });
});
