/**
 * Everything that these drivers can send: reads of 32 bytes at most (no public program has read more at once). Writing, saving to flash, the EEPROM
 * and calibration commands have no place here, and no byte of these frames, checksums included, has one of their values:
 * even a chip that takes up a frame in its middle finds none of them.
 */
export const READS = {
  /** System Status, System Version, voltage, frequency and active powers, the same block on both chips. */
  outputs: { address: 0x0002, length: 32 },
  /** Power factor to apparent power of the first channel, wherever either chip has them. */
  powers: { address: 0x000a, length: 32 },
  /** MCP39F511N: active and apparent power of the second channel. */
  powersOfChannel2: { address: 0x001a, length: 24 },
  /** MCP39F511N: accumulation interval and both ranges. */
  settingsOfTwoChannels: { address: 0x00a8, length: 26 },
  /** MCP39F511: range and accumulation interval. */
  settingsOfOneChannel: { address: 0x0082, length: 30 },
} as const;

export type ReadName = keyof typeof READS;

const HEADER = 0xa5;
const SET_ADDRESS_POINTER = 0x41;
const REGISTER_READ = 0x4e;

/** The request for one of `reads`: header, length of the frame, address (high byte first), count, sum of all bytes. */
export function frameOf(name: ReadName): Uint8Array {
  const { address, length } = READS[name];
  const frame = Uint8Array.of(HEADER, 8, SET_ADDRESS_POINTER, address >> 8, address & 0xff, REGISTER_READ, length, 0);
  frame[7] = checksum(frame.subarray(0, 7));
  return frame;
}

/** Sum of the bytes, modulo 256. */
export function checksum(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);
}

export type Reply = { readonly data: Uint8Array } | { readonly failure: string };

const ACKNOWLEDGED = 0x06;
const NOT_UNDERSTOOD = 0x15;
const CHECKSUM_FAILED = 0x51;
/** Bytes of a frame beside its data: ACK, length and checksum. */
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

  /** Text on what is missing, for a reply that ends early. */
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
