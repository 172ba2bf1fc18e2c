import type { MeasureError } from '../../errors.ts';
import type { Clock } from '../../system/clock.ts';
import type { PolledReading, PolledSource } from '../polled-meter.ts';
import { afterSilence, DRAIN_MS, LineEnd, ReceivedExcerpt, untilSilent } from '../serial/exchange.ts';
import type { Line } from '../serial/line.ts';
import type { Description } from './description.ts';
import { Framer } from './framer.ts';
import { powerOf } from './reading.ts';

const ATTEMPTS = 2;
/** Time limit for the answer to a question. */
const ANSWER_MS = 1000;
/** Time after a question from which on no answer to it comes any more: an earlier one would pass for the answer to the next question. */
const LATEST_MS = 2000;

/** Readings from a stream of bytes: the answer to a question, or what the meter sends by itself. Everything is bounded in time. */
export class StreamSource implements PolledSource {
  readonly waits: boolean;
  readonly #line: Line;
  readonly #description: Description;
  readonly #request: Uint8Array | null;
  readonly #clock: Clock;
  readonly #end: LineEnd;
  readonly #framer: Framer;
  readonly #received = new ReceivedExcerpt();
  #awaited: {
    readonly sentNs: bigint | null;
    take(reading: PolledReading): void;
    fail(error: MeasureError): void;
  } | null = null;
  #lastByteNs = 0n;
  /** Called when the answer that exceeded its time limit has come; null: none is outstanding. */
  #late: PromiseWithResolvers<void> | null = null;
  /** The newest reading of a meter that sends by itself, until it is taken. */
  #kept: PolledReading | null = null;

  constructor(line: Line, description: Description, clock: Clock) {
    const { request } = description;
    this.#line = line;
    this.#description = description;
    this.#request = request === undefined ? null : 'hex' in request ? request.hex : Buffer.from(request.text, 'latin1');
    this.waits = this.#request === null;
    this.#clock = clock;
    this.#framer = new Framer(description);
    line.onData((chunk, tNs) => this.#take(chunk, tNs));
    this.#end = new LineEnd(line, (error) => this.#awaited?.fail(error));
  }

  get isEmulated(): boolean {
    return this.#framer.isEmulated;
  }

  onEnd(listener: (error: MeasureError) => void): void {
    this.#end.onEnd(listener);
  }

  close(): Promise<void> {
    return this.#end.close();
  }

  async read(): Promise<PolledReading> {
    if (this.#request === null) {
      const kept = this.#kept;
      this.#kept = null;
      return kept ?? this.#exchange(1000 * Math.max(2, 3 * this.#description.renewed));
    }
    let reading: PolledReading = { missing: '' };
    for (let attempt = 0; attempt < ATTEMPTS && 'missing' in reading; attempt++)
      reading = await this.#exchange(ANSWER_MS);
    return reading;
  }

  async #exchange(ms: number): Promise<PolledReading> {
    if (this.#late !== null) {
      const callOff = this.#clock.after(LATEST_MS - ANSWER_MS, this.#late.resolve);
      await this.#late.promise.finally(callOff);
      await untilSilent(this.#clock, DRAIN_MS, () => this.#lastByteNs);
      this.#late = null;
    }
    if (this.#end.error) throw this.#end.error;
    this.#received.forget();
    const { promise, resolve, reject } = Promise.withResolvers<PolledReading>();
    promise.catch(() => {});
    const callOff = afterSilence(this.#clock, ms, () => {
      if (this.#request !== null) this.#late = Promise.withResolvers();
      const received = this.#received.text();
      resolve({ missing: received === '' ? `nothing came within ${ms / 1000} s` : `it sent "${received}"` });
    });
    this.#awaited = { sentNs: this.#request && this.#clock.nowNs(), take: resolve, fail: reject };
    try {
      if (this.#request !== null) {
        // Bytes that came before the question are no answer to it.
        this.#framer.forget();
        await this.#line.write(this.#request);
      }
      return await promise;
    } finally {
      callOff();
      this.#awaited = null;
    }
  }

  #take(chunk: Uint8Array, tNs: bigint): void {
    this.#lastByteNs = this.#clock.nowNs();
    this.#received.take(chunk);
    for (const frame of this.#framer.push(chunk)) {
      const power = powerOf(this.#description, frame);
      // The time of an answer is somewhere between its question and its arrival.
      const sentNs = this.#awaited?.sentNs ?? tNs;
      const read = { tNs: sentNs + (tNs - sentNs) / 2n, note: null };
      const reading = 'value' in power ? { ...read, powerW: [power.value] } : { missing: power.implausible };
      this.#late?.resolve();
      if (this.#awaited !== null) this.#awaited.take(reading);
      else if (this.#request === null) this.#kept = reading;
    }
  }
}
