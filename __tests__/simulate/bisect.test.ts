// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { bisections } from './bisect.ts';
import { isInside } from './gates.ts';

describe('a bisection', () => {
  // Few of them with the limits that chance allows; `npm run simulate -- bisect` makes 1,000.
  it('names the commit of a step of 1 %, and none where there is no step', () => {
    const rows = bisections(25, 7, ['1 %'], [0, 1]);
    expect(rows.flatMap(({ shares }) => shares).filter((one) => !isInside(one))).toEqual([]);
    // An hour on a counter.
    expect(rows[1]?.runs90).toBeLessThan(550);
  });
});
