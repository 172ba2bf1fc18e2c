// Class: system.
import { describe, expect, it } from '@jest/globals';
import { encodeRequest } from '../../src/meters/modbus/frames.ts';
import { GENERAL_ADDRESS } from '../../src/meters/pzem-004t/identify.ts';
import { meterTypes } from '../../src/meters/registry.ts';
import { DEFAULT_UNIT, requestFor } from '../../src/meters/sdm120/identify.ts';
import { COMMANDS } from '../../src/meters/watts-up-pro/conversation.ts';
import { VirtualHost } from './virtual-host.ts';

/** What `auto` asks on a port, in its order, with the rate of the line. */
const questions = [
  { type: 'watts-up-pro', baud: 115_200, bytes: Buffer.from(COMMANDS.version, 'latin1') },
  {
    type: 'pzem-004t',
    baud: 9600,
    bytes: encodeRequest({ unit: GENERAL_ADDRESS, registers: 'input', address: 0, count: 10 }),
  },
  { type: 'sdm120', baud: 2400, bytes: encodeRequest(requestFor(DEFAULT_UNIT, 'voltage')) },
];

/** Bits on the line, one after the other: start bit, eight data bits with the lowest first, stop bit. */
function bitsOf(bytes: Uint8Array): number[] {
  return Array.from(bytes).flatMap((byte) => [0, ...Array.from({ length: 8 }, (_, bit) => (byte >> bit) & 1), 1]);
}

/** What a receiver at another rate makes of bytes on the line, wrong stop bits and all; `phase` is where it stands, in parts of its bit. */
function heardAs(bytes: Uint8Array, sentBaud: number, heardBaud: number, phase: number): number[] {
  const bits = bitsOf(bytes);
  const level = (t: number) => bits[Math.floor(t * sentBaud)] ?? 1;
  const bitS = 1 / heardBaud;
  const stepS = bitS / 16;
  const heard: number[] = [];
  const endS = bits.length / sentBaud;
  for (let t = phase * stepS; t < endS; t += stepS) {
    if (level(t) !== 0) continue;
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) byte |= level(t + (bit + 1.5) * bitS) << bit;
    heard.push(byte);
    t += 9.5 * bitS;
  }
  return heard;
}

const phases = Array.from({ length: 16 }, (_, index) => index / 16);
/** Reset of the energy counter of a PZEM, the shortest frame that a Modbus meter obeys. */
const SHORTEST_FRAME = 4;

describe('the questions of auto on a port with another meter', () => {
  it('are all here', async () => {
    const asked: string[] = [];
    for (const { type, probe } of meterTypes) {
      const host = new VirtualHost();
      let sent = false;
      host.wire('/dev/any').onData(() => {
        sent = true;
      });
      await host.clock.run(probe?.('/dev/any', host) ?? Promise.resolve(null));
      if (sent) asked.push(type);
    }
    expect(asked).toEqual(questions.map(({ type }) => type));
  });

  it('are asked from the fastest line to the slowest', () => {
    const order = meterTypes.map(({ type }) => type).filter((type) => questions.some((one) => one.type === type));
    expect(order).toEqual(questions.map(({ type }) => type));
    expect(questions.map(({ baud }) => baud)).toEqual(questions.map(({ baud }) => baud).sort((a, b) => b - a));
  });

  it('are heard as they are at their own rate', () => {
    for (const { bytes, baud } of questions) {
      for (const phase of phases) expect(heardAs(bytes, baud, baud, phase)).toEqual([...bytes]);
    }
  });

  it('are too short to be a frame for every meter that hears them before its own', () => {
    let pairs = 0;
    for (const [index, { bytes, baud }] of questions.entries()) {
      for (const meter of questions.slice(index + 1)) {
        for (const phase of phases) {
          expect(heardAs(bytes, baud, meter.baud, phase).length).toBeLessThan(SHORTEST_FRAME);
          pairs++;
        }
      }
    }
    expect(pairs).toBe(3 * phases.length);
  });

  it('would be no command for a Watts Up? or an MCP39F511 either, at whose rate only single edges are seen', () => {
    for (const { bytes, baud } of questions.slice(1)) {
      for (const phase of phases) {
        const heard = heardAs(bytes, baud, 115_200, phase);
        expect(heard.length).toBeGreaterThan(10);
        // Start of a packet, abort; start of a frame.
        for (const byte of [0x23, 0x18, 0xa5]) expect(heard).not.toContain(byte);
      }
    }
  });
});
