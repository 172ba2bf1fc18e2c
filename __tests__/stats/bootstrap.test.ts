// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { bootstrapPercent } from '../../src/stats/bootstrap.ts';
import { expected, pairedCases } from './expected.ts';
import { expectNear } from './near.ts';

describe('bootstrapPercent', () => {
  it.each(expected.cases)('draws runs again: $name', ({ x, y, expected: { two } }) => {
    const { ci95, se, ...options } = two.bootstrap;
    expectNear(bootstrapPercent(x, y, false, options), { ci95, se }, 1e-9, 1e-11);
  });

  it.each(pairedCases)('draws blocks again: $name', ({ x, y, expected: { paired } }) => {
    const { ci95, se, ...options } = paired.bootstrap;
    expectNear(bootstrapPercent(x, y, true, options), { ci95, se }, 1e-9, 1e-11);
  });

  it('is null for too little, and refuses pairs that are none', () => {
    expect(bootstrapPercent([1], [2, 3], false, { seed: 1, resamples: 10 })).toBeNull();
    expect(() => bootstrapPercent([1, 2], [2, 3, 4], true, { seed: 1, resamples: 10 })).toThrow(RangeError);
  });
});
