// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { meterTypes } from '../../src/meters/registry.ts';
import { usualCells } from '../../src/report/meters-page.ts';

describe('the page of meters', () => {
  it('finds that longer runs show smaller changes', () => {
    for (const { sheet } of meterTypes) {
      const percents = usualCells(sheet).map(Number.parseFloat).filter(Number.isFinite);
      expect(percents).toEqual(percents.toSorted((a, b) => b - a));
    }
  });
});
