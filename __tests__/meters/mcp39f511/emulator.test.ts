// Class: system.
import { describe, expect, it } from '@jest/globals';
import { Load } from '../../../src/meters/emulator/load.ts';
import { McpEmulator, type McpOptions } from '../../../src/meters/mcp39f511/emulator.ts';
import { checksum } from '../../../src/meters/mcp39f511/reply.ts';
import { hex } from '../hex.ts';

const at = (seconds: number) => BigInt(Math.round(seconds * 1e9));

function emulate(powerW: number, options: Partial<McpOptions> = {}): McpEmulator {
  return new McpEmulator({
    energyJ: (from, to) => (Number(to - from) / 1e9) * powerW,
    originNs: 0n,
    seed: 1,
    latencyNs: 0n,
    ...options,
  });
}

const ask = (meter: McpEmulator, frame: string, seconds = 5) =>
  Buffer.from(meter.receive(hex(frame), at(seconds)))
    .toString('hex')
    .replace(/(..)(?=.)/g, '$1 ');

describe('McpEmulator', () => {
  it('answers as the real chips, to the byte', () => {
    expect(ask(emulate(42.5), 'a5 08 41 00 16 4e 08 5a')).toBe('06 0b 9a 10 00 00 00 00 00 00 bb');
    expect(ask(emulate(0), 'a5 08 41 00 06 4e 20 5e')).toBe('51');
    expect(ask(emulate(42.5, { chip: 'mcp39f511' }), 'a5 08 41 00 12 4e 04 52')).toBe('06 07 9a 10 00 00 b7');
    expect(ask(emulate(0), 'a5 08 41 00 a8 4e 02 e6')).toBe('06 05 04 00 0f');
    expect(ask(emulate(0), 'a5 08 41 00 ae 4e 04 ee')).toBe('06 07 12 0c 13 00 3e');
    expect(ask(emulate(0), 'a5 08 41 00 be 4e 04 fe')).toBe('06 07 00 0c 13 00 2c');
    expect(ask(emulate(0, { chip: 'mcp39f511' }), 'a5 08 41 00 82 4e 04 c2')).toBe('06 07 12 0c 13 00 3e');
    expect(ask(emulate(0), 'a5 06 41 00 16 02')).toBe('06');
    expect(ask(emulate(0), 'a5 04 11 ba')).toBe('15');
  });

  it('calls itself by a date that no chip has', () => {
    expect(ask(emulate(0), 'a5 08 41 00 04 4e 02 42')).toBe('06 05 ed fe f6');
  });

  it('takes a request in pieces, after what is none, and forgets one that was cut off', () => {
    const meter = emulate(42.5);
    expect(ask(meter, '00 ff 0d a5 08 41')).toBe('');
    expect(ask(meter, '00 16 4e 08 5a')).toBe('06 0b 9a 10 00 00 00 00 00 00 bb');
    expect(ask(meter, 'a5 08 41')).toBe('');
    expect(ask(meter, 'a5 08 41 00 16 4e 08 5a', 6)).toBe('06 0b 9a 10 00 00 00 00 00 00 bb');
  });

  it('shows the exact mean of the last whole interval, once its latency is over', () => {
    const load = new Load({ idleW: 40, loadW: 65, noiseW: 0, seed: 1, originNs: 0n }, [{ tNs: at(1.04), on: true }]);
    const meter = emulate(0, { energyJ: (from, to) => load.energyJ(from, to), latencyNs: at(0.05) });
    const watts = (seconds: number) =>
      Buffer.from(meter.receive(hex('a5 08 41 00 16 4e 08 5a'), at(seconds))).readUInt32LE(2) / 100;
    expect([0.7, 1.0, 1.2, 1.32, 1.34, 1.6, 1.66].map(watts)).toEqual([40, 40, 40, 40, 58.75, 58.75, 65]);
  });

  it('takes longer over an interval of more cycles, and over slower ones', () => {
    const load = new Load({ idleW: 0, loadW: 100, noiseW: 0, seed: 1, originNs: 0n }, [{ tNs: at(2.2), on: true }]);
    const watts = (accumulation: number, lineHz: number) => {
      const energyJ = (from: bigint, to: bigint) => load.energyJ(from, to);
      const meter = emulate(0, { energyJ, state: { accumulation, lineHz } });
      return Buffer.from(meter.receive(hex('a5 08 41 00 16 4e 08 5a'), at(2.6))).readUInt32LE(2) / 100;
    };
    expect(watts(4, 50)).toBeCloseTo((100 * (2.56 - 2.24)) / 0.32, 1);
    expect(watts(5, 50)).toBeCloseTo((100 * (2.56 - 2.2)) / 0.64, 1);
    expect(watts(1, 50)).toBe(100);
    expect(watts(5, 64)).toBeCloseTo((100 * (2.5 - 2.2)) / 0.5, 1);
  });

  it('counts what would have changed a real chip, and nothing else', () => {
    const meter = emulate(40);
    for (const harmless of ['a5 08 41 00 16 4e 08 5a', 'a5 04 11 ba', 'a5 04 53 00']) ask(meter, harmless);
    expect(meter.harmed).toBe(0);
    for (const command of [0x53, 0x42, 0x50, 0x4f, 0x5a, 0x7a, 0x76]) {
      const frame = Uint8Array.of(0xa5, 4, command, 0);
      frame[3] = checksum(frame.subarray(0, 3));
      meter.receive(frame, at(5));
    }
    ask(meter, 'a5 0a 41 00 a8 4d 02 01 00 e8');
    expect(meter.harmed).toBe(8);
    expect(ask(meter, 'a5 08 41 00 a8 4e 02 e6')).toBe('06 05 04 00 0f');
  });
});
