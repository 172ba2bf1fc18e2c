// Class: system.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { MeterEvent } from '../../src/contracts/reading.ts';
import { MeasureError } from '../../src/errors.ts';
import { MeterSet, stayedAway } from '../../src/measure/meter-set.ts';
import { startEmulator } from '../emulators/start.ts';
import { eventually } from '../executors/bench.ts';

let base: string;
let roots: [string, string];
let sampled: Set<string>;
let lost: number;
let concerned: string[];
const sink = {
  sample: (channel: string) => void sampled.add(channel),
  event: ({ channels }: MeterEvent) => void concerned.push(...(channels ?? ['all'])),
  lost: () => void lost++,
};
const open = () =>
  MeterSet.open([`rapl?root=${roots[0]}&period=0.02`, `hwmon:board/energy1?root=${roots[1]}&period=0.02`]);
const vanish = (root: string) => renameSync(root, `${root}-away`);
const comeBack = (root: string) => renameSync(`${root}-away`, root);

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-meters-'));
  const file = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  for (const [name, text] of Object.entries({
    name: 'package-0',
    max_energy_range_uj: '65532610987',
    energy_uj: '7',
  })) {
    file(`powercap/intel-rapl:0/${name}`, text);
  }
  for (const [name, text] of Object.entries({ name: 'board', energy1_input: '7' })) file(`hwmon/hwmon0/${name}`, text);
  roots = [join(base, 'powercap'), join(base, 'hwmon')];
  sampled = new Set();
  lost = 0;
  concerned = [];
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it('goes on with all meters that went away together', async () => {
  await using meters = await open();
  await meters.start(sink);
  for (const root of roots) vanish(root);
  await eventually(() => lost === 2);
  expect(meters.lostSignal.aborted).toBe(true);
  for (const root of roots) comeBack(root);
  sampled.clear();
  await meters.recover(new AbortController().signal);
  expect(meters.lostSignal.aborted).toBe(false);
  await eventually(() => sampled.size === 2);
  expect([...sampled].toSorted()).toEqual(['board', 'rapl']);
});

it('names the meter that stayed away, not the one that went with it', async () => {
  await using meters = await open();
  await meters.start(sink);
  for (const root of roots) vanish(root);
  await eventually(() => lost === 2);
  comeBack(roots[0]);
  await expect(meters.recover(new AbortController().signal, 0.5)).rejects.toThrow(/^The meter was lost: .*hwmon/);
});

it('says which channels a gap concerns: those of its meter', async () => {
  await using meters = await open();
  await meters.start(sink);
  await eventually(() => sampled.size === 2);
  writeFileSync(join(roots[1], 'hwmon0', 'energy1_input'), '3');
  await eventually(() => concerned.length > 0);
  expect(concerned).toEqual(['board']);
});

it('charges a gap of a second meter to its own channel where both call it the same', async () => {
  const named = (root: string) => `rapl?root=${root}&period=0.02`;
  const second = join(base, 'second');
  cpSync(roots[0], second, { recursive: true });
  await using meters = await MeterSet.open([named(roots[0]), named(second)]);
  await meters.start(sink);
  await eventually(() => sampled.size === 2);
  writeFileSync(join(second, 'intel-rapl:0', 'energy_uj'), '3');
  await eventually(() => concerned.length > 0);
  expect(concerned).toEqual(['rapl-2']);
});

it('waits for a meter that goes between its opening and its start', async () => {
  await using meters = await open();
  vanish(roots[0]);
  await meters.start(sink);
  expect(meters.lostSignal.reason).toBeInstanceOf(MeasureError);
  expect(meters.lostSignal.reason.message).toMatch(/^The meter rapl can't be read any more: ENOENT/);
  comeBack(roots[0]);
  await meters.recover(new AbortController().signal);
  await eventually(() => sampled.size === 2);
  expect(meters.lostSignal.aborted).toBe(false);
});

it('goes on with a serial meter that comes back as another port, by the name that stays the same', async () => {
  const [first, second] = await Promise.all([startEmulator('pzem-004t'), startEmulator('pzem-004t')]);
  const link = join(base, 'usb-meter');
  const [before, after] = [realpathSync(first.port), realpathSync(second.port)];
  symlinkSync(before, link);
  process.env.JOULEDIFF_SERIAL_PORTS = base;
  try {
    await using meters = await MeterSet.open([`pzem-004t:${before}?period=1s`]);
    await meters.start(sink);
    await eventually(() => sampled.size === 1);
    first.steer('unplug');
    await eventually(() => lost === 1);
    rmSync(link);
    symlinkSync(after, link);
    sampled.clear();
    await meters.recover(new AbortController().signal);
    expect(meters.lostSignal.aborted).toBe(false);
    await eventually(() => sampled.size === 1);
    expect(meters.names).toEqual([`pzem-004t:${before}?period=1s`]);
  } finally {
    delete process.env.JOULEDIFF_SERIAL_PORTS;
    await Promise.all([first.stop(), second.stop()]);
  }
});

it.each([
  ['pzem-004t:/dev/ttyUSB0', /^Look at its cable\. A port that is plugged in again may get another number: /],
  ['shelly:192.168.1.50?id=0', /^Look at its cable\. It may have got another address: /],
  ['http-json:http://192.168.1.50:8080/power?unit=W', /It may have got another address: /],
  ['shelly:plug.lan', /^Look at its cable\.$/],
  ['pzem-004t:/dev/serial/by-id/usb-1', /^Look at its cable\.$/],
  ['pzem-004t:/dev/serial/by-path/usb-0:1', /^Look at its cable\. It is looked for in the USB socket that it was in: /],
])('says what may have become of %s when it does not come back', (name, advice) => {
  const loss = new MeasureError('The meter was lost.', { advice: 'Look at its cable.' });
  expect(stayedAway(loss, name)).toMatchObject({
    message: 'The meter was lost.',
    advice: expect.stringMatching(advice),
  });
});
