// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { detectablePaired, detectableTwoSample, powerOfT } from '../../src/stats/power.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

describe('the power of the t test', () => {
  it.each(expected.power)('%s, n = %i, d = %f', (design, n, d, power) => {
    expectNear(powerOfT(design, n, d, 0.05), power);
  });

  it('is 80 % at the detectable effect', () => {
    for (const n of [3, 10, 40]) {
      expectNear(powerOfT('two', n, detectableTwoSample(n, n) ?? 0, 0.05), 0.8);
      expectNear(powerOfT('paired', n, detectablePaired(n) ?? 0, 0.05), 0.8);
    }
    expect(detectableTwoSample(1, 5)).toBeNull();
    expect(detectablePaired(1)).toBeNull();
  });
});
