import type { MeasureError } from '../../errors.ts';
import { type Clock, sleep } from '../../system/clock.ts';
import { afterSilence, LineEnd, ReceivedExcerpt } from '../serial/exchange.ts';
import type { Line } from '../serial/line.ts';
import { Block } from './outputs.ts';
import { frameOf, READS, type ReadName, type Reply, ReplyReader } from './reply.ts';

/** Time limit for a reply, which takes 3 ms on the line. */
const DEADLINE_MS = 200;
/** Time after a failure in which whatever comes is dropped. */
const DRAIN_MS = 50;
const DRAIN_NS = 50_000_000n;
const ATTEMPTS = 2;
/** Patience with a busy host, shorter than usual, since readings come four times a second. */
const BUSY_HOST = { busyHostMs: 30, graceMs: 100 };

export interface Answer {
  readonly block: Block;
  /** Moment half-way between request and reply. */
  readonly tNs: bigint;
  /** Clause on the failure of the request before this one; null: none failed. */
  readonly repeatedBecause: string | null;
}

/** A block of registers, or a clause that says why there is none. */
export type Outcome = Answer | { readonly failure: string };

/** Reads registers of a meter on an opened line, one request at a time. */
export class Conversation {
  readonly #line: Line;
  readonly #end: LineEnd;
  readonly #clock: Clock;
  readonly #received = new ReceivedExcerpt();
  #take: (chunk: Uint8Array, tNs: bigint) => void = () => {};
  #fail: (error: MeasureError) => void = () => {};
  #waiting = false;
  #unaskedNs: bigint | null = null;

  constructor(line: Line, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    line.onData((chunk, tNs) => {
      if (!this.#waiting) this.#unaskedNs = tNs;
      this.#received.take(chunk);
      this.#take(chunk, tNs);
    });
    this.#end = new LineEnd(line, (error) => this.#fail(error));
  }

  /** Called once when the port is lost or closed; at once when that has happened already. */
  onEnd(listener: (error: MeasureError) => void): void {
    this.#end.onEnd(listener);
  }

  /** The first bytes that ever came, safe to print; empty when there were none. */
  received(): string {
    return this.#received.text();
  }

  /**
   * Reads a block of registers; when that fails, drains the line and tries once more. Takes 0.7 s at most.
   * Throws MeasureError when the port is lost or closed.
   */
  async read(name: ReadName): Promise<Outcome> {
    let failure = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { reply, tNs } = await this.#attempt(name);
      if ('data' in reply) {
        const block = new Block(READS[name].address, reply.data);
        return { block, tNs, repeatedBecause: failure || null };
      }
      failure = reply.failure;
      await sleep(this.#clock, DRAIN_MS);
      if (this.#end.error) throw this.#end.error;
    }
    return { failure };
  }

  async #attempt(name: ReadName): Promise<{ reply: Reply; tNs: bigint }> {
    if (this.#end.error) throw this.#end.error;
    // Bytes came that were not asked for: more of them may be under way.
    const unaskedNs = this.#unaskedNs;
    if (unaskedNs !== null && this.#clock.nowNs() - unaskedNs < DRAIN_NS) await sleep(this.#clock, DRAIN_MS);
    if (this.#end.error) throw this.#end.error;
    const reader = new ReplyReader(READS[name].length);
    const { promise, resolve, reject } = Promise.withResolvers<{ reply: Reply; tNs: bigint }>();
    const sentNs = this.#clock.nowNs();
    const finish = (reply: Reply, tNs: bigint) => {
      callOff();
      this.#take = () => {};
      this.#waiting = false;
      resolve({ reply, tNs: sentNs + (tNs - sentNs) / 2n });
    };
    const late = () => finish({ failure: reader.unfinished() }, this.#clock.nowNs());
    const callOff = afterSilence(this.#clock, DEADLINE_MS, late, BUSY_HOST);
    this.#take = (chunk, tNs) => {
      const reply = reader.push(chunk);
      if (reply) finish(reply, tNs);
    };
    this.#waiting = true;
    this.#fail = (error) => {
      callOff();
      this.#waiting = false;
      reject(error);
    };
    this.#line.write(frameOf(name)).catch((error) => this.#fail(error));
    return promise;
  }

  /** Never throws, may be called twice. */
  close(): Promise<void> {
    return this.#end.close();
  }
}
