import { crc16 } from '../modbus/frames.ts';

/** Checksums at the end of records, each over the bytes before it. Of two bytes the low one comes first, as in the protocols that have them. */
export const CHECKSUMS = ['sum8', 'negative-sum8', 'xor8', 'crc8', 'crc16-modbus', 'none'] as const;

export type Checksum = (typeof CHECKSUMS)[number];

const sum = (bytes: Uint8Array): number => bytes.reduce((all, byte) => (all + byte) & 0xff, 0);

/** CRC-8, polynomial 0x07, start 0 (ITU-T I.432.1 without its final XOR). */
function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : (crc << 1) & 0xff;
  }
  return crc;
}

/** The checksum of these bytes, as it stands behind them in a record; empty for `none`. */
export function computeChecksum(type: Checksum, bytes: Uint8Array): Uint8Array {
  switch (type) {
    case 'sum8':
      return Uint8Array.of(sum(bytes));
    case 'negative-sum8':
      return Uint8Array.of(-sum(bytes) & 0xff);
    case 'xor8':
      return Uint8Array.of(bytes.reduce((all, byte) => all ^ byte, 0));
    case 'crc8':
      return Uint8Array.of(crc8(bytes));
    case 'crc16-modbus':
      return Uint8Array.of(crc16(bytes) & 0xff, crc16(bytes) >>> 8);
    case 'none':
      return new Uint8Array();
  }
}

/** Does a record end with the checksum of its bytes from `from` on? */
export function hasChecksum(type: Checksum, record: Uint8Array, from: number): boolean {
  const end = record.length - computeChecksum(type, new Uint8Array()).length;
  const expected = computeChecksum(type, record.subarray(Math.min(from, end), end));
  return expected.every((byte, i) => record[end + i] === byte);
}
