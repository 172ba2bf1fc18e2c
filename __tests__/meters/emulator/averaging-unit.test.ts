// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { EmulatedMeter } from '../../../src/meters/emulator/emulator.ts';
import { Load } from '../../../src/meters/emulator/load.ts';
import { withCrc } from '../../../src/meters/modbus/frames.ts';
import { PzemEmulator, type PzemOptions } from '../../../src/meters/pzem-004t/emulator.ts';
import { readRegisters } from '../../../src/meters/pzem-004t/registers.ts';
import { Sdm120Emulator } from '../../../src/meters/sdm120/emulator.ts';
import { asHex, chunks, hex } from '../hex.ts';

const at = (seconds: number) => BigInt(Math.round(seconds * 1e9));
const steps = [
  { tNs: at(10.25), on: true },
  { tNs: at(20.5), on: false },
];
const load = new Load({ idleW: 40, loadW: 65.04, noiseW: 0, seed: 1, originNs: 0n }, steps);
const settings = {
  energyJ: (from: bigint, to: bigint) => load.energyJ(from, to),
  originNs: 0n,
  seed: 1,
  latencyNs: at(0.05),
};
const pzem = (options: Partial<PzemOptions> = {}) => new PzemEmulator({ ...settings, ...options });
const ALL = 'f8 04 00 00 00 0a 64 64';

/** What it answers to a frame at a moment; empty when it doesn't. */
function ask(meter: EmulatedMeter, frame: string | Uint8Array, seconds: number): Uint8Array {
  meter.receive(typeof frame === 'string' ? hex(frame) : frame, at(seconds));
  return Buffer.from(meter.record() as Uint8Array);
}

const pzemPowerW = (seconds: number, meter = pzem()) => {
  const parsed = readRegisters(ask(meter, ALL, seconds).subarray(3, -2));
  return 'value' in parsed ? parsed.value.powerW : parsed.implausible;
};

describe('PzemEmulator', () => {
  it('shows the mean of 2 s, new every second, in steps of 0.1 W', () => {
    // On at 10.25 s: 0.75 s of it are in what can be read from 11.05 s on, 1.75 s a second later.
    expect(pzemPowerW(11.04)).toBe(40);
    expect([11.06, 11.5, 12.04].map((t) => pzemPowerW(t))).toEqual([49.4, 49.4, 49.4]);
    expect(pzemPowerW(12.06)).toBe(61.9);
    expect(pzemPowerW(13.06)).toBe(65);
    expect([20.06, 21.06, 22.06, 23.06].map((t) => pzemPowerW(t))).toEqual([65, 58.8, 46.3, 40]);
  });

  it('replies after 70 to 120 ms, on its own and the general address', () => {
    const meter = pzem({ unit: 5 });
    for (const [index, unit] of [5, 0xf8].entries()) {
      const askedS = 30 + index;
      meter.receive(withCrc(Uint8Array.of(unit, 4, 0, 0, 0, 10)), at(askedS));
      const delayS = Number((meter.dueNs() ?? 0n) - at(askedS)) / 1e9;
      expect(delayS).toBeGreaterThanOrEqual(0.07);
      expect(delayS).toBeLessThanOrEqual(0.12);
      expect((meter.record() as Uint8Array)[0]).toBe(unit);
      expect(meter.dueNs()).toBeNull();
    }
    expect(ask(meter, withCrc(Uint8Array.of(6, 4, 0, 0, 0, 10)), 40)).toHaveLength(0);
    expect(ask(meter, withCrc(Uint8Array.of(0, 4, 0, 0, 0, 10)), 41)).toHaveLength(0);
  });

  it('says in its alarm register that it is emulated', () => {
    expect(asHex(ask(pzem(), ALL, 30).slice(-4, -2))).toBe('4a 44');
    expect(ask(pzem({ withoutAlarm: true }), 'f8 04 00 00 00 09 24 65', 30)).toHaveLength(23);
  });

  it('refuses what it does not know, as the vectors say', () => {
    expect(asHex(ask(pzem({ withoutAlarm: true }), ALL, 1))).toBe('f8 84 02 12 f0');
    expect(asHex(ask(pzem(), withCrc(hex('f8 05 00 00 00 01')), 1))).toBe(asHex(withCrc(hex('f8 85 01'))));
    const meter = pzem();
    meter.refuse(1);
    expect(asHex(ask(meter, ALL, 1))).toBe('f8 84 01 52 f1');
    expect(ask(meter, ALL, 2)).toHaveLength(25);
  });

  it('counts what would have changed a real one, and nothing else', () => {
    const meter = pzem();
    for (const harmless of [ALL, 'f8 03 00 01 00 02 81 a2', 'f8 84 01 52 f1', '00 01 02 03']) ask(meter, harmless, 1);
    expect(meter.harmed).toBe(0);
    for (const frame of [hex('01 06 00 02 00 05 e8 09'), withCrc(hex('f8 42')), withCrc(hex('f8 41 37 21'))]) {
      expect(ask(meter, frame, 2)).toEqual(Buffer.from(frame));
    }
    expect(meter.harmed).toBe(3);
  });

  it.each([1, 7])('takes a request in chunks of %i, and forgets one that was cut off', (size) => {
    const meter = pzem();
    meter.receive(hex(ALL).subarray(0, 5), at(1));
    for (const chunk of chunks(hex(ALL), size)) meter.receive(chunk, at(1.2));
    expect(meter.record()).toHaveLength(25);
    expect(meter.dueNs()).toBeNull();
  });
});

describe('Sdm120Emulator', () => {
  const float = (reply: Uint8Array, offset = 3) => Buffer.from(reply).readFloatBE(offset);
  const power = '01 04 00 0c 00 02 b1 c8';

  it('shows the mean of a second as a float', () => {
    const meter = new Sdm120Emulator(settings);
    expect([11.04, 11.06, 12.06, 21.06, 22.06].map((t) => float(ask(meter, power, t)))).toEqual([
      40, 58.779998779296875, 65.04000091552734, 52.52000045776367, 40,
    ]);
  });

  it('has voltage and frequency beside it, its own address, and a mark where real meters have nothing', () => {
    const meter = new Sdm120Emulator({ ...settings, unit: 3 });
    const read = (address: number, count: number) =>
      ask(meter, withCrc(Uint8Array.of(3, 4, address >>> 8, address & 0xff, 0, count)), 30);
    expect(float(read(0x0000, 2))).toBe(230);
    expect(float(read(0x0046, 2))).toBe(50);
    expect(float(read(0x0000, 14), 3 + 24)).toBe(40);
    expect(read(0x4a44, 2).subarray(3, 7).toString()).toBe('JOUL');
    expect(asHex(read(0x0f00, 2))).toBe(asHex(withCrc(hex('03 84 02'))));
    expect(ask(meter, power, 31)).toHaveLength(0);
    expect(meter.harmed).toBe(0);
    ask(meter, withCrc(hex('03 10 00 1c 00 02 04 40 00 00 00')), 32);
    expect(meter.harmed).toBe(1);
  });
});
