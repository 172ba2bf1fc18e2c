// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { meterTypes } from '../../src/meters/registry.ts';
import { usualCells, withMeterTables } from '../../src/report/meters-page.ts';

const page = readFileSync(new URL('../../docs/meters.md', import.meta.url), 'utf8');

describe('the page of meters', () => {
  it('has the tables that `npm run schemas` writes', () => {
    expect(withMeterTables(page, meterTypes)).toBe(page);
  });

  it('finds that longer runs show smaller changes', () => {
    for (const { sheet } of meterTypes) {
      const percents = usualCells(sheet).map(Number.parseFloat).filter(Number.isFinite);
      expect(percents).toEqual(percents.toSorted((a, b) => b - a));
    }
  });
});
