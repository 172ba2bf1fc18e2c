// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { tQuantile, tTail } from '../../src/stats/student.ts';
import { valuesOf } from './expected.ts';
import { expectNear } from './near.ts';

describe('Student’s t', () => {
  it.each([
    ['tTail', tTail],
    ['tQuantile', tQuantile],
  ])('%s agrees with 50-digit values to 1e-11', (name, of) => {
    const values = valuesOf(name);
    expect(values.length).toBeGreaterThan(4);
    for (const [[t = 0, df = 0], value] of values) expectNear(of(t, df), value, 1e-11, 0);
  });

  it('keeps relative accuracy far out in the tails', () => {
    expectNear(tTail(1e8, 1), 3.183098861837907e-9, 1e-13);
  });

  it('has the ends that a distribution has', () => {
    expect(tTail(Infinity, 4)).toBe(0);
    expect(tTail(0, 4)).toBe(0.5);
  });
});
