import type { MeterInfo, RawReading, ReportedQuantities, Sample } from '../contracts/reading.ts';
import { MeasureError } from '../errors.ts';
import { LONGEST_HOLD_PERIODS } from '../sampling/sample-clock.ts';
import { type Clock, nsToSeconds, secondsToNs } from '../system/clock.ts';
import type { Meter, MeterSink, Replies } from './meter.ts';

export type PolledReading = Reading | Missing;

export interface Reading {
  readonly tNs: bigint;
  /** One for each of the meter's channels, in their order. */
  readonly powerW: readonly number[];
  /** A sentence that is worth knowing, although nothing is lost. */
  readonly note: string | null;
  /** Seconds to the next question, where the meter's own rate changes. */
  readonly periodS?: number;
  /** Original quantities of the first channel, as in a sample. */
  readonly reported?: ReportedQuantities | undefined;
}

/** Note on a reading for which the meter was asked again. `because`: a clause; null where it wasn't. */
export function repeatedNote(because: string | null): string | null {
  return because === null ? null : `A request was repeated: ${because}.`;
}

export interface Missing {
  /** A clause that says why there is no reading. */
  readonly missing: string;
}

/** A meter that answers when it is asked. */
export interface PolledSource {
  /** Whether answers wait for new data, so that one may take its whole turn: the next question is then late, and not left out. */
  readonly waits?: boolean;
  /** Asks for one reading, with its own retries, in bounded time. Throws MeasureError when the port is lost or closed. */
  read(): Promise<PolledReading>;
  /** The listener is called once when the port is lost or closed; at once when that has happened already. */
  onEnd(listener: (error: MeasureError) => void): void;
  /** Never throws, may be called twice. */
  close(): Promise<void>;
}

/** Silence, as a minimum time and in questions, after which a meter is lost. */
const LOST_AFTER_NS = 5_000_000_000n;
const LOST_AFTER_QUESTIONS = 4n;
/** Upper bound on notes in one session. */
const NOTE_LIMIT = 20;

/**
 * A meter made of a source that is asked at even moments. Each reading stands for the time since the one before it; a sample is the
 * mean of one reading or more, weighted by these times.
 */
export class PolledMeter implements Meter {
  readonly info: MeterInfo;
  readonly #source: PolledSource;
  readonly #clock: Clock;
  readonly #readings: bigint;
  #periodNs: bigint;
  #sink: MeterSink | null = null;
  #started = false;
  #lastNs = 0n;
  readonly #average: SampleAverage;
  #gapReported = false;
  #notes = 0;
  readonly #replies = { count: 0, sumS: 0, mostS: 0 };
  #dueNs = 0n;
  #callOff = () => {};
  #stopping: Promise<void> | null = null;

  /** `readings`: number per sample. More questions than samples locate the steps of the meter's values more precisely. */
  constructor(info: MeterInfo, source: PolledSource, clock: Clock, readings = 1) {
    this.info = info;
    this.#source = source;
    this.#clock = clock;
    this.#readings = BigInt(readings);
    this.#average = new SampleAverage(readings);
    this.#periodNs = secondsToNs(info.channels[0]?.samplingPeriodS ?? 1);
  }

