import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/system/clock.ts';

interface Timer {
  readonly dueNs: bigint;
  work(): void;
}

/** A clock that stands still until it is stepped: waiting takes no time. */
export class VirtualClock implements Clock {
  #nowNs = 5_000_000_000_000n;
  readonly #timers = new Set<Timer>();

  /** Called before every timer's work: what the world shows then. */
  onStep: (nowNs: bigint) => void = () => {};

  nowNs(): bigint {
    return this.#nowNs;
  }

  /** Whole milliseconds, one at the least, as Node's timers. */
  after(ms: number, work: () => void): () => void {
    const timer = { dueNs: this.#nowNs + BigInt(Math.max(1, Math.trunc(ms))) * 1_000_000n, work };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Steps from timer to timer until the work is done, and gives what it gives. What it waits for must be on this clock. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    for (;;) {
      await setImmediate();
      if (isDone) return work;
      this.#step();
    }
  }

  /** The host is busy: time passes, and no timer fires in time. */
  block(ms: number): void {
    this.#nowNs += BigInt(ms) * 1_000_000n;
  }

  #step(): void {
    const [next] = [...this.#timers].sort((a, b) => Number(a.dueNs - b.dueNs));
    if (!next) throw new Error('there is nothing left to wait for');
    this.#timers.delete(next);
    if (next.dueNs > this.#nowNs) this.#nowNs = next.dueNs;
    this.onStep(this.#nowNs);
    next.work();
  }
}
