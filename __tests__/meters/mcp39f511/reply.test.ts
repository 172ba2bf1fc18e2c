// Class: system.
import { describe, expect, it } from '@jest/globals';
import { ONE_CHANNEL_CHIP, TWO_CHANNEL_CHIP } from '../../../src/meters/mcp39f511/chips.ts';
import { activePowerW, Block, outputsOf } from '../../../src/meters/mcp39f511/outputs.ts';
import {
  checksum,
  frameOf,
  READS,
  type ReadName,
  type Reply,
  ReplyReader,
} from '../../../src/meters/mcp39f511/reply.ts';
import { hex } from '../hex.ts';
import { powersReply, realReply } from './frames.ts';

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

/** What comes of bytes that arrive in these chunks. */
function read(chunks: readonly Uint8Array[], length: number): Reply | null {
  const reader = new ReplyReader(length);
  const replies = chunks.flatMap((chunk) => reader.push(chunk) ?? []);
  expect(replies.length).toBeLessThanOrEqual(1);
  return replies[0] ?? null;
}

function inChunks(data: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(data.length / size) }, (_, index) =>
    data.subarray(index * size, (index + 1) * size),
  );
}

describe.each([1, 7, 64, 4096])('ReplyReader in chunks of %i bytes', (size) => {
  it('reads the reply of a real chip, in which the byte of a refusal occurs as data', () => {
    expect(read(inChunks(realReply, size), 32)).toEqual({ data: realReply.slice(2, -1) });
  });

  it('reads two powers', () => {
    expect(read(inChunks(powersReply, size), 8)).toEqual({ data: hex('9a 10 00 00 00 00 00 00') });
  });

  it('reads data made of the bytes of refusals alone', () => {
    const reply = hex('06 0b 51 15 51 15 51 15 06 06 4f');
    expect(read(inChunks(reply, size), 8)).toEqual({ data: hex('51 15 51 15 51 15 06 06') });
  });
});

describe('ReplyReader', () => {
  it('reads a reply that is split after any byte', () => {
    for (let at = 0; at <= realReply.length; at++) {
      expect(read([realReply.subarray(0, at), realReply.subarray(at)], 32)).toEqual({ data: realReply.slice(2, -1) });
    }
  });

  it.each([
    ['51', 'the request reached the meter with a wrong checksum (CSFAIL)'],
    ['15', 'the meter did not understand the request (NAK)'],
    ['a5 08 41 00 16 4e 08 5a', 'the reply begins with 0xa5 instead of 0x06'],
    ['06 0c 9a 10 00 00 00 00 00 00 00 bc', 'the reply says that it has 12 bytes instead of 11'],
    ['06 00', 'the reply says that it has 0 bytes instead of 11'],
    ['06 0b 9a 10 00 00 00 00 00 00 ba', 'the reply has a wrong checksum'],
    ['06 0b 9a 10 00 00 00 00 00 00 bc', 'the reply has a wrong checksum'],
    ['06 0b 9a 10 00 00 00 00 00 00 bb 06', 'more bytes came than were asked for'],
  ])('makes no reading of %s', (text, failure) => {
    expect(read([hex(text)], 8)).toEqual({ failure });
  });

  it('takes no reply for another, when one bit of it is wrong', () => {
    for (let bit = 0; bit < powersReply.length * 8; bit++) {
      const wrong = powersReply.slice();
      wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(read([wrong], 8)).toHaveProperty('failure');
    }
  });

  it('says how much came of a reply that ended early', () => {
    const reader = new ReplyReader(8);
    expect(reader.unfinished()).toBe('nothing came');
    expect(reader.push(powersReply.subarray(0, 5))).toBeNull();
    expect(reader.unfinished()).toBe('the reply ended after 5 of 11 bytes');
  });

  it('says nothing more after it has said what came', () => {
    const reader = new ReplyReader(8);
    expect(reader.push(powersReply)).not.toBeNull();
    expect(reader.push(powersReply)).toBeNull();
    expect(reader.push(hex('51'))).toBeNull();
  });
});

describe('what the reply of the real chip holds', () => {
  const block = new Block(0x0002, realReply.slice(2, -1));

  it('is 0.02 W and 0.6 V without mains, of the chip with one channel', () => {
    const [channel] = ONE_CHANNEL_CHIP.channels;
    expect(outputsOf(block)).toEqual({ version: 0x1810, voltageV: 0.6, lineFrequencyHz: 0 });
    expect(activePowerW(block, channel!, 19)).toBeCloseTo(0.02, 12);
  });

  it('is not looked for outside of what was read', () => {
    expect(() => block.u32(0x0020)).toThrow(RangeError);
    expect(() => block.u16(0x0000)).toThrow(RangeError);
  });
});

describe('active power', () => {
  /** Registers from 0x0002 to 0x0021 with System Status and both active powers of the chip with two channels. */
  function outputs(status: number, first: number, second: number): Block {
    const view = new DataView(new ArrayBuffer(32));
    view.setUint16(0, status, true);
    view.setUint32(0x16 - 2, first, true);
    view.setUint32(0x1a - 2, second, true);
    return new Block(0x0002, new Uint8Array(view.buffer));
  }
  const [first, second] = TWO_CHANNEL_CHIP.channels;
  const both = (block: Block, range = 19) => [activePowerW(block, first!, range), activePowerW(block, second!, range)];

  it('is negative where its bit of System Status is 0', () => {
    expect(both(outputs(0x0050, 4250, 100))).toEqual([42.5, 1]);
    expect(both(outputs(0x0040, 4250, 100))).toEqual([-42.5, 1]);
    expect(both(outputs(0x0010, 4250, 100))).toEqual([42.5, -1]);
    expect(both(outputs(0x00a0, 4250, 100))).toEqual([-42.5, -1]);
    expect(both(outputs(0x0000, 0, 0))).toEqual([0, 0]);
  });

  it('has the scale of its range: at 6 a full register is 5242.88 W', () => {
    const [power] = both(outputs(0x0010, 2 ** 32 - 1, 0), 6);
    expect(power).toBeCloseTo(5242.88, 5);
    expect(both(outputs(0x0010, 348_160, 0), 6)[0]).toBeCloseTo(0.425, 9);
    expect(both(outputs(0x0010, 4250, 0), 20)[0]).toBeCloseTo(85, 9);
  });
});
