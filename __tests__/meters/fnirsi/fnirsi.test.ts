// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { runEmulator } from '../../../src/meters/emulator/emulator.ts';
import { fnirsi } from '../../../src/meters/fnirsi/fnirsi.ts';
import { identityOf, openMeters } from '../../../src/meters/registry.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { FnirsiEmulator, hidrawTree, steady } from './emulator.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-fnirsi-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let trees = 0;
const tree = (devices: Parameters<typeof hidrawTree>[1]) => hidrawTree(join(folder, `${trees++}`), devices);

const DEVICE = '/dev/hidraw4';
const AT_ONCE_NS = 60_000_000n;
const named = (root: string, options = '') => `fnirsi:${DEVICE}?root=${encodeURIComponent(root)}${options}`;

/** A meter in the cable of a machine of 40 W. */
function plugged(id = '2E3C:5558', load: ConstructorParameters<typeof World>[0] = {}, patienceNs?: bigint) {
  const world = new World(load);
  const emulator = new FnirsiEmulator(world.settings, patienceNs);
  const far = world.host.wire(DEVICE);
  runEmulator(emulator, far, world.host.clock);
  return { world, emulator, far, name: named(tree({ hidraw4: { id } })) };
}

describe('fnirsi', () => {
  it.each([
    ['an FNB58, which goes on for a second and more', '2E3C:5558', undefined],
    ['an FNB48, which goes on for one report', '0483:003A', AT_ONCE_NS],
  ])('measures the true energy of 200 runs with %s', async (_, id, patienceNs) => {
    const { world, name } = plugged(id, { noiseW: 0.4 }, patienceNs);
    await measuresTheTruth(world, name, 0.005);
  });

  it('says what it is, and what it sees', async () => {
    const { world, name } = plugged();
    const { info } = await world.run(async () => {
      const meter = await world.open(`${name}&gain=0.5`);
      await meter.stop();
      return meter;
    });
    expect(info).toMatchObject({
      type: 'fnirsi',
      address: DEVICE,
      source: 'emulated',
      identity: { model: 'FNB58', serial: '0001A0000000' },
      accuracy: { gainPercent: 0.5, offsetW: 0 },
      minimumGuardS: 1,
      channels: [{ channel: 'usb-c', integration: 'guard', clock: 'host', samplingPeriodS: 0.2, edgeS: 0.2 }],
    });
    expect(info.channels[0]).not.toHaveProperty('part');
    expect(info.remarks[0]).toMatch(/^It sees the DC side, without the power supply\./);
  });

  it('sends nothing but what starts the stream and keeps it going, and empties the meter at the end', async () => {
    const { world, emulator, name } = plugged();
    await world.run(async () => {
      const meter = await world.open(name);
      await meter.start(world.collected);
      await world.wait(3000);
      const polls = emulator.received.length;
      await meter.stop();
      expect(emulator.received).toHaveLength(polls);
    });
    expect(emulator.received.slice(0, 3)).toEqual([0x81, 0x82, 0x82]);
    expect(new Set(emulator.received.slice(3))).toEqual(new Set([0x83]));
    // Everything that it had to say was taken.
    expect(emulator.dueNs()).toBeNull();
  });

  it('asks after every report where it is told to', async () => {
    const { world, emulator, name } = plugged('2E3C:5558', {}, AT_ONCE_NS);
    await world.run(async () => {
      const meter = await world.open(`${name}&poll=report`);
      await meter.start(world.collected);
      await world.collected.until(({ samples }) => samples.length >= 10);
      await meter.stop();
    });
    expect(world.collected.events).toEqual([]);
    expect(emulator.received.filter((code) => code === 0x83).length).toBeGreaterThan(40);
  });

  const turned = (report: Uint8Array) => report.map((byte, at) => (at === 30 ? byte ^ 1 : byte));
  it.each<[string, ((report: Uint8Array) => Uint8Array | null)[], 'gap' | 'note', RegExp]>([
    ['one wrong checksum', [turned], 'note', /^A report was dropped: it has a wrong checksum\.$/],
    ['wrong checksums', Array(10).fill(turned), 'gap', /a report of it has a wrong checksum\.$/],
    ['a short report', [(report) => report.subarray(0, 20)], 'note', /it has 20 bytes instead of 64\.$/],
    ['an empty report', [() => Buffer.alloc(64)], 'note', /it does not begin as one of this meter\.$/],
    ['impossible values', [() => steady(188.7, 170.4)], 'note', /it says 188\.7 V and 170\.4 A\.$/],
    ['a current that flows back', Array(10).fill(() => steady(20, -2)), 'gap', /2 A flow back: its input belongs to/],
    ['some lost reports', Array(3).fill(() => null), 'gap', /[23] of its reports did not come\.$/],
    [
      'every second one lost',
      [1, 2, 3, 4, 5].flatMap(() => [() => null, (report: Uint8Array) => report]),
      'gap',
      /[23] of its reports did not come\.$/,
    ],
    ['a silence of two seconds', Array(50).fill(() => null), 'gap', /no report came within 1\.5 s\.$/],
    ['garbage', [() => Buffer.from('\x1b[31mgarbage'.padEnd(64))], 'note', /it does not begin as one of this meter\.$/],
  ])('goes on after %s', async (_, faults, kind, reported) => {
    const { world, emulator, name } = plugged();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(name);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 3);
      emulator.faults.push(...faults);
      await collected.until(({ events, lostWith }) => events.length + lostWith.length > 0);
      while (emulator.faults.length > 0) await world.wait(100);
      const before = collected.samples.length;
      await collected.until(({ samples, lostWith }) => samples.length >= before + 3 || lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.lostWith).toEqual([]);
    expect(collected.events[0]?.kind).toBe(kind);
    expect(collected.events[0]?.detail).toMatch(reported);
    for (const { detail } of collected.events) expect(detail).not.toMatch(/[\x00-\x1f]/);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.001)).toBe(true);
  });

  it('takes what came while this process was busy for what it is', async () => {
    const { world, name } = plugged();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open(name);
      await meter.start(collected);
      await world.wait(1000);
      world.host.clock.block(300);
      await world.wait(1000);
      await meter.stop();
    });
    expect(collected.events).toEqual([]);
    expect(collected.energyJ('usb-c')).toBeCloseTo(40 * 2.4, -1);
  });

  it.each([39_000_000n, 41_000_000n])('misses nothing of a meter with a report every %s ns', async (periodNs) => {
    const world = new World();
    runEmulator(new FnirsiEmulator(world.settings, undefined, periodNs), world.host.wire(DEVICE), world.host.clock);
    await world.run(async () => {
      const meter = await world.open(named(tree({ hidraw4: { id: '2E3C:5558' } })));
      await meter.start(world.collected);
      await world.wait(60_000);
      await meter.stop();
    });
    expect(world.collected.events).toEqual([]);
    expect(world.collected.energyJ('usb-c')).toBeCloseTo(40 * 60, -2);
  });

  it('is lost when it is unplugged, or silent for long', async () => {
    for (const lose of ['unplug', 'silence'] as const) {
      const { world, emulator, far, name } = plugged();
      const { collected } = world;
      await world.run(async () => {
        const meter = await world.open(name);
        await meter.start(collected);
        if (lose === 'unplug') far.unplug();
        else emulator.faults.push(...Array.from({ length: 1000 }, () => () => null));
        await collected.until(({ lostWith }) => lostWith.length > 0);
        await world.wait(2000);
        await meter.stop();
      });
      expect(collected.lostWith).toHaveLength(1);
      expect(collected.lostWith[0]?.message).toMatch(
        lose === 'unplug' ? /was unplugged/ : /has given no reading for 5 s: no report came/,
      );
    }
  });

  it('is refused where it says nothing, or something else', async () => {
    const { world, far, emulator, name } = plugged();
    emulator.faults.push(...Array.from({ length: 100 }, () => () => null));
    const silent = await world.run(() => rejection(world.open(name)));
    expect(silent.message).toBe(`The meter ${DEVICE} gives no readings: no report came within 1.5 s.`);
    expect(silent.advice).toContain('?poll=report');
    emulator.faults.splice(0, 100, ...Array.from({ length: 100 }, () => () => steady(20, -1)));
    const reversed = await world.run(() => rejection(world.open(name)));
    expect(reversed.message).toMatch(/1 A flow back: its input belongs to the power supply\.$/);
    far.unplug();
  });

  it('is known by its serial number', async () => {
    const identities = await Promise.all(
      ['A', 'B'].map(async (serial) => {
        const { world } = plugged();
        const name = named(tree({ hidraw4: { id: '2E3C:5558', serial } }));
        const { info } = await world.run(() => world.open(name));
        return identityOf(info);
      }),
    );
    expect(identities[0]).not.toBe(identities[1]);
  });

  it('is chosen among the HID devices of this machine', async () => {
    const mouse = { id: '046D:C52B', name: 'Logitech\x1b[31m Mouse' };
    const one = tree({ hidraw0: mouse, hidraw4: { id: '2E3C:0049', serial: '' }, hidraw7: { id: 'garbage' } });
    expect(fnirsi.found?.(one)).toEqual([`fnirsi:${DEVICE}`]);
    expect(fnirsi.found?.(join(folder, 'nothing'))).toEqual([]);
    const { world } = plugged();
    const { info } = await world.run(() => world.open(`fnirsi?root=${encodeURIComponent(one)}`));
    expect(info).toMatchObject({ address: null, identity: { model: 'FNB48S' } });
    const other = await rejection(openMeters([`fnirsi:/dev/hidraw0?root=${encodeURIComponent(one)}`]));
    expect([other.message, other.advice]).toEqual([
      '/dev/hidraw0 is no FNIRSI meter: it says that it is "Logitech\\u001b[31m Mouse".',
      `There is ${DEVICE}.`,
    ]);
    const two = tree({ hidraw4: { id: '2E3C:0049' }, hidraw5: { id: '0483:003B' } });
    const which = await rejection(openMeters([`fnirsi?root=${encodeURIComponent(two)}`]));
    expect(which.advice).toBe('Say which one. There are /dev/hidraw4 and /dev/hidraw5.');
    const none = await rejection(openMeters([`fnirsi?root=${encodeURIComponent(join(folder, 'nothing'))}`]));
    expect(none.message).toBe('This machine has no FNIRSI meter.');
  });

  it.each([
    ['fnirsi:hidraw0', 'The meter "fnirsi:hidraw0" does not name a device.'],
    ['fnirsi?poll=never', 'The option poll=never in the meter name "fnirsi?poll=never" is not possible.'],
  ])('refuses the name %s', async (name, reported) => {
    expect((await rejection(openMeters([name]))).message).toBe(reported);
  });
});
