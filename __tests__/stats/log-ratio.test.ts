// Class: unit.
import { expect, it } from '@jest/globals';
import { logRatio, toPercent } from '../../src/stats/log-ratio.ts';

it('a ratio is the same in percent, and turns its sign with its direction', () => {
  expect(toPercent(logRatio(200, 206))).toBeCloseTo(3, 12);
  expect(logRatio(206, 200)).toBeCloseTo(-logRatio(200, 206), 15);
});
