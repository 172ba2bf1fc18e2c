import type { MeasureError } from '../../errors.ts';
import { type Clock, sleep } from '../../system/clock.ts';
import type { MeterHost } from '../meter.ts';
import { afterSilence, DRAIN_MS, LineEnd, ReceivedExcerpt, untilSilent } from '../serial/exchange.ts';
import type { Line, LineFormat } from '../serial/line.ts';
import type { Answer, NoAnswer, Parsed } from './answer.ts';
import { encodeRequest, type ReadRequest, type Reply, ReplyReader, sameRequest } from './frames.ts';

export interface Patience {
  /** Time limit from the question to the end of its reply, milliseconds. */
  readonly timeoutMs: number;
  /** Number of questions after which the reading is given up. */
  readonly attempts: number;
}

/** Longest delay of a reply, milliseconds: a different question before that could get the reply to this one. */
const LATEST_REPLY_MS = 1000;
const FRAME_GAP_CHARACTERS = 3.5;
const BITS_PER_CHARACTER = 10;

/** One question at a time over a serial port, the reply found among whatever comes, everything bounded in time. */
export class ModbusLine {
  readonly #line: Line;
  readonly #end: LineEnd;
  readonly #clock: Clock;
  readonly #frameGapMs: number;
  readonly #received = new ReceivedExcerpt();
  #lastByteNs: bigint;
  #awaited: { take(chunk: Uint8Array, tNs: bigint): void; fail(error: MeasureError): void } | null = null;
  #unanswered: { readonly request: ReadRequest; readonly sentMs: number } | null = null;

  constructor(line: Line, baudRate: number, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    this.#lastByteNs = clock.nowNs();
    this.#frameGapMs = (FRAME_GAP_CHARACTERS * BITS_PER_CHARACTER * 1000) / baudRate;
    line.onData((chunk, tNs) => {
      this.#lastByteNs = clock.nowNs();
      this.#received.take(chunk);
      this.#awaited?.take(chunk, tNs);
    });
    this.#end = new LineEnd(line, (error) => this.#awaited?.fail(error));
  }

  /** Throws MeasureError as `SerialLine.open`. */
  static async open(host: MeterHost, path: string, format: LineFormat): Promise<ModbusLine> {
    return new ModbusLine(await host.openLine(path, format), format.baudRate, host.clock);
  }

  /** Called once when the port is lost or closed; at once when that has happened already. */
  onEnd(listener: (error: MeasureError) => void): void {
    this.#end.onEnd(listener);
  }

  /**
   * Asks until `parse` gets a value from a reply, at most `attempts` times, and then says what came instead the last time.
   * Throws MeasureError when the port is lost or closed.
   */
  async read<T>(request: ReadRequest, parse: (data: Uint8Array) => Parsed<T>, patience: Patience): Promise<Answer<T>> {
    this.#received.forget();
    await this.#lateRepliesOver(request);
    let failure: NoAnswer | null = null;
    for (let attempt = 0; attempt < patience.attempts; attempt++) {
      await untilSilent(this.#clock, failure ? DRAIN_MS : this.#frameGapMs, () => this.#lastByteNs);
      const answer = await this.#ask(request, patience.timeoutMs);
      if (answer === null) {
        failure = this.#nothing(patience.timeoutMs * (attempt + 1));
      } else if ('exception' in answer.reply) {
        failure = { none: 'refused', code: answer.reply.exception };
      } else {
        const parsed = parse(answer.reply.data);
        if ('value' in parsed) return { value: parsed.value, tNs: answer.tNs, repeatedBecause: failure };
        failure = { none: 'implausible', what: parsed.implausible };
      }
    }
    return failure ?? this.#nothing(0);
  }

  #nothing(waitedMs: number): NoAnswer {
    const received = this.#received.text();
    if (received !== '') return { none: 'garbage', received };
    return { none: 'silence', seconds: waitedMs / 1000 };
  }

  /** Waits until no late reply can come: a reply doesn't say which question it answers. */
  async #lateRepliesOver(request: ReadRequest): Promise<void> {
    const unanswered = this.#unanswered;
    if (!unanswered || sameRequest(unanswered.request, request)) return;
    await sleep(this.#clock, Math.max(0, unanswered.sentMs + LATEST_REPLY_MS - this.#nowMs()));
    this.#unanswered = null;
  }

  /** Asks once; null: no reply came in time. */
  #ask(request: ReadRequest, timeoutMs: number): Promise<{ reply: Reply; tNs: bigint } | null> {
    if (this.#end.error) return Promise.reject(this.#end.error);
    const { promise, resolve, reject } = Promise.withResolvers<{ reply: Reply; tNs: bigint } | null>();
    const reader = new ReplyReader(request);
    const sentNs = this.#clock.nowNs();
    const sentMs = this.#nowMs();
    const finish = (settle: () => void) => {
      callOff();
      this.#awaited = null;
      settle();
    };
    const giveUp = () => {
      this.#unanswered = { request, sentMs };
      finish(() => resolve(null));
    };
    const callOff = afterSilence(this.#clock, timeoutMs, giveUp);
    this.#awaited = {
      take: (chunk, tNs) => {
        const reply = reader.push(chunk);
        if (reply) finish(() => resolve({ reply, tNs: sentNs + (tNs - sentNs) / 2n }));
      },
      fail: (error) => finish(() => reject(error)),
    };
    const awaited = this.#awaited;
    this.#line.write(encodeRequest(request)).catch((error: MeasureError) => awaited.fail(error));
    return promise;
  }

  #nowMs(): number {
    return Number(this.#clock.nowNs()) / 1e6;
  }

  /** Never throws, may be called twice. */
  close(): Promise<void> {
    return this.#end.close();
  }
}
