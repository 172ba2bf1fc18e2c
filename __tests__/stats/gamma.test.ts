// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { chiSquaredTail, logGamma } from '../../src/stats/gamma.ts';
import { valuesOf } from './expected.ts';
import { expectNear } from './near.ts';

describe('the gamma function', () => {
  it('logGamma agrees with 50-digit values to 1e-11', () => {
    const values = valuesOf('logGamma');
    expect(values.length).toBeGreaterThan(4);
    for (const [[x = 0], value] of values) expectNear(logGamma(x), value, 1e-11, 0);
  });

  it('chiSquaredTail agrees with 50-digit values to 1e-11', () => {
    const values = valuesOf('chiSquaredTail');
    expect(values.length).toBeGreaterThan(4);
    for (const [[x = 0, k = 0], value] of values) expectNear(chiSquaredTail(x, k), value, 1e-11, 0);
    expect(chiSquaredTail(0, 1)).toBe(1);
  });
});
