import { describe, expect, it } from '@jest/globals';
import { powerRange } from '../../../src/report/charts/hexagons/panels.ts';
import { axisAround, axisTo } from '../../../src/report/charts/parts/axis.ts';
import { spread } from '../../../src/report/charts/parts/side-labels.ts';
import { powerBand } from '../../../src/report/charts/power/resample.ts';
import { bandwidthOf, densityAt, densityOf } from '../../../src/report/charts/violin/density.ts';
import { quantileOfSorted as quantile } from '../../../src/stats/quantiles.ts';
import { gaussian, uniform } from '../fake/random.ts';

/** R's `precip`: annual precipitation of 70 cities, inches. */
const precip = [
  67.0, 54.7, 7.0, 48.5, 14.0, 17.2, 20.7, 13.0, 43.4, 40.2, 38.9, 54.5, 59.8, 48.3, 22.9, 11.5, 34.4, 35.1, 38.7, 30.8,
  30.6, 43.1, 56.8, 40.8, 41.8, 42.5, 31.0, 31.7, 30.2, 25.9, 49.2, 37.0, 35.9, 15.0, 30.2, 7.2, 36.2, 45.5, 7.8, 33.4,
  36.1, 40.2, 42.7, 42.5, 16.2, 39.0, 35.0, 37.0, 31.4, 37.6, 39.9, 36.2, 42.8, 46.4, 24.7, 49.1, 46.0, 35.9, 7.8, 48.2,
  15.2, 32.5, 44.7, 42.6, 38.8, 17.4, 40.8, 29.1, 14.6, 59.2,
].sort((a, b) => a - b);

describe('bandwidthOf', () => {
  it("is R's bw.SJ(precip), 3.938 there with its binning", () => {
    expect(bandwidthOf(precip)).toBeCloseTo(3.94, 2);
  });

  it('is the rule of thumb where pairs are too many', () => {
    const random = gaussian(3);
    const values = Array.from({ length: 4000 }, () => random()).sort((a, b) => a - b);
    expect(bandwidthOf(values)).toBeCloseTo(0.9 * 4000 ** -0.2, 1);
  });

  it('is 0 without spread', () => {
    expect(bandwidthOf([2, 2, 2, 2, 2])).toBe(0);
  });
});

describe('densityOf', () => {
  it('shows two humps as two, and the valley between them', () => {
    const random = gaussian(5);
    const values = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 240 : 260) + random());
    const density = densityOf(values)!;
    expect(densityAt(density, 250)).toBeLessThan(0.05);
    expect(densityAt(density, 240)).toBeGreaterThan(0.5);
    expect(densityAt(density, 260)).toBeGreaterThan(0.5);
    expect(Math.max(...density.density)).toBe(1);
  });

  it('invents no shape of few or equal values', () => {
    expect(densityOf([1, 2, 3, 4])).toBeNull();
    expect(densityOf(Array(30).fill(7))).toBeNull();
    expect(densityOf(Array.from({ length: 30 }, (_, i) => 250 + (i % 2) * 1e-13))).toBeNull();
  });
});

describe('axes', () => {
  it.each([
    [243.2, 263.1],
    [0.0203, 0.0217],
    [250, 250],
    [0, 0],
    [-3, 6],
    [1e9, 2e9],
  ])('around %p to %p hold the data and have a few round ticks between their limits', (low, high) => {
    const axis = axisAround(low, high);
    expect(axis.min).toBeLessThanOrEqual(low);
    expect(axis.max).toBeGreaterThan(high);
    expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
    expect(axis.ticks.length).toBeLessThanOrEqual(8);
    for (const tick of axis.ticks) {
      expect(tick >= axis.min - 1e-9 * axis.max && tick <= axis.max * (1 + 1e-9) + 1e-12).toBe(true);
      // The label says where the tick is, to the last digit.
      expect(Number(tick.toFixed(axis.decimals))).toBeCloseTo(tick, 10);
    }
  });

  it('do not go below zero for data that do not', () => {
    expect(axisAround(0, 5).min).toBe(0);
    expect(axisTo(12.3)).toMatchObject({ min: 0, max: 12.3, ticks: [0, 2, 4, 6, 8, 10, 12], decimals: 0 });
  });
});

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
    const centres = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5];
    const traces = [3, 4, 9].map((d, i) => trace(d, centres.slice(0, d), Array(d).fill(20), i));
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
});

