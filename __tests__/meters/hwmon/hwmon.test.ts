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
  ])('refuses the name %s', async (text, told, advice) => {
    const error = await rejection(openMeters([text]));
    expect(error.message).toBe(told);
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
