import { join } from 'node:path';
import { PacketReader, readDataRecord } from '../../src/meters/watts-up-pro/packets.ts';
import { feedRecords, heapUsed, RECORDS_PER_DAY, recordLine } from './day.ts';
import type { Figure } from './figure.ts';

const RECORDS = 500_000;

/** Records through the parser alone, a second. */
function parsedPerSecond(): number {
  const bytes = Array.from({ length: 97 * 14 }, (_, n) => Buffer.from(recordLine(n), 'latin1'));
  const reader = new PacketReader();
  let good = 0;
  const startMs = performance.now();
  for (let n = 0; n < RECORDS; n++) {
    for (const packet of reader.push(bytes[n % bytes.length] as Buffer)) {
      const reading = readDataRecord(packet);
      if (reading !== null && 'record' in reading) good++;
    }
  }
  const seconds = (performance.now() - startMs) / 1000;
  if (good !== RECORDS) throw new Error(`${good} of ${RECORDS} records were good`);
  return RECORDS / seconds;
}

/** Parser, and parser to database, with the memory of a day of it. */
export async function* figures(folder: string): AsyncGenerator<Figure> {
  const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en-US')} a second`;
  const parsed = rate(parsedPerSecond());
  yield { what: 'records parsed (Watts Up?)', joulediff: parsed, beside: 'the meter sends 1 a second', goal: '' };
  let afterAnHour = 0;
  let atTheEnd = 0;
  const startMs = performance.now();
  feedRecords(RECORDS_PER_DAY, join(folder, 'day.db'), (fed) => {
    if (fed === 3600) afterAnHour = heapUsed();
    if (fed === RECORDS_PER_DAY) atTheEnd = heapUsed();
  });
  const stored = RECORDS_PER_DAY / ((performance.now() - startMs) / 1000);
  yield { what: 'records parsed, taken and stored', joulediff: rate(stored), beside: '', goal: '' };
  yield {
    what: 'heap that 23 of 24 hours of records add',
    joulediff: `${((atTheEnd - afterAnHour) / 2 ** 20).toFixed(2)} MiB`,
    beside: 'the samples alone: 10 MiB',
    goal: 'none',
  };
}
