import { MeasureError, messageOf } from '../errors.ts';
import { type Clock, nsToSeconds, secondsToNs } from '../system/clock.ts';
import type { Meter, MeterInfo, MeterSink } from './meter.ts';

/** Something whose energy can be read at any moment, synchronously. */
export interface EnergyCounter {
  /**
   * Joules since the call before, per channel, in the order of the meter's channels; the first call only sets the origin.
   * `gap` instead when the counter can't say. Throws when the counter is gone.
   */
  advance(elapsedS: number): { readonly energyJ: readonly number[] } | { readonly gap: string };
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
      this.#counter.advance(0);
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
    if ('gap' in reading) {
      sink.event({ tNs, kind: 'gap', detail: reading.gap });
      return;
    }
    for (const [index, { channel }] of this.info.channels.entries()) {
      const energyJ = reading.energyJ[index];
      if (energyJ !== undefined) sink.sample(channel, { tNs, powerW: energyJ / durationS, durationS });
    }
  }

  #gone(cause: unknown): MeasureError {
    return new MeasureError(`The meter ${this.info.type} can't be read any more: ${messageOf(cause)}`, { cause });
  }
}
