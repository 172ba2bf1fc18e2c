// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../src/store/reader.ts';
import { feedRecords, heapUsed, RECORDS_PER_DAY } from '../bench/day.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-day-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('24 hours of records', () => {
  it('leave memory flat, and are all in the database', () => {
    const database = join(folder, 'experiment.db');
    let afterAnHour = 0;
    let atTheEnd = 0;
    feedRecords(RECORDS_PER_DAY, database, (fed) => {
      if (fed === 3600) afterAnHour = heapUsed();
      if (fed === RECORDS_PER_DAY) atTheEnd = heapUsed();
    });
    // 23 hours of samples would be 10 MB.
    expect(atTheEnd - afterAnHour).toBeLessThan(1_000_000);
    const reader = openStore(database);
    const { tNs, powerW } = reader.samples(1, 'wall');
    expect(tNs).toHaveLength(RECORDS_PER_DAY);
    expect([tNs[0], tNs.at(-1)]).toEqual([1e9, RECORDS_PER_DAY * 1e9]);
    expect([powerW[0], powerW.at(-1)]).toEqual([40.1, (400 + (RECORDS_PER_DAY % 97)) / 10]);
    expect(reader.events()).toEqual([]);
    reader.close();
  });
});
