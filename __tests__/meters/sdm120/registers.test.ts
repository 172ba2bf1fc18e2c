// Class: system.
import { describe, expect, it } from '@jest/globals';
import { encodeRequest, ReplyReader } from '../../../src/meters/modbus/frames.ts';
import { requestFor } from '../../../src/meters/sdm120/identify.ts';
import { readFrequency, readMark, readPower, readVoltage } from '../../../src/meters/sdm120/registers.ts';
import { asHex, chunks, hex } from '../hex.ts';

describe('the registers of an SDM120', () => {
  it.each([1, 7, 64, 4096])('are floats, high word first, in a reply in chunks of %i', (size) => {
    expect(asHex(encodeRequest(requestFor(1, 'power')))).toBe('01 04 00 0c 00 02 b1 c8');
    const reader = new ReplyReader(requestFor(1, 'power'));
    const replies = chunks(hex('01 04 04 43 6a 00 00 ce 1c'), size).map((chunk) => reader.push(chunk));
    const reply = replies.at(-1) as { data: Uint8Array };
    expect(readPower(reply.data)).toEqual({ value: 234 });
  });

  it.each([
    [readVoltage, '43 66 33 33', 230.1999969482422],
    [readFrequency, '42 48 00 00', 50],
    [readPower, 'c2 82 00 00', -65],
    [readPower, '80 00 00 00', -0],
  ])('%p of %s', (parse, data, value) => {
    expect(parse(hex(data))).toEqual({ value });
  });

  it.each([
    [readVoltage, '08 98 00 23', 'V'],
    [readVoltage, '41 40 00 00', '12 V'],
    [readFrequency, '00 00 00 00', '0 Hz'],
    [readPower, '7f c0 00 00', 'NaN W'],
    [readPower, '7f 80 00 00', 'Infinity W'],
    [readPower, '6a 43 00 00', 'e+25 W'],
    [readMark, '00 00 00 00', 'without the mark'],
  ])('%p takes nothing from %s', (parse, data, what) => {
    expect(parse(hex(data))).toMatchObject({ implausible: expect.stringContaining(what) });
  });
});
