// Class: system.
import { describe, expect, it } from '@jest/globals';
import { randomUnit } from '../../../src/meters/emulator/emulator.ts';
import { encodeRequest, type ReadRequest, ReplyReader, withCrc } from '../../../src/meters/modbus/frames.ts';
import { readRegisters } from '../../../src/meters/pzem-004t/registers.ts';
import { hex } from '../hex.ts';

const request: ReadRequest = { unit: 0xf8, registers: 'input', address: 0, count: 10 };
const good = hex('f8 04 14 08 d3 00 23 00 00 00 05 00 00 00 02 00 00 01 f5 00 06 00 00 f8 be');
const refusal = hex('f8 84 02 12 f0');
const SEED = 20_261_120;
const BYTE_COUNT = 1_000_000;

let drawn = 0;
const below = (n: number) => Math.floor(randomUnit(SEED, drawn++) * n);

/** A piece of a stream: noise, a true frame, or one that was damaged on its way. */
function piece(): Uint8Array {
  switch (below(8)) {
    case 0:
      return Uint8Array.from({ length: 1 + below(40) }, () => below(256));
    case 1:
      return Uint8Array.from({ length: 1 + below(40) }, () => good[below(4)] ?? 0);
    case 2:
      return good;
    case 3:
      return refusal;
    case 4:
      return encodeRequest(request);
    case 5:
      return good.slice(0, below(good.length));
    case 6: {
      const cut = 3 + below(good.length - 4);
      return Uint8Array.from([...good.slice(0, cut), ...good.slice(cut + 1)]);
    }
    default: {
      const wrong = good.slice();
      for (let bits = 1 + below(4); bits > 0; bits--) {
        const at = below(wrong.length);
        wrong[at] = (wrong[at] ?? 0) ^ (1 << below(8));
      }
      return wrong;
    }
  }
}

/** CRC-16/MODBUS by its definition as a polynomial division, beside the implementation under test. */
function isTrueFrame(frame: Uint8Array): boolean {
  let remainder = 0xffff;
  for (const byte of frame) {
    for (let bit = 0; bit < 8; bit++) {
      const carry = (remainder ^ (byte >>> bit)) & 1;
      remainder = (remainder >>> 1) ^ (carry ? 0xa001 : 0);
    }
  }
  return remainder === 0;
}

describe('ReplyReader, fed with a million random and mutated bytes', () => {
  it('gives only what has the right CRC, finds every whole reply, and looks back no further than one', () => {
    let fed = 0;
    let whole = 0;
    let found = 0;
    let refused = 0;
    let reader = new ReplyReader(request);
    let tail: number[] = [];
    while (fed < BYTE_COUNT) {
      const bytes = piece();
      fed += bytes.length;
      const before = found;
      for (const byte of bytes) {
        tail.push(byte);
        if (tail.length > good.length) tail.shift();
        const reply = reader.push(Uint8Array.of(byte));
        if (!reply) continue;
        reader = new ReplyReader(request);
        const frame = Uint8Array.from('data' in reply ? tail.slice(-good.length) : tail.slice(-refusal.length));
        tail = [];
        expect(isTrueFrame(frame)).toBe(true);
        if ('data' in reply) {
          found++;
          expect(reply.data).toEqual(frame.slice(3, -2));
        } else refused++;
      }
      if (bytes === good) {
        whole++;
        expect(found).toBe(before + 1);
      }
    }
    expect(whole).toBeGreaterThan(4000);
    expect(refused).toBeGreaterThan(4000);
  });

  it('never takes a reply for true in which one, two or three bits are wrong', () => {
    const bits = good.length * 8;
    const flipped = (frame: Uint8Array, bit: number) => frame.with(bit >> 3, (frame[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
    for (let first = 0; first < bits; first++) {
      const one = flipped(good, first);
      expect(new ReplyReader(request).push(one)).toBeNull();
      for (let second = first + 1; second < bits; second++) {
        const two = flipped(one, second);
        if (new ReplyReader(request).push(two)) throw new Error(`bits ${first} and ${second}`);
        const three = flipped(two, below(bits));
        if (three.every((byte, index) => byte === good[index])) continue;
        if (new ReplyReader(request).push(three)) throw new Error(`three bits, among them ${first} and ${second}`);
      }
    }
  });

  it('makes watts of random registers only within what the meter can measure', () => {
    let readings = 0;
    for (let count = 0; count < BYTE_COUNT / 20; count++) {
      const data = Uint8Array.from(good.slice(3, -2), (byte) => (below(6) === 0 ? below(256) : byte));
      const reply = new ReplyReader(request).push(withCrc(Uint8Array.of(0xf8, 4, 20, ...data)));
      if (!reply || !('data' in reply)) throw new Error(`not found: ${data}`);
      const parsed = readRegisters(reply.data);
      if (!('value' in parsed)) continue;
      readings++;
      const { powerW, voltageV, frequencyHz } = parsed.value;
      const counts = (data[6] ?? 0) * 256 + (data[7] ?? 0) + 65_536 * ((data[8] ?? 0) * 256 + (data[9] ?? 0));
      const possible = counts <= 250_000 && voltageV >= 60 && voltageV <= 300 && frequencyHz >= 40 && frequencyHz <= 70;
      if (!possible || powerW !== counts / 10) throw new Error(`${powerW} W of ${data}`);
    }
    expect(readings).toBeGreaterThan(1000);
  });
});
