// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { cliffsDelta } from '../../src/stats/cliffs-delta.ts';
import { expected, tooLittle } from './expected.ts';
import { expectNear } from './near.ts';

describe('cliffsDelta', () => {
  it.each(expected.cases)('$name', ({ x, y, expected: { two } }) => {
    expectNear(cliffsDelta(x, y), two.cliff);
  });

  it('says of too little what can be said', () => {
    for (const [x, y] of tooLittle) expect(cliffsDelta(x, y)).toBeNull();
    expect(cliffsDelta([1], [3])).toEqual({ delta: 1, ci95: null });
  });
});
