// Class: unit.
import { describe, it } from '@jest/globals';
import { logRatio, toPercent } from '../../src/stats/log-ratio.ts';
import { meanDifference, moments } from '../../src/stats/sums.ts';
import { expected, pairedCases } from './expected.ts';
import { expectNear } from './near.ts';

describe('means', () => {
  it.each(expected.cases)('of two arms: $name', ({ x, y, expected: { two } }) => {
    expectNear(meanDifference(x, y), two.of_means, 1e-12);
  });

  it.each(pairedCases)('of logarithms of ratios: $name', ({ x, y, expected: { paired } }) => {
    const d = x.map((value, i) => logRatio(value, y[i] as number));
    expectNear(toPercent(moments(d).mean), paired.meanPercent, 1e-9, 1e-13);
  });
});
