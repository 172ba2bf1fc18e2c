// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { flagged, quantileOfSorted as quantile } from '../../src/stats/quantiles.ts';
import { failing } from './any-numbers.ts';
import { arms } from './expected.ts';

describe('flagged', () => {
  it.each(arms)('$name', ({ values, wanted }) => {
    expect(flagged(values)).toEqual(wanted.flagged);
  });

  it('is null for nothing', () => {
    expect(flagged([])).toBeNull();
  });
});

describe('quantiles', () => {
  it('are of type 7', () => {
    expect([0, 0.25, 0.5, 0.75, 1].map((q) => quantile([1, 2, 4, 8], q))).toEqual([1, 1.75, 3, 5, 8]);
  });

  it('of any finite numbers lie between the least and the greatest, in order', () => {
    expect(
      failing((sorted, low, high) => {
        const found = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map((q) => quantile(sorted, q));
        return found.every((value, i) => value >= (i === 0 ? low : found[i - 1]!) && value <= high);
      }),
    ).toEqual([]);
  });
});
