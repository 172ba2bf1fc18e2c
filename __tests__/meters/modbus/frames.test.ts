// Class: system.
import { describe, expect, it } from '@jest/globals';
import {
  crc16,
  encodeRequest,
  hasCrc,
  type ReadRequest,
  type Reply,
  ReplyReader,
  withCrc,
} from '../../../src/meters/modbus/frames.ts';
import { asHex, chunks, hex } from '../hex.ts';

const all: ReadRequest = { unit: 0xf8, registers: 'input', address: 0, count: 10 };
const capture = hex('f8 04 14 08 d3 00 23 00 00 00 05 00 00 00 02 00 00 01 f5 00 06 00 00 f8 be');
const data = capture.slice(3, -2);

function read(stream: Uint8Array, size: number, request = all): Reply | null {
  const reader = new ReplyReader(request);
  let found: Reply | null = null;
  for (const chunk of chunks(stream, size)) found ??= reader.push(chunk);
  return found;
}

const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

describe('encodeRequest', () => {
  it.each([
    [all, 'f8 04 00 00 00 0a 64 64'],
    [{ ...all, unit: 1 }, '01 04 00 00 00 0a 70 0d'],
    [{ ...all, count: 9 }, 'f8 04 00 00 00 09 24 65'],
    [{ unit: 0xf8, registers: 'holding', address: 1, count: 2 }, 'f8 03 00 01 00 02 81 a2'],
    [{ unit: 1, registers: 'input', address: 0x0c, count: 2 }, '01 04 00 0c 00 02 b1 c8'],
  ] as const)('%j', (request, frame) => {
    expect(asHex(encodeRequest(request))).toBe(frame);
  });

  it.each([
    { ...all, unit: 0 },
    { ...all, unit: 249 },
    { ...all, address: 0x10000 },
    { ...all, count: 0 },
    { ...all, count: 126 },
    { ...all, address: 1.5 },
  ])('makes no frame of %j', (request) => {
    expect(() => encodeRequest(request)).toThrow(RangeError);
  });
});

describe('crc16', () => {
  it('is the one of the standard example, low byte first on the wire', () => {
    expect(crc16(Buffer.from('123456789'))).toBe(0x4b37);
    expect(asHex(withCrc(hex('02 07')))).toBe('02 07 41 12');
    expect(hasCrc(hex('02 07 41 12'))).toBe(true);
    expect(hasCrc(hex('02 07 12 41'))).toBe(false);
    expect(hasCrc(hex('ff ff'))).toBe(false);
  });
});

describe.each([1, 7, 64, 4096])('ReplyReader, in chunks of %i', (size) => {
  const echo = encodeRequest(all);

  it.each([
    ['as captured', capture],
    ['after an echo of the request', join(echo, capture)],
    ['after noise', join(hex('00 ff f8 04 55'), capture)],
    ['after the beginning of another', join(capture.subarray(0, 11), capture)],
    ['after one with a wrong bit', join(capture.with(7, 0x24), capture)],
    ['after one of another unit', join(withCrc(capture.with(0, 1).slice(0, -2)), capture)],
    ['before noise', join(capture, hex('f8 84 02 12 f0 00 00'))],
    ['twice', join(capture, capture)],
    ['amid noise for long', join(new Uint8Array(10_000).fill(0xf8), capture)],
  ])('finds the reply %s', (_, stream) => {
    expect(read(stream, size)).toEqual({ data });
  });

  it.each([
    ['f8 84 01 52 f1', 1],
    ['f8 84 02 12 f0', 2],
    ['f8 04 00 00 00 0a 64 64 f8 84 02 12 f0', 2],
    ['f8 04 14 08 f8 84 02 12 f0', 2],
  ])('finds the refusal in %s', (stream, exception) => {
    expect(read(hex(stream), size)).toEqual({ exception });
  });

  it.each([
    ['with its CRC high byte first', capture.with(-2, 0xbe).with(-1, 0xf8)],
    ['with a wrong bit', capture.with(9, 0x10)],
    ['of another length', hex('01 04 04 43 6a 00 00 ce 1c')],
    ['of another unit', withCrc(capture.with(0, 1).slice(0, -2))],
    ['of another function', withCrc(capture.with(1, 3).slice(0, -2))],
    ['that is a refusal of another function', hex('f8 c2 04 a0 92')],
    ['that is a refusal of another unit', hex('01 84 02 c2 c1')],
    ['that is only the echo', echo],
    ['that breaks off', capture.slice(0, -1)],
  ])('takes nothing from a reply %s', (_, stream) => {
    expect(read(stream, size)).toBeNull();
  });
});
