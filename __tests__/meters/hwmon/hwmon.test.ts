// Class: system.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EnergyRegister } from '../../../src/meters/emulator/emulator.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { sleep } from '../../../src/system/clock.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { shownFile } from '../shown-file.ts';
import { VirtualHost } from '../virtual-host.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-hwmon-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A chip as the kernel shows it: its files, and the device that it is. */
function chip(number: number, device: string, files: Readonly<Record<string, string | number>>): void {
  const folder = join(root, `hwmon${number}`);
  const target = join(root, 'devices', device);
  mkdirSync(folder, { recursive: true });
  mkdirSync(target, { recursive: true });
  symlinkSync(target, join(folder, 'device'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), `${content}\n`);
}

const set = (file: string, value: string | number) => writeFileSync(join(root, file), `${value}\n`);
const name = (sensor: string, options = '') => `hwmon:${sensor}?root=${encodeURIComponent(root)}${options}`;

async function measured(meter: string, work: (host: VirtualHost, collected: Collected) => Promise<void>) {
  const host = new VirtualHost();
  const collected = new Collected();
  return host.clock.run(
    (async () => {
      const [opened] = (await openMeters([meter], host)).meters;
      await opened!.start(collected);
      await work(host, collected);
      await opened!.stop();
      return { info: opened!.info, collected };
    })(),
  );
}

