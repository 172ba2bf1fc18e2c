import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError } from '../../errors.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { Meter, MeterSheet, MeterSink, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { checkOptionNames } from '../options.ts';
import { portAddress } from '../serial/ports.ts';
import type { Conversation } from './conversation.ts';
import { WattsUpProEmulator } from './emulator.ts';
import { EMULATOR_TIMESTAMP, openIdentified, probe, type Version } from './identify.ts';
import { type DataRecord, readDataRecord } from './packets.ts';
import { RecordStream } from './record-stream.ts';

const BAUD_RATES = ['115200', '19200'];
const STOP_MS = 1000;

const SHEET: MeterSheet = {
  product: 'Watts Up? PRO, PRO ES, .Net (used: no longer made)',
  price: '€50 to €300',
  // Manual rev. 9: ± 1.5 % + 3 counts of 0.1 W.
  accuracy: { gainPercent: 1.5, offsetW: 0.3 },
  minimumGuardS: 3,
  // Manual rev. 9: watts are accurate down to 0.5 W. Captures show 0 below about 0.3 W.
  smallestLoadW: 0.5,
  channel: { part: 'machine', integration: 'guard', samplingPeriodS: 1, clock: 'meter', resolutionW: 0.1 },
  wiring: 'between plug and socket; USB',
  blind: 'which part of the machine, or which program, draws the power',
  risks: 'old: check it with a reference load',
};

/** Watts Up? PRO, PRO ES and .Net on a serial port: wall power, a mean of every second in steps of 0.1 W. */
export const wattsUpPro: MeterType = {
  type: 'watts-up-pro',
  sheet: SHEET,
  check(name) {
    checkOptionNames(name, ['baud']);
    parseBaudRate(name);
    portAddress(name);
  },
  async open(name, host) {
    wattsUpPro.check(name);
    const address = portAddress(name);
    const [conversation, version] = await openIdentified(host, address, parseBaudRate(name));
    return new WattsUpPro(conversation, infoOf(address, version));
  },
  async probe(port, host) {
    const version = await probe(host, port);
    const emulated = version?.firmwareTimestamp === EMULATOR_TIMESTAMP;
    return version && `${emulated ? 'an emulated' : 'a'} Watts Up? ${version.model}`;
  },
  emulate: (settings) => new WattsUpProEmulator(settings),
};

function parseBaudRate(name: MeterName): number {
  const text = name.options.baud ?? '115200';
  if (BAUD_RATES.includes(text)) return Number(text);
  throw new InputError(`The option baud=${text} in the meter name "${name.text}" is not possible.`, {
    advice: 'Possible: 115200, and 19200 for old meters with hardware minor version 1.',
  });
}

function infoOf(address: string, version: Version): MeterInfo {
  const emulated = version.firmwareTimestamp === EMULATOR_TIMESTAMP;
  return {
    type: wattsUpPro.type,
    address,
    source: emulated ? 'emulated' : 'measured',
    identity: { ...version },
    accuracy: SHEET.accuracy,
    minimumGuardS: SHEET.minimumGuardS,
    channels: [{ channel: 'wall', ...SHEET.channel }],
    remarks: emulated ? [EMULATED_REMARK] : [],
  };
}

class WattsUpPro implements Meter {
  readonly info: MeterInfo;
  readonly #conversation: Conversation;
  #sink: MeterSink | null = null;
  #records: RecordStream | null = null;
  #logging = false;
  #stopping: Promise<void> | null = null;

  constructor(conversation: Conversation, info: MeterInfo) {
    this.#conversation = conversation;
    this.info = info;
  }

  async start(sink: MeterSink): Promise<void> {
    if (this.#stopping || this.#logging) throw new MeasureError('A meter can be started only once; open it again.');
    this.#logging = true;
    const first = await startLogging(this.#conversation).catch(async (error: unknown) => {
      await this.stop();
      throw error;
    });
    this.#sink = sink;
    this.#conversation.onEnd((error) => this.#lose(error));
    const records = new RecordStream(sink, first, this.#conversation.clock, (error) => this.#lose(error));
    this.#records = records;
    sink.sample('wall', { tNs: first.tNs, powerW: first.record.powerW, durationS: 1 });
    this.#conversation.onPackets((packets, tNs) => records.take(packets, tNs));
  }

  mark(): void {}

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#records?.end();
    this.#sink = null;
    this.#conversation.onPackets(() => {});
    if (this.#logging) {
      const ended = (packet: { command: string }) => (packet.command === 'l' ? true : null);
      await this.#conversation.request('stopLogging', ended, { timeoutMs: STOP_MS, attempts: 1 }).catch(() => {});
    }
    await this.#conversation.close();
  }

  #lose(error: MeasureError): void {
    const sink = this.#sink;
    if (!sink) return;
    void this.stop();
    sink.lost(error);
  }
}

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
