import { describe, expect, it } from '@jest/globals';
import { pearson, spearman } from '../../src/stats/correlation.ts';
import { distribution } from '../../src/stats/distribution.ts';
import { flagged } from '../../src/stats/quantiles.ts';
import { shapiroWilk } from '../../src/stats/shapiro-wilk.ts';
import { summarize } from '../../src/stats/summary.ts';
import { lag1, mannKendall, theilSen } from '../../src/stats/trend.ts';
import { expected } from './expected.ts';
import { expectNear } from './near.ts';

const arms = expected.cases.flatMap(({ name, x, y, tx, ty, expected: e }) => [
  { name: `${name}, baseline`, values: x, times: tx, wanted: e.x, energyTime: e.energyTime.x },
  { name: `${name}, variant`, values: y, times: ty, wanted: e.y, energyTime: e.energyTime.y },
]);

describe.each(arms)('one arm: $name', ({ values, times, wanted, energyTime }) => {
  it('is summarized', () => {
    const { mean, sd, median, mad, q1, q3, min, max, mean_ci95 } = wanted;
    expectNear(summarize(values), { mean, sd, median, mad, q1, q3, min, max, mean_ci95 }, 1e-12);
  });

  it('has its shape described', () => {
    // Where next to nothing varies, what is left of cubes of the residuals is rounding.
    expectNear(distribution(values), wanted.distribution, 1e-9, 1e-13);
  });

  it('has its outliers flagged', () => {
    expect(flagged(values)).toEqual(wanted.flagged);
  });

  it('has Shapiro and Wilk’s W to 1e-8 and p to 1e-7', () => {
    const result = shapiroWilk(values);
    expectNear(result?.w ?? null, wanted.shapiro?.w ?? null, 1e-8);
    expectNear(result?.p ?? null, wanted.shapiro?.p ?? null, 1e-7);
  });

  it('shows its trend', () => {
    const order = values.map((_, i) => i);
    expectNear(mannKendall(values), wanted.mannKendall);
    expectNear(lag1(values), wanted.lag1, 1e-9);
    expectNear(theilSen(order, values), wanted.theilSen, 1e-9);
    // A perfect order has p = 0 in SciPy.
    expectNear(spearman(order, values), wanted.spearman, 1e-9, 1e-300);
  });

  it('correlates energy with time', () => {
    expectNear(pearson(values, times), energyTime, 1e-7);
  });
});

describe('too little', () => {
  it('is null, never a number', () => {
    expect(summarize([])).toBeNull();
    expect(distribution([])).toBeNull();
    expect(distribution([5])).toMatchObject({ cv: null, skewness: null, excess_kurtosis: null, median_ci95: null });
    expect(distribution([5, 5, 5])).toMatchObject({ cv: 0, skewness: null });
    expect(summarize([5])).toEqual({
      mean: 5,
      sd: null,
      median: 5,
      mad: 0,
      q1: 5,
      q3: 5,
      min: 5,
      max: 5,
      mean_ci95: null,
    });
    expect(shapiroWilk([1, 2])).toBeNull();
    expect(pearson([1, 2], [1, 3])).toBeNull();
    expect(lag1([1])).toBeNull();
    expect(theilSen([1, 1], [2, 3])).toBeNull();
    expect(flagged([])).toBeNull();
  });
});