describe('hwmon', () => {
  it('reads the power of a chip by its name, however it is numbered', async () => {
    chip(0, 'coretemp.0', { name: 'coretemp', temp1_input: 40000 });
    chip(5, '1-0040', {
      name: 'ina226',
      power1_input: 41_200_000,
      power1_label: 'board',
      update_interval: 200,
      shunt_resistor: 5000,
    });
    const { info, collected } = await measured(name('ina226/power1'), async ({ clock }) => {
      await sleep(clock, 2000);
      set('hwmon5/power1_input', 50_000_000);
      await sleep(clock, 2000);
    });
    expect(info).toMatchObject({
      type: 'hwmon',
      address: 'ina226/power1',
      source: 'emulated',
      identity: { device: '1-0040', label: 'board', shuntUohm: '5000' },
      channels: [{ channel: 'board', integration: 'guard', clock: 'host', samplingPeriodS: 0.2 }],
    });
    expect(info.channels[0]).not.toHaveProperty('part');
    expect(info.remarks.join(' ')).toMatch(/resistor of 5000 µΩ/);
    expect(new Set(collected.samples.map(({ powerW }) => powerW))).toEqual(new Set([41.2, 50]));
    expect(Math.abs(collected.energyJ('board') - (2 * 41.2 + 2 * 50))).toBeLessThan(12);
  });

  it.each([
    [
      'shows the mean of each fifth of a second',
      'ina226/power1',
      200,
      200,
      { name: 'ina226', update_interval: 200 },
      0.01,
    ],
    ['shows what is drawn at the moment', 'ina219/power1', 1, 1, { name: 'ina219' }, 0.01],
    [
      'shows the mean of the last second',
      'power_meter/power1',
      1000,
      100,
      { name: 'power_meter', power1_average_interval: 1000 },
      0.02,
    ],
  ])('measures the true energy of 200 runs with a chip that %s', async (_, sensor, meanMs, everyMs, files, within) => {
    const file = sensor.startsWith('power_meter') ? 'power1_average' : 'power1_input';
    chip(4, '1-0040', { ...files, [file]: 40_000_000 });
    const world = new World({ noiseW: 0.4 });
    const show = shownFile(join(root, 'hwmon4', file));
    const [meanNs, everyNs] = [BigInt(meanMs) * 1_000_000n, BigInt(everyMs) * 1_000_000n];
    world.host.clock.onStep = (nowNs) => {
      const shownNs = nowNs - (nowNs % everyNs);
      const joules = world.load.energyJ(shownNs - meanNs, shownNs);
      // In steps of 25 mW, as a chip's register has them.
      show(Math.round((joules * 1000) / meanMs / 0.025) * 25_000);
    };
    await measuresTheTruth(world, name(sensor, sensor.startsWith('ina219') ? '&period=500ms' : ''), within);
  });

  it('counts the true energy of 200 runs', async () => {
    chip(1, 'card0', { name: 'xe', energy1_input: 0 });
    const world = new World({ noiseW: 0.4 });
    const show = shownFile(join(root, 'hwmon1/energy1_input'));
    const counter = new EnergyRegister(world.settings, world.settings.originNs);
    world.host.clock.onStep = (nowNs) => {
      // Renewed every millisecond.
      show(Math.round(counter.untilJ(nowNs - (nowNs % 1_000_000n)) * 1e6));
    };
    await measuresTheTruth(world, name('xe/energy1', '&period=1s'), 0.001);
  });

  it('takes a server’s own meter for the whole machine, at the rate of its averages', async () => {
    chip(2, 'ACPI000D:00', { name: 'power_meter', power1_average: 210_000_000, power1_average_interval: 1000 });
    const { info } = await measured(name('power_meter/power1'), ({ clock }) => sleep(clock, 3000));
    expect(info).toMatchObject({ minimumGuardS: 4, channels: [{ part: 'machine', samplingPeriodS: 1 }] });
  });

  it('counts energy from edge to edge, and says where a counter fell or leapt', async () => {
    chip(1, 'card0', { name: 'i915', energy1_input: 1_000_000 });
    const { info, collected } = await measured(name('i915/energy1'), async ({ clock }) => {
      for (const microjoules of [1_500_000, 2_250_000, 1000, 501_000, 9e15, 9e15 + 500_000]) {
        set('hwmon1/energy1_input', microjoules);
        await sleep(clock, 100);
      }
    });
    expect(info).toMatchObject({ minimumGuardS: 0, channels: [{ integration: 'counter', samplingPeriodS: 0.1 }] });
    expect(collected.energyJ('i915')).toBeCloseTo(0.5 + 0.75 + 0.5 + 0.5, 9);
    expect(collected.events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['gap', 'The counter i915/energy1 fell from 2.25 J to 0.001 J: it was reset, or began anew.'],
      ['gap', 'The counter i915/energy1 leapt from 0.501 J to 9000000000 J: it was reset, or began anew.'],
    ]);
  });

  it('has gaps where the sensor can’t be read, and is lost when that lasts', async () => {
    chip(3, '1-0041', { name: 'ina219', power1_input: 5_000_000 });
    const { collected } = await measured(name('ina219/power1'), async ({ clock }, all) => {
      await sleep(clock, 500);
      set('hwmon3/power1_input', 'garbage\x1b[31m');
      await sleep(clock, 300);
      set('hwmon3/power1_input', 5_000_000);
      await sleep(clock, 500);
      expect(all.lostWith).toEqual([]);
      unlinkSync(join(root, 'hwmon3/power1_input'));
      await all.until(({ lostWith }) => lostWith.length > 0);
    });
    expect(collected.samples.every(({ powerW }) => powerW === 5)).toBe(true);
    expect(collected.events[0]?.detail).toBe(
      'The meter gave no reading: the sensor ina219/power1 gives "garbage\\u001b[31m", which is not a number.',
    );
    expect(collected.lostWith[0]?.message).toMatch(
      /^The meter has given no reading for 5 s: the sensor ina219\/power1 can't be read: /,
    );
  });

  it.each([
    ['hwmon', 'The meter "hwmon" does not name a sensor.', /hwmon:CHIP\/powerN/],
    ['hwmon:ina226', 'The meter "hwmon:ina226" does not name a sensor.', /meter list/],
  ])('refuses the name %s', async (text, reported, advice) => {
    const error = await rejection(openMeters([text]));
    expect(error.message).toBe(reported);
    expect(error.advice).toMatch(advice);
  });

  it('says which sensors there are', async () => {
    const none = await rejection(openMeters([name('ina226/power1')]));
    expect([none.message, none.advice]).toEqual([
      'This machine has no sensor ina226/power1.',
      `There is no sensor of power or energy in ${root}.`,
    ]);
    chip(0, '1-0040', { name: 'ina226', power1_input: 1 });
    chip(1, '1-0041', { name: 'ina226', power1_input: 1 });
    const other = await rejection(openMeters([name('ina226/power2')]));
    expect(other.advice).toBe('There is hwmon:ina226/power1.');
    const two = await rejection(openMeters([name('ina226/power1')]));
    expect([two.message, two.advice]).toEqual([
      'This machine has 2 sensors ina226/power1.',
      'Say on which device, as in ?device=1-0040. There are 1-0040 and 1-0041.',
    ]);
    const { meters } = await openMeters([name('ina226/power1', '&device=1-0041')]);
    expect(meters[0]?.info.identity).toEqual({ device: '1-0041' });
    await meters[0]?.stop();
  });
});

