// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { battery } from '../../../src/meters/battery/battery.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { rejection } from '../collect.ts';
import { World } from '../network/runs.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-battery-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

type Files = Readonly<Record<string, string | number>>;

/** A power supply as the kernel shows it. */
function supply(name: string, files: Files): void {
  mkdirSync(join(root, name), { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(root, name, file), `${content}\n`);
}
const BAT0: Files = {
  type: 'Battery',
  present: 1,
  status: 'Discharging',
  model_name: 'DELL 5B',
  power_now: 40_000_000,
  energy_now: 48_000_000,
};
const name = (text = 'battery') => `${text}?root=${encodeURIComponent(root)}`;

/** The meter's info and what it tells first. */
async function opened(text?: string) {
  const world = new World();
  return world.run(async () => {
    const meter = await world.open(name(text));
    await meter.start(world.collected);
    await world.collected.until(({ samples }) => samples.length > 0);
    await meter.stop();
    return { info: meter.info, watts: world.collected.samples[0]!.powerW };
  });
}

describe('battery', () => {
  it('meters the whole machine, once in five seconds', async () => {
    supply('BAT0', BAT0);
    supply('AC', { type: 'Mains', online: 0 });
    supply('hidpp_battery_0', { type: 'Battery', scope: 'Device', status: 'Discharging', power_now: 9 });
    const { info, watts } = await opened();
    expect(info).toMatchObject({
      type: 'battery',
      source: 'emulated',
      identity: { BAT0: 'DELL 5B' },
      minimumGuardS: 10,
      channels: [{ channel: 'battery', part: 'machine', integration: 'guard', samplingPeriodS: 5 }],
    });
    expect(watts).toBe(40);
  });

  it('adds two batteries, from current and voltage too, whatever their sign', async () => {
    supply('BAT0', { ...BAT0, power_now: -30_000_000 });
    supply('BAT1', { type: 'Battery', status: 'Not charging', current_now: -500_000, voltage_now: 12_000_000 });
    expect((await opened()).watts).toBeCloseTo(36, 9);
    const { info, watts } = await opened('battery:BAT0');
    expect(watts).toBe(30);
    expect(info.channels[0]).not.toHaveProperty('part'); // the other one feeds the machine too
  });

  it.each<[string, () => void, string]>([
    [
      'it is charged',
      () => supply('BAT0', { status: 'Charging' }),
      'the battery does not discharge, its state is Charging',
    ],
    ['it is full', () => supply('BAT0', { status: 'Full' }), 'the battery does not discharge, its state is Full'],
    ['a charger helps it', () => supply('ADP1', { type: 'Mains', online: 1 }), 'the charger ADP1 is connected'],
    ['a programmable one helps it', () => supply('ucsi', { type: 'USB', online: 2 }), 'the charger ucsi is connected'],
    ['it tells nonsense', () => supply('BAT0', { power_now: 'x\x1b[31m' }), 'the battery BAT0 reports no power'],
    ['it tells too much', () => supply('BAT0', { power_now: 9e12 }), 'the battery BAT0 reports no power'],
  ])('refuses where %s', async (_, change, why) => {
    supply('BAT0', BAT0);
    change();
    const error = await rejection(openMeters([name()]));
    expect([error.name, error.message]).toEqual(['MeasureError', `The battery can't meter this machine: ${why}.`]);
    expect(error.advice).toMatch(/^Unplug the charger\./);
  });

  it.each([
    ['a phone at a USB-C port', { type: 'USB', online: 1, scope: 'Device', status: 'Discharging' }],
    ['the charger of a pen', { type: 'Mains', online: 1, scope: 'Device' }],
  ])('is no charger: %s', async (_, files) => {
    supply('BAT0', BAT0);
    supply('ADP1', { type: 'Mains', online: 0 });
    supply('other', files);
    const { meters } = await openMeters([name()]);
    await meters[0]?.stop();
    expect(meters[0]?.info.type).toBe('battery');
  });

  it('is lost when the charger is plugged in', async () => {
    supply('BAT0', BAT0);
    const world = new World();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(name());
      await meter.start(collected);
      await world.wait(20_000);
      supply('AC', { type: 'Mains', online: 1 });
      await collected.until(({ lostWith }) => lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.lostWith[0]?.message).toBe('The meter has given no reading for 5 s: the charger AC is connected.');
    expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);
  });

  it('is found where there is one that the machine runs on', () => {
    expect(battery.found?.(root)).toEqual([]);
    supply('hidpp_battery_0', { type: 'Battery', scope: 'Device' });
    expect(battery.found?.(root)).toEqual([]);
    supply('BAT0', BAT0);
    expect(battery.found?.(root)).toEqual(['battery']);
  });

  it('says so where there is none, or not that one', async () => {
    expect((await rejection(openMeters([name()]))).message).toBe('This machine has no battery that it runs on.');
    supply('BAT0', BAT0);
    const error = await rejection(openMeters([name('battery:BAT7')]));
    expect([error.message, error.advice]).toEqual([
      'This machine has no battery BAT7 that it runs on.',
      'There is BAT0.',
    ]);
    expect((await rejection(openMeters(['battery:../../etc']))).message).toBe(
      'The meter "battery:../../etc" does not name a battery.',
    );
  });
});
