// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { fiellerPercent, logRatioOfMeans } from '../../src/stats/ratio-of-means.ts';
import { expected, pairedCases } from './expected.ts';
import { expectNear } from './near.ts';

describe('the ratio of means', () => {
  it.each(expected.cases)('of two arms: $name', ({ x, y, expected: { two } }) => {
    expectNear(logRatioOfMeans(x, y), two.logRatio);
    expectNear(fiellerPercent(x, y, false), two.fieller);
  });

  it.each(pairedCases)('of pairs: $name', ({ x, y, expected: { paired } }) => {
    expectNear(fiellerPercent(x, y, true), paired.fieller);
  });

  it('is null where a mean could be zero', () => {
    expect(logRatioOfMeans([1, -1.5], [2, 3])).toBeNull();
    expect(fiellerPercent([1, -1.1], [2, 3], false)).toBeNull();
  });
});
