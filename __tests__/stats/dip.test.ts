// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { dip } from '../../src/stats/dip.ts';

const fixture = new URL('../fixtures/dip/expected.json', import.meta.url);
const expected: { name: string; values: number[]; dip: number }[] = JSON.parse(readFileSync(fixture, 'utf8'));

describe('Hartigan’s dip', () => {
  it.each(expected)('of $name is that of the reference', ({ values, dip: wanted }) => {
    expect(dip(values)).toBeCloseTo(wanted, 12);
    expect(dip(values.map((value) => 1e6 - 3 * value))).toBeCloseTo(wanted, 9);
  });

  it('is at its least for one value, or one value many times', () => {
    expect(dip([5])).toBe(0.5);
    expect(dip([5, 5, 5, 5])).toBe(0.125);
    expect(() => dip([])).toThrow(RangeError);
  });
});
