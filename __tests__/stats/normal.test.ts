// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { normalCdf, normalQuantile, normalTail } from '../../src/stats/normal.ts';
import { valuesOf } from './expected.ts';
import { expectNear } from './near.ts';

describe('the normal distribution', () => {
  it.each([
    ['normalCdf', normalCdf],
    ['normalQuantile', normalQuantile],
  ])('%s agrees with 50-digit values to 1e-11', (name, of) => {
    const values = valuesOf(name);
    expect(values.length).toBeGreaterThan(4);
    for (const [[z = 0], value] of values) expectNear(of(z), value, 1e-11, 0);
  });

  it('keeps relative accuracy far out in the tails', () => {
    expectNear(normalTail(20), 2.7536241186062337e-89, 1e-13);
  });

  it('has the ends that a distribution has', () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
  });
});
