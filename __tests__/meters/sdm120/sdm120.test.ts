// Class: system.
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_UNIT as OWN } from '../../../src/meters/sdm120/identify.ts';
import { rejection } from '../collect.ts';
import { hearsItself, isLostWhenUnplugged, measuresTheTruth, refuses, survivesFaults } from '../modbus/driver.ts';
import { expectOnlyReads } from '../modbus/only-reads.ts';
import { onRealPort, onVirtualPort, type Place } from '../place.ts';
import { sideBySide } from '../side-by-side.ts';

async function isIdentified({ port, truth, collected, open }: Place): Promise<void> {
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

async function countsBackwards({ port, open }: Place): Promise<void> {
  const error = await rejection(open());
  expect(error.message).toBe(`The SDM meter on ${port} counts -65.0 W: energy that flows back.`);
  expect(error.advice).toBe('Its supply and load sides are swapped; have them rewired.');
}

const units = (work: (place: Place, units: readonly number[]) => Promise<void>) => (place: Place) => work(place, [OWN]);
const sdm = (work: (place: Place) => Promise<void>, ...args: string[]) => onVirtualPort('sdm120', args, work);

describe('sdm120', () => {
  const cases = {
    'measures the true energy of a load': sdm(units(measuresTheTruth), '--noise', '0.4', '--phase', '0.2'),
    'asks again, tells gaps, and is lost in the end': sdm(units(survivesFaults)),
    'is identified, with other settings': sdm(isIdentified, '--unit', '12'),
    'on an adapter that hears itself': sdm(units(hearsItself), '--echo'),
    'that is wired the wrong way round': sdm(countsBackwards, '--idle=-65'),
    'where nothing answers': sdm(refuses('sdm120', /nothing came within 1\.1 s\.$/, OWN), '--play', 'silent'),
    'where something else talks': sdm(refuses('sdm120', /it answered "\$GPGGA,/, OWN), '--play', 'chatter'),
    'where a PZEM-004T is': onVirtualPort('pzem-004t', [], refuses('sdm120', /it answered with [\d.]+e-3\d V\.$/, OWN)),
  };
  it.each(Object.entries(cases))('%s', (_, test) => test());
});

describe('sdm120 on a pseudo-terminal', () => {
  sideBySide({
    'ignores noise, and is lost once when it is unplugged': onRealPort('sdm120', [], isLostWhenUnplugged),
  });
});
