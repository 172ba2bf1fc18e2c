// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { signedRank } from '../../src/stats/signed-rank.ts';
import { spatialSignedRank } from '../../src/stats/spatial-signed-rank.ts';

interface Case {
  readonly name: string;
  readonly vectors: readonly (readonly number[])[];
  readonly t: number;
  readonly p: number;
}

const cases: Case[] = JSON.parse(readFileSync(new URL('../fixtures/statistics/spatial.json', import.meta.url), 'utf8'));

describe('the spatial signed-rank test', () => {
  it.each(cases.map((given) => [given.name, given] as const))('is that of another implementation: %s', (_, given) => {
    const { t, p, method } = spatialSignedRank(given.vectors, 1)!;
    expect(t).toBeCloseTo(given.t, 9);
    const n = given.vectors.length;
    expect(method).toBe(n <= 14 ? 'exact' : n <= 200 ? 'sampled' : 'asymptotic');
    // Draws of 10,000 have a standard error of 0.005 at the most.
    if (n <= 14) expect(p).toBeCloseTo(given.p, 12);
    else expect(Math.abs(p - given.p)).toBeLessThan(0.015);
  });

  it('doesn’t change when all vectors are turned', () => {
    const { vectors } = cases[1]!;
    const turned = vectors.map(([x = 0, y = 0]) => [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y]);
    expect(spatialSignedRank(turned, 1)!.t).toBeCloseTo(spatialSignedRank(vectors, 1)!.t, 10);
  });

  it('is the signed-rank test in one dimension, where no sum of ranks ties', () => {
    const values = [0.3, 0.1, 0.7, 0.2, 0.9, 0.4, 0.6, 0.8];
    expect(
      spatialSignedRank(
        values.map((value) => [value]),
        1,
      )!.p,
    ).toBe(signedRank(values)!.p);
  });

  it('is the same for the same seed, and undefined where nothing differs', () => {
    const { vectors } = cases[4]!;
    expect(spatialSignedRank(vectors, 7)).toEqual(spatialSignedRank(vectors, 7));
    expect(spatialSignedRank([], 1)).toBeNull();
    expect(
      spatialSignedRank(
        [
          [0, 0],
          [1e-15, -1e-15],
        ],
        1,
      ),
    ).toBeNull();
  });
});
