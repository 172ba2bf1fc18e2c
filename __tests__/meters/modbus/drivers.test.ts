import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import type { Sample } from '../../../src/meters/meter.ts';
import { rejection } from '../collect.ts';
import { onRealPort, onVirtualPort, type Place } from '../place.ts';
import { sideBySide } from '../side-by-side.ts';
import { expectOnlyReads } from './only-reads.ts';

const general = 0xf8;

/** Joules of a window by the rule of guard blocks, 3 s on both sides; idle from the samples that are further away. */
function guardEnergyJ(samples: readonly Sample[], startNs: bigint, endNs: bigint): number {
  const inside = ({ tNs }: Sample) => tNs > startNs - 3_000_000_000n && tNs <= endNs + 3_500_000_000n;
  const mean = (some: readonly Sample[]) => {
    const seconds = some.reduce((sum, { durationS }) => sum + durationS, 0);
    return some.reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0) / seconds;
  };
  const idleW = mean(samples.filter((sample) => !inside(sample)));
  const aboveJ = samples.filter(inside).reduce((sum, { powerW, durationS }) => sum + (powerW - idleW) * durationS, 0);
  return aboveJ + (idleW * Number(endNs - startNs)) / 1e9;
}

async function measuresTheTruth(
  { steer, truth, collected, open, wait }: Place,
  units: readonly number[],
): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  await wait(4000);
  steer('on');
  await wait(8000);
  steer('off');
  await wait(4500);
  await meter.stop();
  await meter.stop();

  const { windows, late, received } = truth();
  expect(late).toBe(0);
  const [window] = windows;
  if (!window) throw new Error('there was no load');
  const { samples } = collected;
  // An edge is seen up to a sixth of a second late: of 25 W that is 0.8 % of these 8 s, beside what a busy host adds.
  expect(Math.abs(guardEnergyJ(samples, window.startNs, window.endNs) / window.energyJ - 1)).toBeLessThan(0.015);
  expect(collected.events.filter(({ kind }) => kind === 'gap')).toEqual([]);
  for (const [index, { tNs, durationS }] of samples.entries()) {
    const before = samples[index - 1];
    if (before) expect(durationS).toBeCloseTo(Number(tNs - before.tNs) / 1e9, 6);
  }
  expect(samples.length).toBeGreaterThan(28);
  expect(expectOnlyReads(received, units)).toBeGreaterThan(80);
}

async function pzemIsIdentified({ port, truth, collected, open }: Place): Promise<void> {
  const meter = await open('?period=0.25');
  expect(meter.info).toMatchObject({
    type: 'pzem-004t',
    address: port,
    source: 'emulated',
    identity: { unit: general, registers: 10, frequencyHz: 50 },
    accuracy: { gainPercent: 0.5, offsetW: 0.4 },
    minimumGuardS: 3,
    channels: [{ channel: 'wall', integration: 'guard', samplingPeriodS: 0.25, clock: 'host' }],
    remarks: ['These watts come from an emulator of a meter, they were not measured.'],
  });
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length >= 4);
  expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);
  expectOnlyReads(truth().received, [general]);
}

async function sdmIsIdentified({ port, truth, collected, open }: Place): Promise<void> {
  const meter = await open('?unit=12&baud=9600&parity=even');
  expect(meter.info).toMatchObject({
    type: 'sdm120',
    address: port,
    source: 'emulated',
    identity: { unit: 12, baudRate: 9600, voltageV: 230, frequencyHz: 50 },
    accuracy: { gainPercent: 1, offsetW: 0 },
    minimumGuardS: 4,
    channels: [{ channel: 'wall', integration: 'guard', samplingPeriodS: 0.5, clock: 'host' }],
  });
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length >= 3);
  expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);
  expectOnlyReads(truth().received, [12]);
}

