// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { GENERAL_ADDRESS as OWN } from '../../../src/meters/pzem-004t/identify.ts';
import { rejection } from '../collect.ts';
import { hearsItself, isLostWhenUnplugged, measuresTheTruth, refuses, survivesFaults } from '../modbus/driver.ts';
import { expectOnlyReads } from '../modbus/only-reads.ts';
import { onRealPort, onVirtualPort, type Place } from '../place.ts';
import { sideBySide } from '../side-by-side.ts';

async function isIdentified({ port, truth, collected, open }: Place): Promise<void> {
  const meter = await open('?period=0.25');
  expect(meter.info).toMatchObject({
    type: 'pzem-004t',
    address: port,
    source: 'emulated',
    identity: { unit: OWN, registers: 10, frequencyHz: 50 },
    accuracy: { gainPercent: 0.5, offsetW: 0.4 },
    minimumGuardS: 3,
    channels: [{ channel: 'wall', integration: 'guard', samplingPeriodS: 0.25, clock: 'host' }],
    remarks: ['These watts come from an emulated meter; they were not measured.'],
  });
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length >= 4);
  expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);
  expectOnlyReads(truth().received, [OWN]);
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
  expect((await rejection(meter.start(collected))).message).toBe('A meter can be started only once; open it again.');
  await open();
}

async function hasNoAlarmRegister({ truth, collected, open }: Place): Promise<void> {
  const meter = await open();
  expect(meter.info).toMatchObject({ identity: { registers: 9 }, source: 'measured' });
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length >= 2);
  expectOnlyReads(truth().received, [OWN]);
}

async function isOneOfSeveral({ port, truth, open }: Place): Promise<void> {
  const error = await rejection(open('?unit=8'));
  expect(error.message).toBe(
    `There is no PZEM-004T on ${port}: expected a Modbus reply, but nothing came within 0.9 s.`,
  );
  expect((await open('?unit=7')).info.identity).toMatchObject({ unit: 7 });
  expectOnlyReads(truth().received, [7, 8]);
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

const units = (work: (place: Place, units: readonly number[]) => Promise<void>) => (place: Place) => work(place, [OWN]);
const pzem = (work: (place: Place) => Promise<void>, ...args: string[]) => onVirtualPort('pzem-004t', args, work);

describe('pzem-004t', () => {
  const cases = {
    'measures the true energy of a load': pzem(units(measuresTheTruth), '--noise', '0.4', '--phase', '0.61'),
    'asks again, tells gaps, and is lost in the end': pzem(units(survivesFaults)),
    'is identified': pzem(isIdentified),
    'on an adapter that hears itself': pzem(units(hearsItself), '--echo'),
    'stops cleanly while it is starting': pzem(stopsWhileStarting),
    'of an older firmware without alarm register': pzem(hasNoAlarmRegister, '--without-alarm'),
    'that is one of several on a bus': pzem(isOneOfSeveral, '--unit', '7'),
    'where nothing answers': pzem(refuses('pzem-004t', /nothing came within 0\.9 s\.$/, OWN), '--play', 'silent'),
    'where only its echo comes back': pzem(
      refuses('pzem-004t', /it answered "\\xf8\\x04\\x00\\x00\\x00\\x0add\\xf8/, OWN),
      '--play',
      'echo',
    ),
    'where a Watts Up? is': onVirtualPort('watts-up-pro', [], refuses('pzem-004t', /nothing came within/, OWN)),
    'where an SDM120 is': onVirtualPort('sdm120', [], refuses('pzem-004t', /nothing came within/, OWN)),
  };
  it.each(Object.entries(cases))('%s', (_, test) => test());
});

describe('pzem-004t on a pseudo-terminal', () => {
  sideBySide({
    'ignores noise, and is lost once when it is unplugged': onRealPort('pzem-004t', [], isLostWhenUnplugged),
    'on a port that another process has': onRealPort('pzem-004t', [], isInUse),
  });
});
