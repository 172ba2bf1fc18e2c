// Class: world, computes.
import { expect, it } from '@jest/globals';
import { isInside } from './gates.ts';
import { suites } from './suite.ts';

// Few suites with the limits that chance allows them; `npm run simulate -- suite` does it with 2,000.
it('a suite holds its false discovery rate, and its intervals allow for what was picked', () => {
  const rows = suites(25, 11, [30], [0, 30]);
  expect(rows.flatMap(({ shares }) => shares).filter((one) => !isInside(one))).toEqual([]);
});
