/** CRC-16/MODBUS of the bytes: start 0xFFFF, reflected polynomial 0xA001 (Modbus over Serial Line 1.02, 6.2.2). */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}

/** The bytes and their CRC, which goes over the wire low byte first. */
export function withCrc(bytes: Uint8Array): Uint8Array {
  const crc = crc16(bytes);
  const frame = new Uint8Array(bytes.length + 2);
  frame.set(bytes);
  frame[bytes.length] = crc & 0xff;
  frame[bytes.length + 1] = crc >>> 8;
  return frame;
}

/** Is this a frame whose last two bytes are the CRC of those before? */
export function hasCrc(frame: Uint8Array): boolean {
  const end = frame.length - 2;
  if (end < 2) return false;
  const crc = crc16(frame.subarray(0, end));
  return frame[end] === (crc & 0xff) && frame[end + 1] === crc >>> 8;
}

/** Function codes of a read; there is none here that writes, resets or calibrates, so none can be sent. */
export const FUNCTIONS = { holding: 0x03, input: 0x04 } as const;

/** A read of `count` consecutive registers. */
export interface ReadRequest {
  /** Address of the unit on the bus, 1 to 247, or 248 where the meter has a general address. */
  readonly unit: number;
  readonly registers: keyof typeof FUNCTIONS;
  readonly address: number;
  readonly count: number;
}

/** The frame of a read, eight bytes. Throws RangeError when a number has no place in it: such a frame would mean something else. */
export function encodeRequest({ unit, registers, address, count }: ReadRequest): Uint8Array {
  const within = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most;
  // Unit 0 is a broadcast, which every unit on the bus would take for itself.
  if (!within(unit, 1, 248) || !within(address, 0, 0xffff) || !within(count, 1, 125)) {
    throw new RangeError(`no Modbus read: unit ${unit}, address ${address}, count ${count}`);
  }
  return withCrc(Uint8Array.of(unit, FUNCTIONS[registers], address >>> 8, address & 0xff, count >>> 8, count & 0xff));
}

export function sameRequest(a: ReadRequest, b: ReadRequest): boolean {
  return a.unit === b.unit && a.registers === b.registers && a.address === b.address && a.count === b.count;
}

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

  /** The reply in the frame that ends with the last byte; null: there is none. */
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
