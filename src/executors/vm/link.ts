import type { Duplex } from 'node:stream';
import { nowNs } from '../../system/clock.ts';
import { GONE, SAYS } from './agent.ts';

/** What a guest told, and when it was here. */
export interface Told {
  readonly words: string;
  /** CLOCK_MONOTONIC, nanoseconds. */
  readonly arrivedNs: bigint;
}

interface Waiting {
  /** What it waited for out of what has come; null: not yet. */
  take(): unknown;
  settle(taken: unknown): void;
  reject(reason: unknown): void;
}

/** What is kept of what is no answer: more than any answer, since a workload with root's rights may write to the port too. */
const MAX_BYTES = 4 * 2 ** 20;

/** The line to a guest's second serial port. What comes that is not the agent's is dropped. One question at a time. */
export class GuestLink {
  readonly #port: Duplex;
  readonly #gone: (words: string) => Error;
  #bytes = Buffer.alloc(0);
  #arrivedNs = 0n;
  #waiting: Waiting | null = null;
  #ended: { readonly reason: unknown } | null = null;

  /** `gone`: what it comes to where the agent has ended, by what was told of that. */
  constructor(port: Duplex, gone: (words: string) => Error) {
    this.#port = port;
    this.#gone = gone;
    port.on('data', (chunk: Buffer) => {
      this.#arrivedNs = nowNs();
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#poll();
      if (this.#bytes.length > MAX_BYTES) this.#bytes = Buffer.alloc(0);
    });
    // How it ended is told by who ends it.
    port.on('error', () => {});
  }

  send(text: string): void {
    this.#port.write(text);
  }

  /** Rejects everybody who waits, now and later, with this reason. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#waiting?.reject(this.#ended.reason);
  }

  /** The next line of the agent's that begins so, without that. Rejects with `late` after so many milliseconds; null: there is no such time. */
  line(begin: string, withinMs: number | null, late: () => Error): Promise<Told> {
    const take = (): Told | null => {
      for (;;) {
        const end = this.#bytes.indexOf(0x0a);
        if (end < 0) return null;
        const text = this.#bytes.subarray(0, end).toString().replace(/\r$/, '');
        this.#bytes = this.#bytes.subarray(end + 1);
        const gone = text.indexOf(SAYS + GONE);
        if (gone >= 0) throw this.#gone(text.slice(gone + SAYS.length + GONE.length).trim());
        // Behind a prompt, as long as it is a person's shell.
        const at = text.indexOf(SAYS + begin);
        if (at >= 0) return { words: text.slice(at + SAYS.length + begin.length).trim(), arrivedNs: this.#arrivedNs };
      }
    };
    return this.#wait(take, withinMs, late) as Promise<Told>;
  }

  /** So many bytes, as they come. */
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

  #poll(): void {
    try {
      const taken = this.#waiting?.take() ?? null;
      if (taken !== null) this.#waiting?.settle(taken);
    } catch (reason) {
      this.end(reason);
    }
  }
}
