import { describe, expect, it } from '@jest/globals';
import { checksum, frameOf, READS, type ReadName } from '../../../src/meters/mcp39f511/reply.ts';
import { hex } from '../hex.ts';

const frames = Object.keys(READS).map((name) => frameOf(name as ReadName));
/** Write, save to flash, EEPROM read, write and erase, and the three calibrations. */
const harmful = [0x4d, 0x53, 0x42, 0x50, 0x4f, 0x5a, 0x7a, 0x76];

describe('the frames that can be sent', () => {
  it('are reads, with the length and the checksum that the chip wants', () => {
    expect(frameOf('outputs')).toEqual(hex('a5 08 41 00 02 4e 20 5e'));
    expect(frameOf('settingsOfTwoChannels')).toEqual(hex('a5 08 41 00 a8 4e 1a fe'));
    for (const frame of frames) {
      expect([frame.length, frame[0], frame[1], frame[2], frame[5]]).toEqual([8, 0xa5, 8, 0x41, 0x4e]);
      expect(frame[6]).toBeLessThanOrEqual(32);
      expect(checksum(frame.subarray(0, -1))).toBe(frame.at(-1));
    }
  });

  it('hold no byte that is a harmful command, wherever a chip begins to listen', () => {
    expect(frames.flatMap((frame) => [...frame]).filter((byte) => harmful.includes(byte))).toEqual([]);
  });
});

describe('checksum', () => {
  it.each([
    'a5 08 41 00 02 4e 20 5e',
    'a5 08 41 00 06 4e 20 62',
    'a5 08 41 00 16 4e 08 5a',
    'a5 08 41 00 12 4e 04 52',
    'a5 08 41 00 02 4e 02 40',
    'a5 08 41 00 04 4e 02 42',
    'a5 08 41 00 06 4e 10 52',
    'a5 08 41 00 a8 4e 02 e6',
    'a5 0a 41 00 a8 4d 02 01 00 e8',
    'a5 0a 41 00 a8 4d 02 04 00 eb',
    'a5 08 41 00 ae 4e 04 ee',
    'a5 08 41 00 be 4e 04 fe',
    'a5 08 41 00 a0 4e 04 e0',
    'a5 08 41 00 2e 4e 10 7a',
  ])('is the last byte of %s', (text) => {
    const frame = hex(text);
    expect(checksum(frame.subarray(0, -1))).toBe(frame.at(-1));
  });

  it('tells the frame that the real chip refused', () => {
    expect(checksum(hex('a5 08 41 00 06 4e 20'))).not.toBe(0x5e);
  });
});
