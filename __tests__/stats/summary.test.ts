// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { summarize } from '../../src/stats/summary.ts';
import { arms } from './expected.ts';
import { expectNear } from './near.ts';

describe('summarize', () => {
  it.each(arms)('$name', ({ values, wanted }) => {
    const { mean, sd, median, mad, q1, q3, min, max, mean_ci95 } = wanted;
    expectNear(summarize(values), { mean, sd, median, mad, q1, q3, min, max, mean_ci95 }, 1e-12);
  });

  it('says of too little what can be said', () => {
    expect(summarize([])).toBeNull();
    const five = { mean: 5, median: 5, mad: 0, q1: 5, q3: 5, min: 5, max: 5 };
    expect(summarize([5])).toEqual({ ...five, sd: null, mean_ci95: null });
  });
});
