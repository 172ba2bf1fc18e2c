// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { lag1, mannKendall, theilSen } from '../../src/stats/trend.ts';
import { arms } from './expected.ts';
import { expectNear } from './near.ts';

describe('trend', () => {
  it.each(arms)('$name', ({ values, wanted }) => {
    const order = values.map((_, i) => i);
    expectNear(mannKendall(values), wanted.mannKendall);
    expectNear(lag1(values), wanted.lag1, 1e-9);
    expectNear(theilSen(order, values), wanted.theilSen, 1e-9);
  });

  it('is null for too little', () => {
    expect(lag1([1])).toBeNull();
    expect(theilSen([1, 1], [2, 3])).toBeNull();
  });
});
