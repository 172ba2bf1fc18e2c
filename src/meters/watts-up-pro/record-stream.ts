import type { MeterEvent } from '../../contracts/reading.ts';
import { MeasureError } from '../../errors.ts';
import type { Clock } from '../../system/clock.ts';
import type { MeterSink } from '../meter.ts';
import { afterSilence } from '../serial/exchange.ts';
import { type DataRecord, follows, type Packet, readDataRecord } from './packets.ts';

const GAP_AFTER_MS = 2500;
const LOST_AFTER_MS = 5000;
/** Upper bound on reported malformed records; gaps that further ones cause are still reported. */
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

  /** Adds a sample. Of records that a busy host read together, only the last has its own time; the others came the seconds before. */
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
          advice: 'Check that it is switched on and that its cable is plugged in.',
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
    const last = this.#notes === NOTE_LIMIT ? ' Further ones are not reported.' : '';
    this.#sink.event({ tNs, kind: 'note', detail: `A record was dropped: it ${how}.${last}` });
  }
}

const SECOND_NS = 1_000_000_000n;
const NOMINAL_S = 1;
/** How much earlier than a whole second a record may come, seconds (the worst of 60,000 on a saturated host: 0.13 s). */
const EARLY_S = 0.2;
/** Delay from which a record is reported, seconds: its time is when the host was free, not when the meter sent it. */
const LATE_S = 0.5;
/** Number of contradictions in a row, at the right times, that shows that this firmware uses maximum and minimum differently. */
const CONTRADICTIONS = 3;

/**
 * Watches whether every second has its record. The times of arrival are followed as a clock of one second, so that a record that the host took
 * late is told from one that is missing: after a late record the next comes early, after a missing one it doesn't.
 */
export class Cadence {
  /** Expected time of the last record, by the followed clock. */
  #phaseNs: bigint;
  #last: DataRecord | null;
  #contradictions = 0;
  #checksContinuity = true;

  /** `record`: the first one, which came at `tNs`. */
  constructor(tNs: bigint, record: DataRecord) {
    this.#phaseNs = tNs;
    this.#last = record;
  }

  /** Restarts the clock after a silence that was reported already. */
  restart(tNs: bigint, record: DataRecord): void {
    this.#phaseNs = tNs;
    this.#last = record;
  }

  /** Takes the records that came together at `tNs`, in their order (one or more), and says what is wrong with them. */
  take(tNs: bigint, records: readonly DataRecord[]): MeterEvent[] {
    const elapsedS = Number(tNs - this.#phaseNs) / 1e9;
    const missing = Math.max(0, Math.floor(elapsedS / NOMINAL_S + EARLY_S) - records.length);
    this.#phaseNs += BigInt(records.length + missing) * SECOND_NS;
    const deviationS = Number(tNs - this.#phaseNs) / 1e9;
    this.#follow(deviationS, tNs);
    const events: MeterEvent[] = [];
    if (missing > 0) {
      const seconds = missing === 1 ? 'a second' : `${missing} seconds`;
      events.push({ tNs, kind: 'gap', detail: `The records of ${seconds} are missing.` });
    } else if (deviationS > LATE_S) {
      events.push({
        tNs,
        kind: 'note',
        detail: `A record was taken ${deviationS.toFixed(2)} s late: the host was busy.`,
      });
    } else if (deviationS < -LATE_S) {
      events.push({ tNs, kind: 'note', detail: `A record came ${(-deviationS).toFixed(2)} s early.` });
    }
    events.push(...this.#continuity(tNs, records, missing > 0));
    return events;
  }

  /** Follows the clock. An early record shows that the clock ran late, since hosts are never early; a late one may only show a busy host. */
  #follow(deviationS: number, tNs: bigint): void {
    if (deviationS < -EARLY_S) this.#phaseNs = tNs;
    else this.#phaseNs += BigInt(Math.round(deviationS * (deviationS < 0 ? 0.5 : 0.05) * 1e9));
  }

  #continuity(tNs: bigint, records: readonly DataRecord[], reported: boolean): MeterEvent[] {
    let broken = false;
    for (const record of records) {
      if (this.#last && !follows(this.#last, record)) broken = true;
      this.#last = record;
    }
    if (!this.#checksContinuity || reported) return [];
    this.#contradictions = broken ? this.#contradictions + 1 : 0;
    if (this.#contradictions === CONTRADICTIONS) {
      this.#checksContinuity = false;
      const detail = `The maximum and minimum of ${CONTRADICTIONS} records in a row contradict their power although they came in time: this meter uses them differently, so they are no longer checked.`;
      return [{ tNs, kind: 'note', detail }];
    }
    const detail = 'A record is missing: the maximum and minimum of this one do not span the one before it.';
    return broken ? [{ tNs, kind: 'gap', detail }] : [];
  }
}