  async start(sink: MeterSink): Promise<void> {
    if (this.#started || this.#stopping) throw new MeasureError('A meter can be started only once; open it again.');
    this.#started = true;
    try {
      this.#dueNs = this.#clock.nowNs();
      const first = await this.#ask();
      if ('missing' in first) {
        throw new MeasureError(`The meter ${this.info.type} gives no readings: ${first.missing}.`, { advice: ADVICE });
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

  replies(): Replies | null {
    const { count, sumS, mostS } = this.#replies;
    return count === 0 ? null : { count, meanS: sumS / count, mostS };
  }

  stop(): Promise<void> {
    this.#sink = null;
    this.#callOff();
    this.#stopping ??= this.#source.close();
    return this.#stopping;
  }

  /** Plans the next question: at the next moment of the grid, which may be past by half a period where answers wait; never the last one again. */
  #plan(): void {
    if (!this.#sink) return;
    const nowNs = this.#clock.nowNs();
    const everyNs = this.#questionNs();
    const late = this.#source.waits ? everyNs / 2n : 0n;
    const steps = nowNs < this.#dueNs ? 1n : (nowNs - late - this.#dueNs) / everyNs + 1n;
    this.#dueNs += steps * everyNs;
    this.#callOff = this.#clock.after(Math.max(0, Number(this.#dueNs - nowNs) / 1e6), () => void this.#poll());
  }

  async #ask(): Promise<PolledReading> {
    const askedNs = this.#clock.nowNs();
    const reading = await this.#source.read();
    if (!('missing' in reading)) {
      const tookS = nsToSeconds(this.#clock.nowNs() - askedNs);
      this.#replies.count += 1;
      this.#replies.sumS += tookS;
      this.#replies.mostS = Math.max(this.#replies.mostS, tookS);
    }
    return reading;
  }

  async #poll(): Promise<void> {
    try {
      const reading = await this.#ask();
      const sink = this.#sink;
      if (!sink) return;
      if ('missing' in reading) this.#miss(sink, reading.missing);
      else this.#take(sink, reading);
      this.#plan();
    } catch (error) {
      this.#lose(error as Error);
    }
  }

  #take(sink: MeterSink, { tNs, powerW, note, periodS, reported }: Reading): void {
    if (note !== null) this.#note(sink, tNs, note);
    const sinceNs = tNs - this.#lastNs;
    const seconds = nsToSeconds(sinceNs);
    const held = sinceNs <= BigInt(Math.round(LONGEST_HOLD_PERIODS * Number(this.#periodNs)));
    if (!held && !this.#gapReported) {
      sink.event({ tNs, kind: 'gap', detail: `There was no reading for ${seconds.toFixed(1)} s: the host was busy.` });
    }
    // The duration of a reading after a gap says nothing about the gap itself.
    const whole = held && !this.#gapReported;
    if (!whole) this.#average.forget();
    this.#average.add(powerW, whole ? seconds : nsToSeconds(this.#questionNs()));
    this.#gapReported = false;
    this.#lastNs = tNs;
    for (const [index, sample] of this.#average.take(tNs, this.#periodNs).entries()) {
      const channel = this.info.channels[index]?.channel;
      if (channel !== undefined) sink.sample(channel, index === 0 && reported ? { ...sample, reported } : sample);
    }
    if (periodS !== undefined) this.#periodNs = secondsToNs(periodS);
  }

  #questionNs(): bigint {
    return this.#periodNs / this.#readings;
  }

  #note(sink: MeterSink, tNs: bigint, sentence: string): void {
    if (++this.#notes > NOTE_LIMIT) return;
    const last = this.#notes === NOTE_LIMIT ? ' Further ones are not reported.' : '';
    sink.event({ tNs, kind: 'note', detail: `${sentence}${last}` });
  }

  #miss(sink: MeterSink, what: string): void {
    const tNs = this.#clock.nowNs();
    this.#gapReported = true;
    sink.event({ tNs, kind: 'gap', detail: `The meter gave no reading: ${what}.` });
    const longNs = LOST_AFTER_QUESTIONS * this.#questionNs();
    const lostAfterNs = longNs > LOST_AFTER_NS ? longNs : LOST_AFTER_NS;
    if (tNs - this.#lastNs < lostAfterNs) return;
    const seconds = nsToSeconds(lostAfterNs);
    this.#lose(new MeasureError(`The meter has given no reading for ${seconds} s: ${what}.`, { advice: ADVICE }));
  }

  #lose(error: Error): void {
    const sink = this.#sink;
    if (!sink) return;
    void this.stop();
    sink.lost(error);
  }
}

const ADVICE = 'Check that it is switched on, and that its cable or its network is there.';

/** Averages readings of several channels into samples, weighted by the time that each reading stands for. */
export class SampleAverage {
  readonly #readings: number;
  #meansW: number[] = [];
  #seconds = 0;
  /** Readings of each channel since the last sample. */
  #raw: RawReading[][] = [];
  #dueNs: bigint | null = null;

  /** `readings`: how many make a sample. */
  constructor(readings: number) {
    this.#readings = readings;
  }

  /** Adds a reading, which stands for the `durationS` before `tNs`. */
  add(powerW: readonly number[], durationS: number): void {
    this.#seconds += durationS;
    if (this.#readings > 1) {
      powerW.forEach((watts, channel) => {
        this.#raw[channel] = [...(this.#raw[channel] ?? []), [Math.round(durationS * 1e9), watts]];
      });
    }
    const share = durationS / this.#seconds;
    this.#meansW = powerW.map((watts, channel) => {
      const before = this.#meansW[channel] ?? 0;
      return before + (watts - before) * share;
    });
  }

  /** Drops the readings since the last sample. */
  forget(): void {
    this.#meansW = [];
    this.#seconds = 0;
    this.#raw = [];
  }

  /** One sample per channel, if they are due at `tNs`: the grid is even, so a late question delays no other one. */
  take(tNs: bigint, periodNs: bigint): Sample[] {
    if (this.#readings > 1) {
      this.#dueNs ??= tNs;
      // Half the time between two questions is added: a reading belongs to the nearest moment of the grid.
      const pastNs = tNs - this.#dueNs + periodNs / BigInt(2 * this.#readings);
      if (pastNs < 0n) return [];
      this.#dueNs += (pastNs / periodNs + 1n) * periodNs;
    }
    const samples = this.#meansW.map((powerW, channel): Sample => {
      const readings = this.#raw[channel] ?? [];
      // A single reading is its own mean, and needs no second record.
      return { tNs, powerW, durationS: this.#seconds, ...(readings.length > 1 && { readings }) };
    });
    this.forget();
    return samples;
  }
}
