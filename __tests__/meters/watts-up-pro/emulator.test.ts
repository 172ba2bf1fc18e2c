// Class: system.
import { describe, expect, it } from '@jest/globals';
import { Load } from '../../../src/meters/emulator/load.ts';
import { WattsUpProEmulator, type WattsUpProOptions } from '../../../src/meters/watts-up-pro/emulator.ts';
import { type DataRecord, follows, PacketReader, readDataRecord } from '../../../src/meters/watts-up-pro/packets.ts';

const SECOND = 1_000_000_000n;
const at = (seconds: number) => BigInt(Math.round(seconds * 1e9));

function emulate(load: Load, options: Partial<WattsUpProOptions> = {}): WattsUpProEmulator {
  return new WattsUpProEmulator({
    energyJ: (from, to) => load.energyJ(from, to),
    originNs: load.options.originNs,
    seed: 1,
    latencyNs: 0n,
    ...options,
  });
}

/** Everything that it sends in `count` records, from a moment on. */
function stream(meter: WattsUpProEmulator, count: number): string {
  const start = meter.receive(Buffer.from('#L,W,3,E,1,1;'), at(0.5));
  return start + Array.from({ length: count }, () => meter.record()).join('');
}

function recordsOf(text: string): DataRecord[] {
  return new PacketReader().push(Buffer.from(text, 'latin1')).flatMap((packet) => {
    const reading = readDataRecord(packet);
    return reading && 'record' in reading ? [reading.record] : [];
  });
}

const plain = { idleW: 40, loadW: 65, noiseW: 0, seed: 1, originNs: 0n };

describe('Load', () => {
  it('is exact from switch to switch, told in any order', () => {
    const load = new Load(plain, [
      { tNs: at(7.5), on: false },
      { tNs: at(2.25), on: true },
    ]);
    expect(load.energyJ(0n, at(10))).toBeCloseTo(40 * 10 + 25 * 5.25, 9);
    expect(load.energyJ(at(3), at(4))).toBeCloseTo(65, 9);
    expect(load.energyJ(at(2), at(3))).toBeCloseTo(40 + 25 * 0.75, 9);
    expect(load.energyJ(at(8), at(9))).toBeCloseTo(40, 9);
  });

  it('has noise that adds up over any division of the time', () => {
    const load = new Load({ ...plain, noiseW: 2, originNs: at(0.3) });
    const parts = [0, 0.1, 1.7, 3.31, 3.4, 9].map(at);
    const sum = parts.slice(1).reduce((joules, to, index) => joules + load.energyJ(parts[index] ?? 0n, to), 0);
    expect(load.energyJ(0n, at(9))).toBeCloseTo(sum, 9);
    expect(load.energyJ(0n, at(9))).not.toBeCloseTo(360, 3);
  });
});

describe('WattsUpProEmulator', () => {
  it('shows the exact mean of every second, rounded to 0.1 W', () => {
    const load = new Load(plain, [
      { tNs: at(2.25), on: true },
      { tNs: at(4.5), on: false },
    ]);
    expect(recordsOf(stream(emulate(load), 7)).map(({ powerW }) => powerW)).toEqual([40, 40, 58.8, 65, 52.5, 40, 40]);
  });

  it('streams as real meters do: a cut-off record first, NUL in about 7 % of the line ends, fields that span two records', () => {
    const text = stream(emulate(new Load({ ...plain, noiseW: 3 })), 2000);
    const records = recordsOf(text);
    expect(text.split('#')).toHaveLength(2002);
    expect(records).toHaveLength(2000);
    expect(records.slice(1).every((record, index) => follows(records[index] as DataRecord, record))).toBe(true);
    const nul = (text.match(/;\0\r\n/g)?.length ?? 0) + (text.match(/;\r\0\n/g)?.length ?? 0);
    expect(nul).toBe(text.split('\0').length - 1);
    expect(nul).toBeGreaterThan(80);
    expect(nul).toBeLessThan(200);
    expect(text).toContain(';\0\r\n');
    expect(text).toContain(';\r\0\n');
  });

  it('is due at the end of a second and its latency, once it logs', () => {
    const meter = emulate(new Load({ ...plain, originNs: at(0.3) }), { latencyNs: at(0.05) });
    expect(meter.dueNs()).toBeNull();
    meter.receive(Buffer.from('#L,W,3,E,,1;'), at(5));
    expect(meter.dueNs()).toBe(at(5.35));
    meter.record();
    expect(meter.dueNs()).toBe(at(5.35) + SECOND);
    meter.receive(Buffer.from('#L,R,0;'), at(6));
    expect(meter.dueNs()).toBeNull();
  });

  it('answers as the protocol says, and an unknown command with its version', () => {
    const meter = emulate(new Load(plain));
    const ask = (text: string) => meter.receive(Buffer.from(text), at(1));
    expect(ask('#V,R,0;')).toBe('#v,-,8,1,65206,5,2,3,14,197001010000,0;\r\n');
    expect(ask('#C,R,0;')).toBe(`#c,-,18,${Array(18).fill(1).join(',')};\r\n`);
    expect(ask('#H,R,0;')).toContain('#h,-,18,W,V,A,WH,');
    expect(ask('#Q,R,0;')).toBe(ask('#V,R,0;'));
    expect(ask('V,R,0;')).toBe('');
    expect(ask('\x18#V,R')).toBe('');
    expect(ask(',0;')).toBe(ask('#V,R,0;'));
  });

  it('counts what would have cleared its memory', () => {
    const meter = emulate(new Load(plain));
    for (const harmless of ['#V,R,0;', '#H,R,0;', '#C,R,0;', '#S,R,0;', '#L,W,3,E,1,1;', '#L,R,0;']) {
      meter.receive(Buffer.from(harmless), at(1));
    }
    expect(meter.memoryCleared).toBe(0);
    for (const clearing of ['#R,W,0;', '#C,W,18,1;', '#S,W,2,1,1;', '#L,W,3,I,1,1;', '#O,W,1,1;']) {
      meter.receive(Buffer.from(clearing), at(1));
    }
    expect(meter.memoryCleared).toBe(5);
  });

  it('leaves fields empty that are not logged', () => {
    const logged = Array.from({ length: 18 }, (_, index) => index === 0);
    const [record] = recordsOf(stream(emulate(new Load(plain), { logged }), 1));
    expect(record).toEqual({ powerW: 40, voltageV: null, maximumW: null, minimumW: null });
  });
});
