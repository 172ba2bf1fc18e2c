import { hasCrc, withCrc } from '../modbus/frames.ts';
import type { EmulatedMeter } from './emulator.ts';

export interface ModbusUnitOptions {
  /** Whether it answers requests to this address. */
  answersTo(unit: number): boolean;
  /** Words of `count` input registers at a moment; null: these registers don't exist. */
  input(address: number, count: number, nowNs: bigint): readonly number[] | null;
  holding(address: number, count: number): readonly number[] | null;
  /** Codes of functions that are no reads but known, with the length of their requests. */
  readonly others: ReadonlyMap<number, number>;
  /** Delay of a reply, nanoseconds; `index` counts the replies. */
  replyNs(index: number): bigint;
}

const READ_LENGTH = 8;
const LONGEST_REQUEST = 16;
/** Pause after which an incomplete request is dropped. */
const REQUEST_TIMEOUT_NS = 100_000_000n;
const BROADCAST = 0;

/** A Modbus RTU unit as seen from its line: it answers reads after a delay, and refuses everything unknown. */
export class ModbusUnit implements EmulatedMeter {
  readonly #options: ModbusUnitOptions;
  /** Lengths of all known requests. */
  readonly #lengths: readonly number[];
  #received: number[] = [];
  #receivedNs = 0n;
  readonly #replies: { readonly dueNs: bigint; readonly frame: Uint8Array }[] = [];
  #index = 0;
  #refuseWith: number | null = null;

  /** Number of requests that would have written to, reset or calibrated a real unit. */
  harmed = 0;

  constructor(options: ModbusUnitOptions) {
    this.#options = options;
    this.#lengths = [...new Set([READ_LENGTH, ...options.others.values()])];
  }

  /** Refuses the next read with this code. */
  refuse(code: number): void {
    this.#refuseWith = code;
  }

  receive(bytes: Uint8Array, nowNs: bigint): Uint8Array {
    if (nowNs - this.#receivedNs > REQUEST_TIMEOUT_NS) this.#received = [];
    this.#receivedNs = nowNs;
    for (const byte of bytes) {
      this.#received.push(byte);
      if (this.#received.length > LONGEST_REQUEST) this.#received.shift();
      const request = this.#request();
      if (!request) continue;
      this.#received = [];
      const frame = this.#answer(request, nowNs);
      if (!frame || request[0] === BROADCAST) continue;
      this.#replies.push({ dueNs: nowNs + this.#options.replyNs(this.#index++), frame: withCrc(frame) });
    }
    return new Uint8Array();
  }

  dueNs(): bigint | null {
    return this.#replies[0]?.dueNs ?? null;
  }

  record(): Uint8Array {
    return this.#replies.shift()?.frame ?? new Uint8Array();
  }

  /** The request that ends with the last byte received; null: there is none. */
  #request(): Uint8Array | null {
    for (const length of this.#lengths) {
      const start = this.#received.length - length;
      const [unit = BROADCAST, code = 0] = this.#received.slice(start, start + 2);
      const isOwn = unit === BROADCAST || this.#options.answersTo(unit);
      if (start < 0 || !isOwn || (this.#options.others.get(code) ?? READ_LENGTH) !== length) continue;
      const frame = Uint8Array.from(this.#received.slice(start));
      if (hasCrc(frame)) return frame;
    }
    return null;
  }

  #answer(request: Uint8Array, nowNs: bigint): Uint8Array | null {
    const [unit = 0, code = 0] = request;
    const word = (at: number) => ((request[at] ?? 0) << 8) | (request[at + 1] ?? 0);
    const refusal = (exception: number) => Uint8Array.of(unit, code | 0x80, exception);
    if (this.#options.others.has(code)) {
      this.harmed++;
      return request.subarray(0, -2);
    }
    if (code !== 0x03 && code !== 0x04) return refusal(1);
    if (this.#refuseWith !== null) {
      const exception = this.#refuseWith;
      this.#refuseWith = null;
      return refusal(exception);
    }
    const words =
      code === 0x04 ? this.#options.input(word(2), word(4), nowNs) : this.#options.holding(word(2), word(4));
    if (!words) return refusal(2);
    return Uint8Array.of(unit, code, 2 * words.length, ...words.flatMap((value) => [value >>> 8, value & 0xff]));
  }
}

/** `count` registers from `address` on; null: not all of them exist. */
export function registersFrom(all: readonly number[], address: number, count: number): readonly number[] | null {
  return count >= 1 && address + count <= all.length ? all.slice(address, address + count) : null;
}
