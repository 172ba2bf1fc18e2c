// Class: unit.
import { expect, it } from '@jest/globals';
import { neededGuardS } from '../../src/findings/passport.ts';

it('asks for the guard that the passport found, in tenths of a second upwards', () => {
  const latency = { mean_s: 1.3, sd_s: 0.2, max_s: 1.62, edges: 10 };
  expect(neededGuardS({ guard_needed_s: 2.51, latency })).toBe(2.6);
  expect(neededGuardS({ guard_needed_s: null, latency })).toBeNull();
});
