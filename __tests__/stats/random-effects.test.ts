// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { createPrng } from '../../src/stats/prng.ts';
import { pool, type Study } from '../../src/stats/random-effects.ts';

const studies = (effects: readonly number[], errors: readonly number[]): Study[] =>
  effects.map((effect, i) => ({ effect, se: errors[i % errors.length]! }));

// metafor 3.8.1 with percent as unit; set B's tau^2 of a bisection.
const A = studies([2.15, 3.12, 0.98, 4.05, 2.51, 1.87, 3.3], [0.41, 0.52, 0.6, 0.85, 0.33, 0.47, 1.2]);
const B = studies([2, 3], [0.5, 0.6]);
const C = studies([2, 2.01, 1.99, 2.02], [0.4]);

describe('pooling by random effects', () => {
  it('gives what metafor gives', () => {
    const a = pool(A);
    expect(a.tau ** 2).toBeCloseTo(0.397394395, 6);
    expect(a.effect).toBeCloseTo(2.4087856875, 6);
    expect(a.se).toBeCloseTo(0.345785324, 6);
    expect(a.ci95[0]).toBeCloseTo(1.5626794803, 6);
    expect(a.ci95[1]).toBeCloseTo(3.2548918947, 6);
    expect(a.prediction95[0]).toBeCloseTo(0.64945456, 6);
    expect(a.prediction95[1]).toBeCloseTo(4.16811681, 6);
    expect(a.q).toBeCloseTo(13.54814029, 7);
    expect(a.p).toBeCloseTo(0.035111779, 8);
    expect(100 * a.i2).toBeCloseTo(59.736274, 4);
    expect(a.tauCi95[0]).toBe(0);
    expect(a.tauCi95[1] ** 2).toBeCloseTo(4.4816, 3);
    expect(100 * a.i2Ci95[1]).toBeCloseTo(94.36, 2);
    const weights = [18.39, 15.573, 13.731, 9.286, 20.54, 16.82, 5.66];
    for (const [i, weight] of weights.entries()) expect(100 * a.weights[i]!).toBeCloseTo(weight, 3);
  });

  it('says of two machines how little they tell', () => {
    const b = pool(B);
    expect(b.tau ** 2).toBeCloseTo(0.195, 9);
    expect(b.ci95[0]).toBeCloseTo(-3.8695491202, 8);
    expect(b.ci95[1]).toBeCloseTo(8.7595491202, 8);
  });

  it('is not narrower than the errors allow where machines happen to agree', () => {
    const c = pool(C);
    expect(c.tau).toBe(0);
    expect(c.ci95[0]).toBeCloseTo(1.3685107389, 9);
    expect(c.ci95[1]).toBeCloseTo(2.6414892611, 9);
  });

  it.each([1e-12, 1e-4, 1, 1e6])('scales with its unit: %d', (unit) => {
    const scaled = pool(A.map(({ effect, se }) => ({ effect: effect * unit, se: se * unit })));
    const a = pool(A);
    expect(scaled.effect / unit).toBeCloseTo(a.effect, 9);
    expect(scaled.tau / unit).toBeCloseTo(a.tau, 9);
    expect(scaled.i2).toBeCloseTo(a.i2, 9);
  });

  it('finds a maximum of the likelihood, whatever the studies are', () => {
    const random = createPrng(7);
    const draw = (): number => random.u32() / 2 ** 32;
    for (let i = 0; i < 500; i++) {
      const k = 2 + Math.floor(draw() * 19);
      const some = Array.from({ length: k }, () => ({ effect: 10 * (draw() - 0.5) ** 3, se: 10 ** (4 * draw() - 3) }));
      const { tau, ci95, prediction95, i2, weights } = pool(some);
      const likelihood = (tau2: number): number => {
        const w = some.map(({ se }) => 1 / (se * se + tau2));
        const total = w.reduce((a, b) => a + b, 0);
        const mean = some.reduce((all, { effect }, j) => all + w[j]! * effect, 0) / total;
        return w.reduce(
          (all, each, j) => all + Math.log(each) - each * (some[j]!.effect - mean) ** 2,
          -Math.log(total),
        );
      };
      const best = likelihood(tau * tau);
      for (const other of [0, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1, 10])
        expect(likelihood(other)).toBeLessThanOrEqual(best + 1e-9);
      for (const near of [0.9, 0.99, 1.01, 1.1]) expect(likelihood(near * tau * tau)).toBeLessThanOrEqual(best + 1e-9);
      expect(prediction95[0]).toBeLessThanOrEqual(ci95[0]);
      expect(i2 >= 0 && i2 <= 1).toBe(true);
      expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    }
  });
});
