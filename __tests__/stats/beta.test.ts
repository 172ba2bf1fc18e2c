// Class: unit.
import { expect, it } from '@jest/globals';
import { incompleteBeta } from '../../src/stats/beta.ts';
import { valuesOf } from './expected.ts';
import { expectNear } from './near.ts';

it('incompleteBeta agrees with 50-digit values to 1e-11', () => {
  const values = valuesOf('incompleteBeta');
  expect(values.length).toBeGreaterThan(4);
  for (const [[a = 0, b = 0, x = 0], value] of values) expectNear(incompleteBeta(a, b, x, 1 - x), value, 1e-11, 0);
});
