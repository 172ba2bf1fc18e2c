import { hasCrc } from './crc.ts';
import { FUNCTIONS, type ReadRequest } from './request.ts';

/** The registers' bytes, two a register, high byte first; or the code with which the unit refused. */
export type Reply = { readonly data: Uint8Array } | { readonly exception: number };

const EXCEPTION_LENGTH = 5;

/**
 * Finds the reply to one read in a stream that comes in chunks of any size: the first frame of this unit, function and length whose CRC is right.
 * All else is passed over: noise before it, an echo of the request (some RS-485 adapters hear themselves), replies of others.
 * Keeps no more bytes than a reply has.
 */
export class ReplyReader {
  readonly #unit: number;
  readonly #function: number;
  readonly #dataLength: number;
  readonly #last: Uint8Array;
  #length = 0;

  constructor({ unit, registers, count }: ReadRequest) {
    this.#unit = unit;
    this.#function = FUNCTIONS[registers];
    this.#dataLength = 2 * count;
    this.#last = new Uint8Array(this.#dataLength + 5);
  }

  /** The reply, once its last byte is there; null before. What follows it in the chunk is left out. */
  push(chunk: Uint8Array): Reply | null {
    for (const byte of chunk) {
      if (this.#length === this.#last.length) this.#last.copyWithin(0, 1);
      else this.#length++;
      this.#last[this.#length - 1] = byte;
      const reply = this.#reply();
      if (reply) return reply;
    }
    return null;
  }

  /** What the frame that ends with the last byte says. */
  #reply(): Reply | null {
    const frame = this.#last;
    const header = frame[0] === this.#unit && frame[1] === this.#function && frame[2] === this.#dataLength;
    if (header && this.#length === frame.length && hasCrc(frame)) return { data: frame.slice(3, -2) };
    const start = this.#length - EXCEPTION_LENGTH;
    if (start < 0 || frame[start] !== this.#unit || frame[start + 1] !== (this.#function | 0x80)) return null;
    const refusal = frame.subarray(start, this.#length);
    return hasCrc(refusal) ? { exception: refusal[2] ?? 0 } : null;
  }
}
