// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { brunnerMunzel } from '../../src/stats/brunner-munzel.ts';
import { expected, tooLittle } from './expected.ts';
import { expectNear } from './near.ts';

describe('brunnerMunzel', () => {
  it.each(expected.cases)('$name', ({ x, y, expected: { two } }) => {
    expectNear(brunnerMunzel(x, y), two.brunnerMunzel);
  });

  it('is null for too little', () => {
    for (const [x, y] of tooLittle) expect(brunnerMunzel(x, y)).toBeNull();
  });
});
