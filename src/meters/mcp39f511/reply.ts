import { checksum } from './commands.ts';

export type Reply = { readonly data: Uint8Array } | { readonly failure: string };

const ACKNOWLEDGED = 0x06;
const NOT_UNDERSTOOD = 0x15;
const CHECKSUM_FAILED = 0x51;
/** ACK, length and checksum stand around the data. */
const FRAME_BYTES = 3;

/**
 * Reads the reply to a request for a known number of bytes out of chunks of any size: `06 | length | data | checksum`, or a refusal, which
 * is a single byte. Only the first byte is judged as one: its values occur as data too. Keeps no more than the reply.
 */
export class ReplyReader {
  readonly #frame: Uint8Array;
  #filled = 0;
  #done = false;

  /** `length`: bytes of data that were asked for. */
  constructor(length: number) {
    this.#frame = new Uint8Array(length + FRAME_BYTES);
  }

  /** Null until the reply is complete or can't be one any more; after that always. */
  push(chunk: Uint8Array): Reply | null {
    for (const [index, byte] of chunk.entries()) {
      if (this.#done) return null;
      this.#frame[this.#filled++] = byte;
      const reply = this.#judge();
      if (!reply) continue;
      this.#done = true;
      if ('data' in reply && index + 1 < chunk.length) return { failure: 'more bytes came than were asked for' };
      return reply;
    }
    return null;
  }

  /** What is missing, for the case that nothing more comes. */
  unfinished(): string {
    if (this.#filled === 0) return 'nothing came';
    return `the reply ended after ${this.#filled} of ${this.#frame.length} bytes`;
  }

  #judge(): Reply | null {
    const frame = this.#frame;
    const last = frame.length - 1;
    if (this.#filled === 1) return refusal(frame[0] ?? 0);
    if (this.#filled === 2 && frame[1] !== frame.length) {
      return { failure: `the reply says that it has ${frame[1]} bytes instead of ${frame.length}` };
    }
    if (this.#filled <= last) return null;
    if (checksum(frame.subarray(0, last)) !== frame[last]) return { failure: 'the reply has a wrong checksum' };
    return { data: frame.slice(2, last) };
  }
}

function refusal(byte: number): Reply | null {
  if (byte === ACKNOWLEDGED) return null;
  if (byte === NOT_UNDERSTOOD) return { failure: 'the meter did not understand the request (NAK)' };
  if (byte === CHECKSUM_FAILED) return { failure: 'the request reached the meter with a wrong checksum (CSFAIL)' };
  return { failure: `the reply begins with 0x${byte.toString(16).padStart(2, '0')} instead of 0x06` };
}
