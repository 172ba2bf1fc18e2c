import type { MeasureError } from '../../errors.ts';
import type { Clock } from '../../system/clock.ts';
import { excerpt } from '../excerpt.ts';
import { afterSilence, LineEnd } from '../serial/exchange.ts';
import type { Line } from '../serial/line.ts';

/** An instrument's answer, and when its end arrived. */
export interface ScpiAnswer {
  readonly text: string;
  readonly tNs: bigint;
}

/** Upper bound on the length of an answer. */
const LONGEST_LINE = 4096;
/** Why there is no answer, as a clause. */
export class ScpiFault extends Error {}

/** Messages to an instrument and its answers, a line each, one question at a time, everything bounded in time. */
export class Conversation {
  readonly #line: Line;
  readonly #clock: Clock;
  readonly #end: LineEnd;
  #rest = '';
  #identity: string | null = null;
  #doubtful = false;
  #before: Promise<unknown> = Promise.resolve();
  #awaited: { take(said: ScpiAnswer): void; fail(error: MeasureError): void } | null = null;

  constructor(line: Line, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    line.onData((chunk, tNs) => this.#take(chunk, tNs));
    this.#end = new LineEnd(line, (error) => this.#awaited?.fail(error));
  }

  onEnd(listener: (error: MeasureError) => void): void {
    this.#end.onEnd(listener);
  }

  /** What the instrument says that it is, to `*IDN?`. Throws as `ask`. */
  async identify(ms: number): Promise<string> {
    const { text } = await this.#exchange('*IDN?', ms, () => true);
    this.#identity = text;
    return text;
  }

  /** Sends a message without an answer. Throws MeasureError when the line is lost or closed. */
  async tell(message: string): Promise<void> {
    if (this.#end.error) throw this.#end.error;
    await this.#line.write(Buffer.from(`${message}\n`, 'latin1'));
  }

  /**
   * Asks once the question before is answered or given up. Throws ScpiFault where nothing comes within `ms`, MeasureError when the line is lost
   * or closed.
   */
  ask(question: string, ms: number): Promise<ScpiAnswer> {
    const said = this.#before.then(() => this.#ask(question, ms));
    this.#before = said.catch(() => {});
    return said;
  }

  async #ask(question: string, ms: number): Promise<ScpiAnswer> {
    if (this.#doubtful) {
      // Its identity shows where an answer belongs: all that comes before it answers earlier questions, perhaps late.
      await this.#exchange('*IDN?', ms, ({ text }) => text === this.#identity);
      this.#doubtful = false;
    }
    return this.#exchange(question, ms, () => true);
  }

  /** Marks the last answer as doubtful: the next question first makes sure that answers belong to their questions. */
  doubt(): void {
    this.#doubtful = true;
  }

  /** Never throws, may be called twice. */
  close(): Promise<void> {
    return this.#end.close();
  }

  async #exchange(question: string, ms: number, isAnswer: (said: ScpiAnswer) => boolean): Promise<ScpiAnswer> {
    this.#rest = '';
    const { promise, resolve, reject } = Promise.withResolvers<ScpiAnswer>();
    const callOff = afterSilence(this.#clock, ms, () => {
      this.#doubtful = true;
      reject(new ScpiFault(`nothing came within ${ms / 1000} s`));
    });
    this.#awaited = { take: (said) => isAnswer(said) && resolve(said), fail: reject };
    promise.catch(() => {});
    try {
      await this.tell(question);
      return await promise;
    } finally {
      callOff();
      this.#awaited = null;
    }
  }

  #take(chunk: Uint8Array, tNs: bigint): void {
    const lines = (this.#rest + Buffer.from(chunk).toString('latin1')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-LONGEST_LINE);
    for (const line of lines) this.#awaited?.take({ text: line.replace(/\r$/, ''), tNs });
  }
}

/** Asks a question and gives its answer, for the code of one family of instruments. */
export type Ask = (question: string) => Promise<string>;

/** A number as instruments write it, with the smallest step that its digits could show. Throws ScpiFault: overload, no data, something else. */
export function numberIn(text: string): { readonly value: number; readonly step: number } {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] =
    /^\s*([+-]?)(\d{1,12})(?:\.(\d{0,12}))?(?:[eE]([+-]?\d{1,2}))?\s*$/.exec(text) ?? [];
  const value = Number(`${sign}${whole}.${decimals}e${exponent}`);
  // 9.9E37 and 9.91E37 stand for "overload" and "no data".
  if (whole === '' || !(Math.abs(value) < 1e30))
    throw new ScpiFault(`it sends ${excerpt(text.trim(), 20)} for a number`);
  return { value, step: 10 ** (Number(exponent) - decimals.length) };
}
