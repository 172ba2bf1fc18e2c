// Class: system.
import { describe, expect, it } from '@jest/globals';
import { type Keep, outdated } from '../../../../src/parts/fleet/history/prune.ts';
import { line } from './records.ts';

// Hourly from 5 January 2026, 8:00 UTC on.
const records = [...line({ count: 100 }), ...line({ count: 10, seed: 2, hostname: 'bench-02' })];
const NOW = new Date('2026-01-09T12:00:00Z');
const counts = (keep: Keep) => outdated(records, keep, NOW).map(({ gone }) => gone.length);

describe('what a rule removes', () => {
  it.each<[string, Keep, number[]]>([
    ['by age: older than two days', { days: 2, last: 0 }, [52, 10]],
    ['by number: all but the latest 30 of each line', { days: null, last: 30 }, [70]],
    ['by both: only what neither keeps', { days: 2, last: 60 }, [40]],
    ['nothing where all are young', { days: 30, last: 0 }, []],
    ['all where nothing is kept', { days: 0, last: 0 }, [100, 10]],
  ])('is found %s', (_, keep, expected) => {
    expect(counts(keep).toSorted()).toEqual(expected.toSorted());
  });

  it('is the oldest of each line', () => {
    const found = outdated(records.slice(0, 100), { days: null, last: 98 }, NOW);
    expect(found.map(({ gone }) => gone)).toEqual([records.slice(0, 2)]);
  });
});