/** What goes wrong once is asked again, and noted; what lasts is a gap, and in the end a lost meter. */
async function survivesFaults({ steer, truth, collected, open }: Place, units: readonly number[]): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  const faults = [
    ['corrupt 1', /^A question was repeated: it answered "\\x/],
    ['refuse 4', /^A question was repeated: it refused with Modbus error 4 \(it failed\)\.$/],
    ['drop 1', /^A question was repeated: nothing came within 0\.[34] s\.$/],
  ] as const;
  for (const [fault, told] of faults) {
    steer(fault);
    await collected.until(({ events }) => events.some(({ kind, detail }) => kind === 'note' && told.test(detail)));
  }
  steer('silence');
  await collected.until(({ events }) => events.some(({ kind }) => kind === 'gap'));
  steer('resume');
  const before = collected.samples.length;
  await collected.until(({ samples }) => samples.length >= before + 3);
  expect(collected.lostWith).toEqual([]);
  expect(collected.samples.every(({ powerW, durationS }) => powerW === 40 && durationS < 1.25)).toBe(true);
  steer('silence');
  await collected.until(({ lostWith }) => lostWith.length > 0);
  expect(collected.lostWith[0]).toBeInstanceOf(MeasureError);
  expect(collected.lostWith[0]?.message).toMatch(
    /^The meter has given no reading for 5 s: nothing came within \d\.\d s\.$/,
  );
  await meter.stop();
  expectOnlyReads(truth().received, units);
}

async function isLostWhenUnplugged({ port, steer, collected, open, wait }: Place): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  steer('noise');
  await wait(1000);
  expect(collected.events.filter(({ kind }) => kind === 'gap')).toEqual([]);
  steer('unplug');
  await collected.until(({ lostWith }) => lostWith.length > 0);
  expect(collected.lostWith[0]?.message).toContain(`The serial port ${port} was unplugged or failed`);
  await meter.stop();
  await wait(300);
  expect(collected.lostWith).toHaveLength(1);
}

async function hearsItself({ collected, truth, open }: Place, units: readonly number[]): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length >= 3);
  expect(collected.events).toEqual([]);
  expectOnlyReads(truth().received, units);
}

async function stopsWhileStarting({ collected, open }: Place): Promise<void> {
  const meter = await open();
  const started = meter.start(collected).then(
    () => 'started',
    () => 'stopped',
  );
  await meter.stop();
  expect(await started).toBe('stopped');
  expect(collected.samples).toEqual([]);
  expect((await rejection(meter.start(collected))).message).toBe('A meter is started once; open it anew.');
  await open();
}

async function hasNoAlarmRegister({ truth, collected, open }: Place): Promise<void> {
  const meter = await open();
  expect(meter.info).toMatchObject({ identity: { registers: 9 }, source: 'measured' });
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length >= 2);
  expectOnlyReads(truth().received, [general]);
}

async function isOneOfSeveral({ port, truth, open }: Place): Promise<void> {
  const error = await rejection(open('?unit=8'));
  expect(error.message).toBe(
    `There is no PZEM-004T on ${port}: a Modbus reply was expected, nothing came within 0.9 s.`,
  );
  expect((await open('?unit=7')).info.identity).toMatchObject({ unit: 7 });
  expectOnlyReads(truth().received, [7, 8]);
}

async function countsBackwards({ port, open }: Place): Promise<void> {
  const error = await rejection(open());
  expect(error.message).toBe(`The SDM meter on ${port} counts -65.0 W: energy that flows back.`);
  expect(error.advice).toBe('Have its supply and its load side swapped.');
}