describe('quantile and spread', () => {
  it('is of type 7', () => {
    expect([0, 0.25, 0.5, 0.75, 1].map((q) => quantile([1, 2, 4, 8], q))).toEqual([1, 1.75, 3, 5, 8]);
  });

  it('keeps labels apart, in order and inside the limits', () => {
    expect(spread([10, 10, 10], 16, 0, 100)).toEqual([10, 26, 42]);
    expect(spread([95, 96, 99], 16, 0, 100)).toEqual([68, 84, 100]);
    expect(spread([10, 50, 90], 16, 0, 100)).toEqual([10, 50, 90]);
  });
});

describe('any finite numbers', () => {
  const random = uniform(13);
  const anySize = (): number => (random() - 0.5) * 2 ** Math.floor(random() * 900 - 450);
  const samples = Array.from({ length: 300 }, (_, i) => {
    const base = anySize();
    // Of every size together, equal but for the last bit, equal, close together, large and small ones, a step.
    const kinds: (() => number)[] = [
      anySize,
      () => base * (1 + (random() < 0.5 ? 0 : 2 ** -52)),
      () => base,
      () => base * (1 + 0.01 * random()),
      () => (random() < 0.9 ? 250 + random() : base),
      () => (random() < 0.5 ? base : 2 * base),
    ];
    return Array.from({ length: 2 + Math.floor(20 * random()) }, kinds[i % kinds.length] as () => number);
  });
  /** What must hold for every sample, sorted; those for which it doesn't. */
  const failing = (holds: (values: readonly number[], low: number, high: number) => boolean): number[][] =>
    samples.filter((sample) => {
      const sorted = [...sample].sort((a, b) => a - b);
      return !holds(sorted, sorted[0]!, sorted.at(-1)!);
    });

  it('have a density from 0 to 1 at rising places, or none', () => {
    const drawn = samples.filter((sample) => densityOf(sample) !== null);
    expect(drawn.length).toBeGreaterThan(samples.length / 4);
    expect(
      failing((sample) => {
        const found = densityOf(sample);
        if (found === null) return true;
        const { at, density } = found;
        const isRising = at.every((place, i) => Number.isFinite(place) && (i === 0 || place > at[i - 1]!));
        return isRising && density.every((d) => d >= 0 && d <= 1) && Math.max(...density) === 1;
      }),
    ).toEqual([]);
  });

  it('have quantiles between the least and the greatest, in order', () => {
    expect(
      failing((sorted, low, high) => {
        const found = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map((q) => quantile(sorted, q));
        return found.every((value, i) => value >= (i === 0 ? low : found[i - 1]!) && value <= high);
      }),
    ).toEqual([]);
  });

  it('have a band of power, and a range, inside of what was read', () => {
    expect(
      failing((sorted, low, high) => {
        const tS = Float64Array.from(sorted.keys(), (i) => i + 0.5);
        const trace = { run: 1, variant: 'a', durationS: sorted.length, tS, powerW: Float64Array.from(sorted) };
        const band = powerBand([trace, { ...trace, run: 2 }], 1);
        const isHeld = (w: number): boolean => Number.isNaN(w) || (w >= low && w <= high);
        const range = powerRange([trace]);
        const isRange = range.low >= low && range.low <= range.high && range.high <= high;
        return isRange && (band === null || [...band.lowW, ...band.medianW, ...band.highW].every(isHeld));
      }),
    ).toEqual([]);
  });
});
