// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { CHECKSUMS, computeChecksum, hasChecksum } from '../../../src/meters/described/checksums.ts';

describe('the checksum of a record', () => {
  // The catalog's check values, of the digits 1 to 9.
  it.each([
    ['sum8', 'dd'],
    ['negative-sum8', '23'],
    ['xor8', '31'],
    ['crc8', 'f4'],
    ['crc16-modbus', '374b'],
    ['none', ''],
  ] as const)('%s', (type, expected) => {
    expect(Buffer.from(computeChecksum(type, Buffer.from('123456789'))).toString('hex')).toBe(expected);
  });

  it.each(CHECKSUMS.filter((type) => type !== 'none'))('%s misses no byte that is another one', (type) => {
    const bytes = Buffer.from('\xa5\x5a123456', 'latin1');
    const record = Buffer.concat([bytes, computeChecksum(type, bytes.subarray(1))]);
    expect(hasChecksum(type, record, 1)).toBe(true);
    for (let at = 1; at < record.length; at++) {
      const other = Buffer.from(record);
      other[at]! ^= 0x10;
      expect(hasChecksum(type, other, 1)).toBe(false);
    }
    expect(hasChecksum(type, new Uint8Array(), 1)).toBe(false);
  });
});
