// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { logRatio } from '../../src/stats/log-ratio.ts';
import { moments } from '../../src/stats/sums.ts';
import { pairedEstimate, tost, tTest, welchEstimate } from '../../src/stats/welch.ts';
import { expected, pairedCases, tooLittle } from './expected.ts';
import { expectNear } from './near.ts';

describe('the t test', () => {
  it.each(expected.cases)('of two arms: $name', ({ x, y, expected: { two } }) => {
    const welch = welchEstimate(x, y);
    const margin = moments(x).mean / 100;
    expectNear(welch && tTest(welch), two.welch);
    expectNear({ p: welch && tost(welch, -margin, margin).p }, { p: two.tost });
  });

  it.each(pairedCases)('of pairs: $name', ({ x, y, expected: { paired } }) => {
    const estimate = pairedEstimate(x.map((value, i) => logRatio(value, y[i] as number)));
    const margin = Math.log(1.01);
    expectNear(estimate && tTest(estimate), paired.t);
    expectNear({ p: estimate && tost(estimate, -margin, margin).p }, { p: paired.tost });
  });

  it('is null for too little', () => {
    for (const [x, y] of tooLittle) expect(welchEstimate(x, y)).toBeNull();
    expect(pairedEstimate([0.1])).toBeNull();
  });
});
