// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { distribution } from '../../src/stats/distribution.ts';
import { arms } from './expected.ts';
import { expectNear } from './near.ts';

describe('distribution', () => {
  it.each(arms)('$name', ({ values, wanted }) => {
    // Where next to nothing varies, what is left of cubes of the residuals is rounding.
    expectNear(distribution(values), wanted.distribution, 1e-9, 1e-13);
  });

  it('is null for too little, never a number', () => {
    expect(distribution([])).toBeNull();
    expect(distribution([5])).toMatchObject({ cv: null, skewness: null, excess_kurtosis: null, median_ci95: null });
    expect(distribution([5, 5, 5])).toMatchObject({ cv: 0, skewness: null });
  });
});
