import type { MeterInfo } from '../contracts/reading.ts';
import { MeasureError, messageOf } from '../errors.ts';
import { type CounterReading, powerFrom } from '../sampling/reported.ts';
import { type Clock, nsToSeconds, secondsToNs } from '../system/clock.ts';
import type { Meter, MeterSink } from './meter.ts';

/** Something whose energy can be read at any moment, synchronously. */
export interface EnergyCounter {
  /** Reads the counter, `elapsedS` after the last reading; the first one only sets the origin. Throws when the counter is gone. */
  advance(elapsedS: number): Advance | Modelled;
}

export interface Advance {
  /** Per channel, in the order of the meter's channels: the values of its quantities. */
  readonly values: readonly (readonly number[])[];
  /** Per channel: why the energy since the reading before is unknown, a sentence; null: it is known. */
  readonly gaps: readonly (string | null)[];
}

/** Energy of a model, which has no counter: joules since the last reading, per channel. */
interface Modelled {
  readonly energyJ: readonly number[];
}

/** Two readings closer than this are one: counters move in steps of about 1 ms, so their difference would be noise. */
const SHORTEST_NS = 1_000_000n;

/** A meter made of a counter: reads it every period, and at every `mark`. Nothing between two readings is lost. */
export class CounterMeter implements Meter {
  readonly info: MeterInfo;
  readonly #counter: EnergyCounter;
  readonly #clock: Clock;
  readonly #periodNs: bigint;
  #sink: MeterSink | null = null;
  #lastNs = 0n;
  #dueNs = 0n;
  /** The last reading of each channel. */
  #readings: readonly CounterReading[] = [];
  #callOff = () => {};

  constructor(info: MeterInfo, counter: EnergyCounter, clock: Clock) {
    this.info = info;
    this.#counter = counter;
    this.#clock = clock;
    this.#periodNs = secondsToNs(info.channels[0]?.samplingPeriodS ?? 1);
  }

  async start(sink: MeterSink): Promise<void> {
    if (this.#sink) throw new MeasureError('The meter was started already.');
    this.#lastNs = this.#clock.nowNs();
    try {
      this.#keep(this.#counter.advance(0), this.#lastNs);
    } catch (cause) {
      throw this.#gone(cause);
    }
    this.#sink = sink;
    this.#dueNs = this.#lastNs;
    this.#plan();
  }

  mark(): void {
    const sink = this.#sink;
    if (!sink) return;
    try {
      this.#read(sink);
    } catch (cause) {
      void this.stop();
      sink.lost(this.#gone(cause));
    }
  }

  async stop(): Promise<void> {
    this.#callOff();
    this.#sink = null;
  }

  #plan(): void {
    const nowNs = this.#clock.nowNs();
    this.#dueNs += this.#periodNs;
    if (this.#dueNs < nowNs) this.#dueNs = nowNs;
    this.#callOff = this.#clock.after(Number(this.#dueNs - nowNs) / 1e6, () => {
      this.mark();
      if (this.#sink) this.#plan();
    });
  }

  #read(sink: MeterSink): void {
    // Taken before the counter is read: the reading takes about as long every time, so its delay is the same at both ends.
    const tNs = this.#clock.nowNs();
    if (tNs - this.#lastNs < SHORTEST_NS) return;
    const durationS = nsToSeconds(tNs - this.#lastNs);
    const reading = this.#counter.advance(durationS);
    this.#lastNs = tNs;
    const before = this.#readings;
    this.#keep(reading, tNs);
    const gaps = 'gaps' in reading ? reading.gaps : [];
    for (const detail of new Set(gaps.filter((gap) => gap !== null))) {
      const channels = this.info.channels.filter((_, index) => gaps[index] === detail);
      sink.event({ tNs, kind: 'gap', detail, channels: channels.map(({ channel }) => channel) });
    }
    for (const [index, { channel, quantities = [] }] of this.info.channels.entries()) {
      if ('energyJ' in reading) {
        const energyJ = reading.energyJ[index];
        if (energyJ !== undefined) sink.sample(channel, { tNs, powerW: energyJ / durationS, durationS });
        continue;
      }
      if (gaps[index] != null) continue;
      const [current, since = null] = [this.#readings[index], before[index]];
      const powerW = current && powerFrom(quantities, current, since);
      if (powerW != null) sink.sample(channel, { tNs, powerW, durationS, reported: { ...current!, since } });
    }
  }

  #keep(reading: Advance | Modelled, tNs: bigint): void {
    if ('values' in reading) this.#readings = reading.values.map((values) => ({ tNs, values }));
  }

  #gone(cause: unknown): MeasureError {
    return new MeasureError(`The meter ${this.info.type} can't be read any more: ${messageOf(cause)}`, { cause });
  }
}
