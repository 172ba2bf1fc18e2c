// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { shapiroWilk } from '../../src/stats/shapiro-wilk.ts';
import { arms } from './expected.ts';
import { expectNear } from './near.ts';

describe('shapiroWilk', () => {
  it.each(arms)('$name: W to 1e-8 and p to 1e-7', ({ values, wanted }) => {
    const result = shapiroWilk(values);
    expectNear(result?.w ?? null, wanted.shapiro?.w ?? null, 1e-8);
    expectNear(result?.p ?? null, wanted.shapiro?.p ?? null, 1e-7);
  });

  it('is null for too little', () => {
    expect(shapiroWilk([1, 2])).toBeNull();
  });
});
