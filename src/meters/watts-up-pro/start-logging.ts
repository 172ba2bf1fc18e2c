import { MeasureError } from '../../errors.ts';
import type { Conversation } from './conversation.ts';
import { type DataRecord, readDataRecord } from './record.ts';

const FIRST_RECORD_MS = 3000;
const REGULAR_WITHIN_MS = 12_000;
const SHORTEST_NS = 900_000_000n;
const LONGEST_NS = 1_100_000_000n;

interface TimedRecord {
  readonly tNs: bigint;
  readonly record: DataRecord;
}

/**
 * Starts external logging and waits until the records come regularly: the first ones may be left over from before, or cut off.
 * Gives the first record that came a second (0.9 to 1.1 s) after another. Throws MeasureError when none comes, or no two do so.
 */
export async function startLogging(conversation: Conversation): Promise<TimedRecord> {
  let last: TimedRecord | null = null;
  let malformed = '';
  let settle: (record: TimedRecord) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const regular = new Promise<TimedRecord>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  regular.catch(() => {}); // it may fail while a request is still waited for
  conversation.onPackets((packets, tNs) => {
    for (const packet of packets) {
      const reading = readDataRecord(packet);
      if (!reading) continue;
      if ('malformed' in reading) {
        malformed = reading.malformed;
        continue;
      }
      const record = { tNs, record: reading.record };
      const intervalNs = last === null ? 0n : tNs - last.tNs;
      if (intervalNs >= SHORTEST_NS && intervalNs <= LONGEST_NS) settle(record);
      last = record;
    }
  });
  conversation.onEnd(fail);

  const isRecord = (packet: Parameters<typeof readDataRecord>[0]) => {
    const reading = readDataRecord(packet);
    return reading && 'record' in reading ? true : null;
  };
  const once = { timeoutMs: FIRST_RECORD_MS, attempts: 1 };
  const comes =
    (await conversation.request('startLogging', isRecord, once)) ??
    (await conversation.request('startLoggingEmpty', isRecord, once));
  if (!comes) {
    const what = malformed === '' ? 'no power records' : `records that can't be used: the last one ${malformed}`;
    throw new MeasureError(`The Watts Up? meter answers, but sends ${what}.`, {
      advice: 'Switch it off and on again.',
    });
  }
  const callOff = conversation.clock.after(REGULAR_WITHIN_MS, () =>
    fail(
      new MeasureError('The records of the Watts Up? meter do not come once a second.', {
        advice: 'Check the cable, and that the machine is not overloaded.',
      }),
    ),
  );
  return regular.finally(() => callOff());
}
