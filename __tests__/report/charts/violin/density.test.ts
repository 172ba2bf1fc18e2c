// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { computeBandwidth, computeDensity, densityAt } from '../../../../src/report/charts/violin/density.ts';
import { failing, samples } from '../../../stats/any-numbers.ts';
import { gaussian } from '../../synthetic/random.ts';

/** R's `precip`: annual precipitation of 70 cities, inches. */
const precip = [
  67.0, 54.7, 7.0, 48.5, 14.0, 17.2, 20.7, 13.0, 43.4, 40.2, 38.9, 54.5, 59.8, 48.3, 22.9, 11.5, 34.4, 35.1, 38.7, 30.8,
  30.6, 43.1, 56.8, 40.8, 41.8, 42.5, 31.0, 31.7, 30.2, 25.9, 49.2, 37.0, 35.9, 15.0, 30.2, 7.2, 36.2, 45.5, 7.8, 33.4,
  36.1, 40.2, 42.7, 42.5, 16.2, 39.0, 35.0, 37.0, 31.4, 37.6, 39.9, 36.2, 42.8, 46.4, 24.7, 49.1, 46.0, 35.9, 7.8, 48.2,
  15.2, 32.5, 44.7, 42.6, 38.8, 17.4, 40.8, 29.1, 14.6, 59.2,
].sort((a, b) => a - b);

describe('computeBandwidth', () => {
  it("is R's bw.SJ(precip), 3.938 there with its binning", () => {
    expect(computeBandwidth(precip)).toBeCloseTo(3.94, 2);
  });

  it('is the rule of thumb where pairs are too many', () => {
    const random = gaussian(3);
    const values = Array.from({ length: 4000 }, () => random()).sort((a, b) => a - b);
    expect(computeBandwidth(values)).toBeCloseTo(0.9 * 4000 ** -0.2, 1);
  });

  it('is 0 without spread', () => {
    expect(computeBandwidth([2, 2, 2, 2, 2])).toBe(0);
  });
});

describe('computeDensity', () => {
  it('shows two humps as two, and the valley between them', () => {
    const random = gaussian(5);
    const values = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 240 : 260) + random());
    const density = computeDensity(values)!;
    expect(densityAt(density, 250)).toBeLessThan(0.05);
    expect(densityAt(density, 240)).toBeGreaterThan(0.5);
    expect(densityAt(density, 260)).toBeGreaterThan(0.5);
    expect(Math.max(...density.density)).toBe(1);
  });

  it('invents no shape of few or equal values', () => {
    expect(computeDensity([1, 2, 3, 4])).toBeNull();
    expect(computeDensity(Array(30).fill(7))).toBeNull();
    expect(computeDensity(Array.from({ length: 30 }, (_, i) => 250 + (i % 2) * 1e-13))).toBeNull();
  });

  it('of any finite numbers is from 0 to 1 at rising places, or none', () => {
    const drawn = samples.filter((sample) => computeDensity(sample) !== null);
    expect(drawn.length).toBeGreaterThan(samples.length / 4);
    expect(
      failing((sample) => {
        const found = computeDensity(sample);
        if (found === null) return true;
        const { at, density } = found;
        const isRising = at.every((place, i) => Number.isFinite(place) && (i === 0 || place > at[i - 1]!));
        return isRising && density.every((d) => d >= 0 && d <= 1) && Math.max(...density) === 1;
      }),
    ).toEqual([]);
  });
});
