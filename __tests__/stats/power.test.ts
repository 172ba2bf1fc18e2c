// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { detectableTwoSample, powerOfT } from '../../src/stats/power.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

const ofArms = (n: number, d: number): number => powerOfT(d * Math.sqrt(n / 2), 2 * n - 2, 0.05);

describe('the power of the t test', () => {
  it.each(expected.power)('%s, n = %i, d = %f', (design, n, d, power) => {
    expectNear(design === 'two' ? ofArms(n, d) : powerOfT(d * Math.sqrt(n), n - 1, 0.05), power);
  });

  it('is 80 % at the detectable effect', () => {
    for (const n of [3, 10, 40]) expectNear(ofArms(n, detectableTwoSample(n, n) ?? 0), 0.8);
    expect(detectableTwoSample(1, 5)).toBeNull();
  });
});
