// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { pearson, spearman } from '../../src/stats/correlation.ts';
import { arms } from './expected.ts';
import { expectNear } from './near.ts';

describe('correlation', () => {
  it.each(arms)('$name: energy with time', ({ values, times, energyTime }) => {
    expectNear(pearson(values, times), energyTime, 1e-7);
  });

  it.each(arms)('$name: energy with its place in the order', ({ values, wanted }) => {
    const order = values.map((_, i) => i);
    // A perfect order has p = 0 in SciPy.
    expectNear(spearman(order, values), wanted.spearman, 1e-9, 1e-300);
  });

  it('is null for too little', () => {
    expect(pearson([1, 2], [1, 3])).toBeNull();
  });
});
