import { MeasureError } from '../../errors.ts';
import type { Clock } from '../../system/clock.ts';
import type { MeterSink } from '../meter.ts';
import { afterSilence } from '../serial/silence.ts';
import { Cadence } from './cadence.ts';
import type { Packet } from './packets.ts';
import { type DataRecord, readDataRecord } from './record.ts';

const GAP_AFTER_MS = 2500;
const LOST_AFTER_MS = 5000;
/** Malformed records reported in one session; what is missing because of the others is reported as gaps. */
const NOTE_LIMIT = 20;

/** Turns packets into samples and events, and notices when they stop. Runs from the first good record to `end`. */
export class RecordStream {
  readonly #sink: MeterSink;
  readonly #cadence: Cadence;
  readonly #clock: Clock;
  readonly #silent: (error: MeasureError) => void;
  #callOff = () => {};
  #gapReported = false;
  #notes = 0;
  #lastNs: bigint;

  /** `silent` is called once when the records have stopped for good. */
  constructor(
    sink: MeterSink,
    first: { tNs: bigint; record: DataRecord },
    clock: Clock,
    silent: (error: MeasureError) => void,
  ) {
    this.#sink = sink;
    this.#clock = clock;
    this.#silent = silent;
    this.#lastNs = first.tNs;
    this.#cadence = new Cadence(first.tNs, first.record);
    this.#watch();
  }

  take(packets: readonly Packet[], tNs: bigint): void {
    const records: DataRecord[] = [];
    for (const packet of packets) {
      const reading = readDataRecord(packet);
      if (!reading) continue;
      if ('record' in reading) records.push(reading.record);
      else this.#reportMalformed(tNs, reading.malformed);
    }
    const [first] = records;
    if (first === undefined) return;
    this.#watch();
    if (this.#gapReported) {
      this.#gapReported = false;
      this.#cadence.restart(tNs, records.at(-1) ?? first);
    } else {
      for (const event of this.#cadence.take(tNs, records)) this.#sink.event(event);
    }
    for (const [index, { powerW }] of records.entries()) this.#sample(tNs, records.length - 1 - index, powerW);
  }

  /** Among records that a busy host read together, only the last has its time of arrival; the others came the seconds before. */
  #sample(tNs: bigint, secondsBefore: number, powerW: number): void {
    const then = tNs - BigInt(secondsBefore) * 1_000_000_000n;
    this.#lastNs = then > this.#lastNs ? then : this.#lastNs + 1n;
    this.#sink.sample('wall', { tNs: this.#lastNs, powerW, durationS: 1 });
  }

  end(): void {
    this.#callOff();
  }

  /** Waits for the next record, from now on. */
  #watch(): void {
    this.#callOff();
    const gap = afterSilence(this.#clock, GAP_AFTER_MS, () => this.#reportGap());
    const lost = afterSilence(this.#clock, LOST_AFTER_MS, () =>
      this.#silent(
        new MeasureError(`The meter has sent no record for ${LOST_AFTER_MS / 1000} s.`, {
          advice: 'Check that it is on and its cable in place.',
        }),
      ),
    );
    this.#callOff = () => {
      gap();
      lost();
    };
  }

  #reportGap(): void {
    this.#gapReported = true;
    const tNs = this.#clock.nowNs();
    this.#sink.event({ tNs, kind: 'gap', detail: `No record came for ${GAP_AFTER_MS / 1000} s.` });
  }

  #reportMalformed(tNs: bigint, how: string): void {
    this.#notes++;
    if (this.#notes > NOTE_LIMIT) return;
    const last = this.#notes === NOTE_LIMIT ? ' Further ones are not told.' : '';
    this.#sink.event({ tNs, kind: 'note', detail: `A record was dropped: it ${how}.${last}` });
  }
}
