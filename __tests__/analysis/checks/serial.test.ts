// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { serialDependence } from '../../../src/analysis/checks/serial.ts';

/** Rises by 0.001 a value, with a ripple that is no trend. */
const rising = (n: number): number[] => Array.from({ length: n }, (_, i) => 0.001 * i + 0.002 * Math.sin(i * i));

describe('dependence on time', () => {
  it.each([60, 400, 1500])('of %d values that rise is their rise from the first to the last', (n) => {
    const seen = serialDependence(rising(n), 0.05);
    expect(seen).toMatchObject({ trends: true, correlated: true });
    expect(Math.abs((seen?.change ?? 0) / (0.001 * (n - 1)) - 1)).toBeLessThan(0.03);
  });

  it('is not looked for in fewer than ten values, or in equal ones', () => {
    expect(serialDependence(rising(9), 0.05)).toBeNull();
    expect(serialDependence(Array(20).fill(3), 0.05)).toBeNull();
  });
});
