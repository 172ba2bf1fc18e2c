import { MeasureError } from '../../errors.ts';
import { type Clock, sleep } from '../../system/clock.ts';
import type { Line } from './line.ts';

/** End of a line: the port was lost, or closed by its owner. It is reported once. */
export class LineEnd {
  readonly #line: Line;
  readonly #failAwaited: (error: MeasureError) => void;
  #onEnd: (error: MeasureError) => void = () => {};
  /** Why the line has ended; null: it has not ended. */
  error: MeasureError | null = null;

  /** `failAwaited` ends the wait for a reply, before anybody else hears of the end. */
  constructor(line: Line, failAwaited: (error: MeasureError) => void) {
    this.#line = line;
    this.#failAwaited = failAwaited;
    line.onLost((error) => this.#end(error));
  }

  /** The listener is called once; at once when the line has ended already. */
  onEnd(listener: (error: MeasureError) => void): void {
    this.#onEnd = listener;
    if (this.error) listener(this.error);
  }

  /** Never throws, may be called twice. */
  async close(): Promise<void> {
    this.#end(new MeasureError('The port of the meter was closed.'));
    await this.#line.close();
  }

  #end(error: MeasureError): void {
    if (this.error) return;
    this.error = error;
    this.#failAwaited(error);
    this.#onEnd(error);
  }
}

/** Milliseconds of silence that a serial line needs after a failed request, before the next one is sent. */
export const DRAIN_MS = 50;
const LONGEST_DRAIN_MS = 500;

/** Resolves when no byte has arrived for `ms`, or when bytes still arrive after LONGEST_DRAIN_MS. */
export async function untilSilent(clock: Clock, ms: number, lastByteNs: () => bigint): Promise<void> {
  const untilNs = clock.nowNs() + BigInt(LONGEST_DRAIN_MS * 1e6);
  for (;;) {
    const nowNs = clock.nowNs();
    const waitMs = Number(lastByteNs() - nowNs) / 1e6 + ms;
    if (waitMs <= 0 || nowNs >= untilNs) return;
    await sleep(clock, Math.ceil(waitMs));
  }
}

const LIMIT = 60;

/** Keeps the first bytes that came, to quote them in an error. */
export class ReceivedExcerpt {
  #bytes = Buffer.alloc(0);

  take(chunk: Uint8Array): void {
    if (this.#bytes.length > LIMIT) return;
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(0, LIMIT + 1 - this.#bytes.length)]);
  }

  forget(): void {
    this.#bytes = Buffer.alloc(0);
  }

  /** Safe to print: text as it is, all else as `\x00`; empty when nothing came. */
  text(): string {
    const shown = Array.from(this.#bytes.subarray(0, LIMIT), (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('');
    return this.#bytes.length > LIMIT ? `${shown}…` : shown;
  }
}

/** Delay of a timer from which a silence is put down to a busy host, which may not have read waiting bytes. */
const BUSY_HOST_MS = 100;
const GRACE_MS = 250;

/**
 * Calls `work` when nothing came for `ms` milliseconds, unless it is called off by the function that is given. After a blockage of the event loop
 * timers fire before waiting bytes are read, so a timer that is late itself waits a moment for them: a busy host is no silent meter.
 */
export function afterSilence(
  clock: Clock,
  ms: number,
  work: () => void,
  { busyHostMs = BUSY_HOST_MS, graceMs = GRACE_MS }: { busyHostMs?: number; graceMs?: number } = {},
): () => void {
  const dueNs = clock.nowNs() + BigInt(Math.round(ms * 1e6));
  let callOff = clock.after(ms, () => {
    const lateMs = Number(clock.nowNs() - dueNs) / 1e6;
    if (lateMs > busyHostMs) callOff = clock.after(graceMs, work);
    else work();
  });
  return () => callOff();
}
