// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { noncentralTCdf } from '../../src/stats/noncentral-t.ts';
import { valuesOf } from './expected.ts';
import { expectNear } from './near.ts';

describe('noncentralTCdf', () => {
  it('agrees with 30-digit quadrature to 1e-13', () => {
    const values = valuesOf('noncentralTCdf');
    expect(values.length).toBeGreaterThan(50);
    for (const [args, value] of values) {
      expectNear(noncentralTCdf(...(args as [number, number, number])), value, 0, 1e-13);
    }
  });

  it('resolves the step however steep it is', () => {
    for (const t of [1, 10, 1000, 1e6]) {
      expectNear(noncentralTCdf(t, 38, t) - noncentralTCdf(-t, 38, -t), 2 * noncentralTCdf(t, 38, t) - 1, 1e-9);
      expect(noncentralTCdf(t, 38, 0.5 * t - 12)).toBeGreaterThan(0.999);
    }
  });
});