/** An INA3221 of a Jetson Orin, whose rails are 19 V at 2.16 A and less, as kernel 5.15 shows it. */
const ORIN = {
  name: 'ina3221',
  update_interval: 7,
  in1_enable: 1,
  in1_label: 'VDD_IN',
  in1_input: 19_000,
  curr1_input: 2160,
  shunt1_resistor: 5000,
  in2_enable: 1,
  in2_label: 'VDD_CPU_GPU_CV',
  in2_input: 19_000,
  curr2_input: 400,
  shunt2_resistor: 5000,
  in3_enable: 0,
  in3_label: 'VDD_SOC',
  in3_input: 19_000,
  curr3_input: 300,
  // Drops over the resistors, in microvolts, and the sum of them.
  in4_input: 10_800,
  in5_input: 2000,
  in6_input: 1500,
  in7_input: 14_300,
  in7_label: 'sum of shunt voltages',
};
const orin = () => chip(2, '1-0040', ORIN);

describe('a rail that the kernel shows as a voltage and a current', () => {
  it.each(['in1', 'VDD_IN'])('is read by the name %s', async (rail) => {
    orin();
    const { info, collected } = await measured(name(`ina3221/${rail}`), async ({ clock }) => {
      await sleep(clock, 1000);
      set('hwmon2/in1_input', 20_000);
      set('hwmon2/curr1_input', 3000);
      await sleep(clock, 1000);
    });
    expect(info).toMatchObject({
      address: 'ina3221/in1',
      source: 'emulated',
      identity: { device: '1-0040', label: 'VDD_IN', shuntUohm: '5000' },
      channels: [{ channel: 'VDD_IN', samplingPeriodS: 0.1 }],
    });
    expect(info.channels[0]).not.toHaveProperty('part');
    expect(info.remarks).toContain(
      'Its watts are a voltage times a current, converted one after the other: right as long as the voltage is steady.',
    );
    expect(new Set(collected.samples.map(({ powerW }) => powerW))).toEqual(new Set([41.04, 60]));
    expect(collected.events).toEqual([]);
  });

  it.each([
    ['an INA3221, in steps of 8 mV and 8 mA, with a supply that gives way', 'ina3221/VDD_IN', 2, 'in1', 'curr1', 8, 8],
    ['a POWER-Z KM003C, by the kernel’s driver', 'powerz/VBUS', 3, 'in0', 'curr1', 1, 1],
  ])('measures the true energy of 200 runs by %s', async (_, sensor, number, volts, amperes, stepMv, stepMa) => {
    orin();
    chip(3, '1-1.2:1.0', {
      name: 'powerz',
      in0_label: 'VBUS',
      in0_input: 20_000,
      curr1_label: 'IBUS',
      curr1_input: 2000,
      in1_input: 900,
      in1_label: 'VCC1',
    });
    const world = new World({ noiseW: 0.4 });
    const show = [volts, amperes].map((file) => shownFile(join(root, `hwmon${number}`, `${file}_input`)));
    world.host.clock.onStep = (nowNs) => {
      // A conversion of each, the current's right after the voltage's.
      const meanW = (fromMs: bigint, toMs: bigint) =>
        world.load.energyJ(nowNs - fromMs * 1_000_000n, nowNs - toMs * 1_000_000n) / (Number(fromMs - toMs) / 1000);
      const voltage = (watts: number) => 19 - watts / 500;
      show[0]?.(Math.round((1000 * voltage(meanW(4n, 2n))) / stepMv) * stepMv);
      const watts = meanW(2n, 0n);
      show[1]?.(Math.round((1000 * watts) / voltage(watts) / stepMa) * stepMa);
    };
    await measuresTheTruth(world, name(sensor), 0.003);
  });

  it('asks no more often than the chip converts both', async () => {
    chip(2, '1-0040', { ...ORIN, update_interval: 564 });
    const { info } = await measured(name('ina3221/in1'), ({ clock }) => sleep(clock, 3000));
    expect(info).toMatchObject({ minimumGuardS: 2.256, channels: [{ samplingPeriodS: 1.128, edgeS: 1.128 }] });
  });

  const failing = (code: string) => Object.assign(new Error(`${code}: it says so, read`), { code });
  it.each<[string, (host: VirtualHost) => void, RegExp]>([
    ['a channel that was switched off', (host) => fails(host, failing('ENODATA')), /can't be read: ENODATA/],
    ['a bus that is busy', (host) => fails(host, failing('EAGAIN')), /can't be read: EAGAIN/],
    ['a conversion that does not end', (host) => fails(host, failing('ETIMEDOUT')), /can't be read: ETIMEDOUT/],
    ['a meter that was unplugged', (host) => fails(host, failing('EIO')), /can't be read: EIO/],
    ['a file that is gone', () => unlinkSync(join(root, 'hwmon2/curr1_input')), /can't be read: ENOENT/],
    [
      'a voltage that is none',
      () => set('hwmon2/in1_input', 'nan\x1b[2J'),
      /gives "nan\\u001b\[2J", which is not a number/,
    ],
    ['a current that is none', () => set('hwmon2/curr1_input', '0x870'), /gives "0x870", which is not a number/],
    ['an empty file', () => writeFileSync(join(root, 'hwmon2/in1_input'), ''), /gives "", which is not a number/],
    ['two numbers', () => set('hwmon2/in1_input', '19000 19000'), /gives "19000 19000"/],
    ['a number without an end', () => set('hwmon2/curr1_input', '9'.repeat(500)), /gives "9{40}…"/],
  ])('has a gap at %s, and goes on', async (_, spoil, reported) => {
    orin();
    const { collected } = await measured(name('ina3221/VDD_IN'), async (host, all) => {
      await sleep(host.clock, 500);
      spoil(host);
      await all.until(({ events }) => events.length > 0);
      Reflect.deleteProperty(host, 'readFile');
      set('hwmon2/in1_input', 19_000);
      set('hwmon2/curr1_input', 2160);
      await sleep(host.clock, 500);
    });
    expect(collected.lostWith).toEqual([]);
    expect(collected.events[0]?.detail).toMatch(/^The meter gave no reading: the sensor ina3221\/in1 /);
    expect(collected.events[0]?.detail).toMatch(reported);
    expect(collected.samples.every(({ powerW }) => powerW === 41.04)).toBe(true);
    expect(collected.samples.length).toBeGreaterThan(8);
  });

  function fails(host: VirtualHost, error: Error): void {
    host.readFile = () => Promise.reject(error);
  }

  it('shows a current that flows back as it is', async () => {
    chip(3, '1-1.2:1.0', { name: 'powerz', in0_input: 20_000, curr1_input: -2000 });
    const { collected } = await measured(name('powerz/in0'), ({ clock }) => sleep(clock, 500));
    expect(collected.samples.every(({ powerW }) => powerW === -40)).toBe(true);
  });

  it('is refused where it is switched off, and left so', async () => {
    orin();
    const error = await rejection(openMeters([name('ina3221/VDD_SOC')]));
    expect([error.message, error.advice]).toEqual([
      'The channel ina3221/VDD_SOC is switched off.',
      `If it is connected, switch it on: echo 1 | sudo tee ${join(root, 'hwmon2/in3_enable')}`,
    ]);
  });

  it('is told from others of the same label or number', async () => {
    orin();
    chip(3, '1-0041', { ...ORIN, in2_label: 'VDD_IN', in1_label: 'NC' });
    const number = await rejection(openMeters([name('ina3221/in1')]));
    expect(number.advice).toBe('Say on which device, as in ?device=1-0040. There are 1-0040 and 1-0041.');
    const label = await rejection(openMeters([name('ina3221/VDD_IN')]));
    expect([label.message, label.advice]).toEqual([
      'This machine has 2 sensors ina3221/VDD_IN.',
      'Say which one: there are hwmon:ina3221/in1?device=1-0040 and hwmon:ina3221/in2?device=1-0041.',
    ]);
    const { meters } = await openMeters([name('ina3221/VDD_IN', '&device=1-0041')]);
    expect(meters[0]?.info.address).toBe('ina3221/in2');
    await meters[0]?.stop();
  });

  it('is never a resistor’s voltage, a voltage alone, or a sum of rails', async () => {
    const { curr2_input: _, ...others } = ORIN;
    chip(2, '1-0040', others);
    for (const other of ['in2', 'in4', 'in7', 'curr4', 'sum of shunt voltages']) {
      const error = await rejection(openMeters([name(`ina3221/${other}`)]));
      expect([error.message, error.advice]).toEqual([
        `This machine has no sensor ina3221/${other}.`,
        'There are hwmon:ina3221/in1 and hwmon:ina3221/in3.',
      ]);
    }
    const all = await rejection(openMeters(['hwmon:ina3221']));
    expect(all.advice).toMatch(
      /No rails are added: which of them are the board’s whole input, the kernel does not tell\.$/,
    );
  });
});
