// Class: unit.
import { expect, it } from '@jest/globals';
import { powerRange } from '../../../../src/report/charts/hexagons/panels.ts';
import { failing } from '../../../stats/any-numbers.ts';

it('the range of any finite readings lies inside of them', () => {
  expect(
    failing((sorted, low, high) => {
      const tS = Float64Array.from(sorted.keys(), (i) => i + 0.5);
      const range = powerRange([
        { run: 1, variant: 'a', durationS: sorted.length, tS, powerW: Float64Array.from(sorted) },
      ]);
      return range.low >= low && range.low <= range.high && range.high <= high;
    }),
  ).toEqual([]);
});
