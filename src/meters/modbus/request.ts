import { withCrc } from './crc.ts';

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
