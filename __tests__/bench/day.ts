import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ObservationBuffer } from '../../src/measure/observation-buffer.ts';
import { PacketReader, readDataRecord } from '../../src/meters/watts-up-pro/packets.ts';
import { RecordStream } from '../../src/meters/watts-up-pro/record-stream.ts';
import { StoreWriter } from '../../src/store/writer.ts';
import { SYSTEM_CLOCK } from '../../src/system/clock.ts';
import { conditions, nativeAndContainer, WALL_METER, wallMeter } from '../store/fixtures.ts';

export const RECORDS_PER_DAY = 86_400;
const RECORDS_PER_RUN = 600;
const SECOND_NS = 1_000_000_000n;

/** A Watts Up? record as the meter sends it in second `n`, with the stray NUL of some of them. */
export function recordLine(n: number): string {
  const [now, before] = [wattsTenths(n), wattsTenths(n - 1)];
  const fields = [now, 1200, 335, 79, 0, 34, 2, Math.max(now, before), 1200, 336, Math.min(now, before), 1198, 275];
  return `#d,-,18,${[...fields, 91, 0, 0, 600, 427].join(',')};${n % 14 === 0 ? '\0' : ''}\r\n`;
}

const wattsTenths = (n: number): number => 400 + (((n % 97) + 97) % 97);

/** Heap in use after a full garbage collection, bytes. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/**
 * Feeds so many records, faster than real time, through all that stands between the port and the database of one experiment: parser, driver,
 * buffer, and a transaction a run. Calls `after` with the records so far after each run.
 */
export function feedRecords(records: number, databasePath: string, after: (fed: number) => void): void {
  const originNs = 1_000_000n * SECOND_NS;
  const runs = Math.ceil(records / RECORDS_PER_RUN);
  const planned = Array.from({ length: runs }, (_, i) => ({
    run: i + 1,
    block: Math.floor(i / 2) + 1,
    position: (i % 2) + 1,
    variant: i % 2 === 0 ? 'native' : 'container',
    warmup: false,
  }));
  const store = StoreWriter.create(databasePath, {
    id: 'day',
    startedAt: '2026-01-02T03:04:05.000Z',
    experiment: nativeAndContainer,
    plan: { seed: 1, order: 'randomized-blocks', runs: planned },
    facts: new Map(),
    meters: [{ ...wallMeter, name: WALL_METER, passport: null }],
    noiseFloor: null,
  });
  store.beginSession('2026-01-02T03:04:06.000Z', originNs, conditions);
  const buffer = new ObservationBuffer();
  const reader = new PacketReader();
  const [packet] = reader.push(Buffer.from(recordLine(0), 'latin1'));
  const first = packet && readDataRecord(packet);
  if (!first || !('record' in first)) throw new Error('the first record is malformed');
  const lost = (error: Error): never => {
    throw error;
  };
  const stream = new RecordStream(buffer, { tNs: originNs, record: first.record }, SYSTEM_CLOCK, lost);
  for (let run = 1; run <= runs; run++) {
    const last = Math.min(records, run * RECORDS_PER_RUN);
    for (let n = (run - 1) * RECORDS_PER_RUN + 1; n <= last; n++) {
      stream.take(reader.push(Buffer.from(recordLine(n), 'latin1')), originNs + BigInt(n) * SECOND_NS);
    }
    const at = (n: number): bigint => originNs + BigInt(n) * SECOND_NS;
    store.addRun(
      {
        run,
        planned: run,
        attempt: 1,
        position: (run - 1) % 2 === 0 ? 1 : 2,
        status: 'ok',
        cause: null,
        reason: null,
        restEnd: null,
        restStartNs: at(last - RECORDS_PER_RUN),
        startNs: at(last - 300),
        endNs: at(last - 100),
        guardEndNs: at(last),
        exitCode: 0,
        signal: null,
        outputTail: null,
        executions: 1,
        machine: null,
        incidents: null,
        telemetry: null,
        place: null,
      },
      buffer.take(),
    );
    after(last);
  }
  stream.end();
  store.close('2026-01-03T03:04:06.000Z', { kind: 'complete' }, buffer.take());
}
