import type { Duplex } from 'node:stream';
import { nowNs } from '../../system/clock.ts';
import { DIED, GONE, SAYS } from './agent.ts';

/** Line from a guest, with its arrival. */
export interface GuestLine {
  readonly words: string;
  /** CLOCK_MONOTONIC of this machine, nanoseconds. */
  readonly arrivedNs: bigint;
}

interface Waiting {
  /** Takes the awaited answer out of the received bytes; null: it is not complete. */
  take(): unknown;
  settle(taken: unknown): void;
  reject(reason: unknown): void;
}

/** Upper bound on received bytes that are no answer: more than any answer, since a workload with root's rights may write to the port, too. */
const MAX_BYTES = 4 * 2 ** 20;

/** The line to a guest's second serial port. Text that is not from the agent is dropped. One question at a time. */
export class GuestLink {
  readonly #port: Duplex;
  readonly #gone: (words: string) => Error;
  readonly #died: (words: string) => void;
  #bytes = Buffer.alloc(0);
  #arrivedNs = 0n;
  #waiting: Waiting | null = null;
  #ended: { readonly reason: unknown } | null = null;

  /** `gone` makes the error for the agent's end from the last line that it sent. `died` is called with a line that reports a service's end. */
  constructor(port: Duplex, gone: (words: string) => Error, died: (words: string) => void) {
    this.#port = port;
    this.#gone = gone;
    this.#died = died;
    port.on('data', (chunk: Buffer) => {
      this.#arrivedNs = nowNs();
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#poll();
      if (this.#bytes.length > MAX_BYTES) this.#bytes = Buffer.alloc(0);
    });
    // The reason is reported where the guest is ended.
    port.on('error', () => {});
  }

  send(text: string): void {
    this.#port.write(text);
  }

  /** Rejects all present and later waits with this reason. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#waiting?.reject(this.#ended.reason);
  }

  /** The agent's next line with this prefix, without the prefix. Rejects with `late` after so many milliseconds; null: no time limit. */
  line(begin: string, withinMs: number | null, late: () => Error): Promise<GuestLine> {
    const take = (): GuestLine | null => {
      for (let text = this.#next(); text !== null; text = this.#next()) {
        const words = after(text, begin);
        if (words !== null) return { words, arrivedNs: this.#arrivedNs };
      }
      return null;
    };
    return this.#wait(take, withinMs, late) as Promise<GuestLine>;
  }

  /** The next `count` bytes. */
  bytes(count: number, withinMs: number, late: () => Error): Promise<Buffer> {
    const take = (): Buffer | null => {
      if (this.#bytes.length < count) return null;
      const taken = this.#bytes.subarray(0, count);
      this.#bytes = this.#bytes.subarray(count);
      return taken;
    };
    return this.#wait(take, withinMs, late) as Promise<Buffer>;
  }

  #wait(take: () => unknown, withinMs: number | null, late: () => Error): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#ended !== null) {
      reject(this.#ended.reason);
      return promise;
    }
    const timer = withinMs === null ? undefined : setTimeout(() => this.#waiting?.reject(late()), withinMs);
    const done = (): void => {
      clearTimeout(timer);
      this.#waiting = null;
    };
    this.#waiting = {
      take,
      settle(taken) {
        done();
        resolve(taken);
      },
      reject(reason) {
        done();
        reject(reason);
      },
    };
    this.#poll();
    return promise;
  }

  /** The next complete line; null: there is none. What is said unasked is passed on from here. */
  #next(): string | null {
    const end = this.#bytes.indexOf(0x0a);
    if (end < 0) return null;
    const text = this.#bytes.subarray(0, end).toString().replace(/\r$/, '');
    this.#bytes = this.#bytes.subarray(end + 1);
    const gone = after(text, GONE);
    if (gone !== null) throw this.#gone(gone);
    const died = after(text, DIED);
    if (died !== null) this.#died(died);
    return text;
  }

  #poll(): void {
    try {
      // Where nothing was asked, nothing but the ends of services and of the agent is of interest.
      if (this.#waiting === null) while (this.#next() !== null);
      const taken = this.#waiting?.take() ?? null;
      if (taken !== null) this.#waiting?.settle(taken);
    } catch (reason) {
      this.end(reason);
    }
  }
}

/** The words behind a prefix, before which a person's shell prints a prompt; null: the line has another prefix. */
function after(text: string, begin: string): string | null {
  const at = text.indexOf(SAYS + begin);
  return at < 0 ? null : text.slice(at + SAYS.length + begin.length).trim();
}
