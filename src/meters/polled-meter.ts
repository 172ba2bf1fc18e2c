import { MeasureError } from '../errors.ts';
import { GatheredSamples } from './gathered-samples.ts';
import type { Meter, MeterInfo, MeterSink } from './meter.ts';

export type PolledReading = Reading | Missing;

export interface Reading {
  readonly tNs: bigint;
  /** Of the meter's channels, in their order. */
  readonly powerW: readonly number[];
  /** A clause about the question that failed before this one. */
  readonly repeatedBecause?: string | null;
  /** Seconds to the next question, where the meter's own rate changes. */
  readonly periodS?: number;
}

export interface Missing {
  /** A clause that says why there is no reading. */
  readonly missing: string;
}

/** A meter that answers when it is asked. */
export interface PolledSource {
  /** Asks for one reading, with its own retries, in bounded time. Throws MeasureError when the port is lost or closed. */
  read(): Promise<PolledReading>;
  /** The listener is called once when the port is lost or closed; at once when that has happened already. */
  onEnd(listener: (error: MeasureError) => void): void;
  /** Never throws, may be called twice. */
  close(): Promise<void>;
}

/** A reading is held for so many periods at most; what is longer is a gap. */
const longestHoldPeriods = 2.5;
const lostAfterNs = 5_000_000_000n;
/** Repeated questions told of in one session. */
const noteLimit = 20;

/**
 * A meter made of a source that is asked at even moments. Each reading stands for the time since the one before it; a sample is the
 * mean of one reading or more, weighted by these times.
 */
export class PolledMeter implements Meter {
  readonly info: MeterInfo;
  readonly #source: PolledSource;
  readonly #readings: bigint;
  #periodNs: bigint;
  #sink: MeterSink | null = null;
  #started = false;
  #lastNs = 0n;
  readonly #gathered: GatheredSamples;
  #gapTold = false;
  #notes = 0;
  #dueNs = 0n;
  #timer: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | null = null;

  /** `readings`: how many make a sample. Asking more often than samples are wanted sees the meter's own steps where they are. */
  constructor(info: MeterInfo, source: PolledSource, readings = 1) {
    this.info = info;
    this.#source = source;
    this.#readings = BigInt(readings);
    this.#gathered = new GatheredSamples(readings);
    this.#periodNs = nanoseconds(info.channels[0]?.samplingPeriodS ?? 1);
  }

  async start(sink: MeterSink): Promise<void> {
    if (this.#started || this.#stopping) throw new MeasureError('A meter is started once; open it anew.');
    this.#started = true;
    try {
      this.#dueNs = process.hrtime.bigint();
      const first = await this.#source.read();
      if ('missing' in first) {
        throw new MeasureError(`The meter ${this.info.type} gives no readings: ${first.missing}.`, { advice });
      }
      this.#sink = sink;
      this.#lastNs = first.tNs - this.#questionNs();
      this.#take(sink, first);
      this.#source.onEnd((error) => this.#lose(error));
      this.#plan();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  mark(): void {}

  stop(): Promise<void> {
    this.#sink = null;
    clearTimeout(this.#timer);
    this.#stopping ??= this.#source.close();
    return this.#stopping;
  }

  /** The next of the even moments that hasn't passed; never the last one again, for which a timer may have fired a little early. */
  #plan(): void {
    if (!this.#sink) return;
    const nowNs = process.hrtime.bigint();
    const everyNs = this.#questionNs();
    const steps = nowNs < this.#dueNs ? 1n : (nowNs - this.#dueNs) / everyNs + 1n;
    this.#dueNs += steps * everyNs;
    this.#timer = setTimeout(() => void this.#poll(), Number(this.#dueNs - nowNs) / 1e6);
  }

  async #poll(): Promise<void> {
    try {
      const reading = await this.#source.read();
      const sink = this.#sink;
      if (!sink) return;
      if ('missing' in reading) this.#miss(sink, reading.missing);
      else this.#take(sink, reading);
      this.#plan();
    } catch (error) {
      this.#lose(error as Error);
    }
  }

  #take(sink: MeterSink, { tNs, powerW, repeatedBecause, periodS }: Reading): void {
    this.#note(sink, tNs, repeatedBecause);
    const sinceNs = tNs - this.#lastNs;
    const seconds = Number(sinceNs) / 1e9;
    const held = sinceNs <= BigInt(Math.round(longestHoldPeriods * Number(this.#periodNs)));
    if (!held && !this.#gapTold) {
      sink.event({ tNs, kind: 'gap', detail: `There was no reading for ${seconds.toFixed(1)} s: the host was busy.` });
    }
    // What came after a gap says nothing of the gap itself.
    const whole = held && !this.#gapTold;
    if (!whole) this.#gathered.forget();
    this.#gathered.add(powerW, whole ? seconds : Number(this.#questionNs()) / 1e9);
    this.#gapTold = false;
    this.#lastNs = tNs;
    for (const [index, sample] of this.#gathered.take(tNs, this.#periodNs).entries()) {
      const channel = this.info.channels[index]?.channel;
      if (channel !== undefined) sink.sample(channel, sample);
    }
    if (periodS !== undefined) this.#periodNs = nanoseconds(periodS);
  }

  #questionNs(): bigint {
    return this.#periodNs / this.#readings;
  }

  #note(sink: MeterSink, tNs: bigint, repeatedBecause: string | null | undefined): void {
    if (!repeatedBecause || ++this.#notes > noteLimit) return;
    const last = this.#notes === noteLimit ? ' Further ones are not told.' : '';
    sink.event({ tNs, kind: 'note', detail: `A question was repeated: ${repeatedBecause}.${last}` });
  }

  #miss(sink: MeterSink, what: string): void {
    const tNs = process.hrtime.bigint();
    this.#gapTold = true;
    sink.event({ tNs, kind: 'gap', detail: `The meter gave no reading: ${what}.` });
    if (tNs - this.#lastNs < lostAfterNs) return;
    const seconds = Number(lostAfterNs) / 1e9;
    this.#lose(new MeasureError(`The meter has given no reading for ${seconds} s: ${what}.`, { advice }));
  }

  #lose(error: Error): void {
    const sink = this.#sink;
    if (!sink) return;
    void this.stop();
    sink.lost(error);
  }
}

function nanoseconds(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e9));
}

const advice = 'Check that it is on and its cable in place.';