async function isInUse({ port, truth, open }: Place): Promise<void> {
  const other = spawn('flock', ['-n', port, 'sh', '-c', 'echo locked; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    await once(other.stdout, 'data');
    expect((await rejection(open())).message).toBe(
      `The serial port ${port} is in use by process ${other.pid} (flock).`,
    );
    expect(truth().received).toBe('');
  } finally {
    process.kill(-(other.pid as number));
    await once(other, 'close');
  }
  await open();
  expect((await rejection(open())).message).toContain(`is in use by process ${process.pid}`);
}

/** The driver of `driver` on the port of what is something else. */
function refuses(driver: string, what: RegExp, unit: number): (place: Place) => Promise<void> {
  return async ({ port, truth, open }) => {
    const error = await rejection(open('', driver));
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toContain(
      `There is no ${driver === 'sdm120' ? 'SDM120 or SDM230' : 'PZEM-004T'} on ${port}: `,
    );
    expect(error.message).toMatch(what);
    expect(error.message).not.toMatch(/[\x00-\x1f\x7f]/);
    expect(error.message.length).toBeLessThan(400);
    expect(error.advice).not.toBeNull();
    expect(expectOnlyReads(truth().received, [unit])).toBeLessThanOrEqual(6);
    // The port is free again.
    expect((await rejection(open('', driver))).message).toMatch(what);
  };
}

const units =
  (work: (place: Place, units: readonly number[]) => Promise<void>, ...own: number[]) =>
  (place: Place) =>
    work(place, own);
const pzem = (work: (place: Place) => Promise<void>, ...args: string[]) => onVirtualPort('pzem-004t', args, work);
const sdm = (work: (place: Place) => Promise<void>, ...args: string[]) => onVirtualPort('sdm120', args, work);

describe('the drivers of Modbus meters', () => {
  const cases = {
    'pzem-004t measures the true energy of a load': pzem(
      units(measuresTheTruth, general),
      '--noise',
      '0.4',
      '--phase',
      '0.61',
    ),
    'sdm120 measures the true energy of a load': sdm(units(measuresTheTruth, 1), '--noise', '0.4', '--phase', '0.2'),
    'pzem-004t asks again, tells gaps, and is lost in the end': pzem(units(survivesFaults, general)),
    'sdm120 asks again, tells gaps, and is lost in the end': sdm(units(survivesFaults, 1)),
    'pzem-004t is identified': pzem(pzemIsIdentified),
    'sdm120 is identified, with other settings': sdm(sdmIsIdentified, '--unit', '12'),
    'pzem-004t on an adapter that hears itself': pzem(units(hearsItself, general), '--echo'),
    'sdm120 on an adapter that hears itself': sdm(units(hearsItself, 1), '--echo'),
    'pzem-004t stops cleanly while it is starting': pzem(stopsWhileStarting),
    'pzem-004t of an older firmware without alarm register': pzem(hasNoAlarmRegister, '--without-alarm'),
    'pzem-004t that is one of several on a bus': pzem(isOneOfSeveral, '--unit', '7'),
    'sdm120 that is wired the wrong way round': sdm(countsBackwards, '--idle=-65'),
    'pzem-004t where nothing answers': pzem(
      refuses('pzem-004t', /nothing came within 0\.9 s\.$/, general),
      '--play',
      'silent',
    ),
    'sdm120 where nothing answers': sdm(refuses('sdm120', /nothing came within 1\.1 s\.$/, 1), '--play', 'silent'),
    'pzem-004t where only its echo comes back': pzem(
      refuses('pzem-004t', /it answered "\\xf8\\x04\\x00\\x00\\x00\\x0add\\xf8/, general),
      '--play',
      'echo',
    ),
    'sdm120 where something else talks': sdm(refuses('sdm120', /it answered "\$GPGGA,/, 1), '--play', 'chatter'),
    'pzem-004t where a Watts Up? is': onVirtualPort(
      'watts-up-pro',
      [],
      refuses('pzem-004t', /nothing came within/, general),
    ),
    'pzem-004t where an SDM120 is': sdm(refuses('pzem-004t', /nothing came within/, general)),
    'sdm120 where a PZEM-004T is': pzem(refuses('sdm120', /it answered with [\d.]+e-3\d V\.$/, 1)),
  };
  it.each(Object.entries(cases))('%s', (_, test) => test());
});

describe('the drivers of Modbus meters on a pseudo-terminal', () => {
  sideBySide({
    'pzem-004t ignores noise, and is lost once when it is unplugged': onRealPort('pzem-004t', [], isLostWhenUnplugged),
    'sdm120 ignores noise, and is lost once when it is unplugged': onRealPort('sdm120', [], isLostWhenUnplugged),
    'pzem-004t on a port that another process has': onRealPort('pzem-004t', [], isInUse),
  });
});
