import type { StretchCount, Window } from '../../../../contracts/observation.ts';

/** Initial length of stretches for bytes, which grows when a run would have too many of them. */
const FIRST_NS = 100_000n;
const MAX_STRETCHES = 20_000;

interface Stretch {
  fromNs: bigint;
  toNs: bigint;
  readonly name: string;
  bytes: number;
}

export class ByteStretches {
  readonly #window: Window;
  readonly #most: number;
  #widthNs = FIRST_NS;
  #stretches = new Map<string, Stretch>();

  /** `most`: other limit, for tests. */
  constructor(window: Window, most = MAX_STRETCHES) {
    this.#window = window;
    this.#most = most;
  }

  /** Adds bytes at a time on CLOCK_MONOTONIC; ignored outside of the window. */
  add(name: string, tNs: bigint, bytes: number): void {
    if (bytes <= 0 || tNs < this.#window.startNs || tNs >= this.#window.endNs) return;
    this.#put({ fromNs: tNs, toNs: tNs + 1n, name, bytes });
    if (this.#stretches.size <= this.#most) return;
    this.#widthNs *= 10n;
    const all = this.#stretches.values();
    this.#stretches = new Map();
    for (const one of all) this.#put(one);
  }

  #put(one: Stretch): void {
    const key = `${one.fromNs / this.#widthNs} ${one.name}`;
    const there = this.#stretches.get(key);
    if (there === undefined) {
      this.#stretches.set(key, one);
      return;
    }
    if (one.fromNs < there.fromNs) there.fromNs = one.fromNs;
    if (one.toNs > there.toNs) there.toNs = one.toNs;
    there.bytes += one.bytes;
  }

  counts(): StretchCount[] {
    return [...this.#stretches.values()].map(({ bytes, ...stretch }) => ({
      ...stretch,
      kind: 'bytes',
      value: bytes,
      errors: null,
    }));
  }
}
