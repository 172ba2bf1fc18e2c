// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { cohensD, hedgesG } from '../../src/stats/cohens-d.ts';
import { expected, tooLittle } from './expected.ts';
import { expectNear } from './near.ts';

describe('cohensD', () => {
  it.each(expected.cases)('$name, and Hedges’ g', ({ x, y, expected: { two } }) => {
    const d = cohensD(x, y);
    expectNear(d, two.cohen, 1e-9);
    expectNear(d && hedgesG(d, x.length + y.length - 2).value, two.hedges);
  });

  it('is null for too little', () => {
    for (const [x, y] of tooLittle) expect(cohensD(x, y)).toBeNull();
  });
});
