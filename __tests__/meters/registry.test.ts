// Class: system.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InputError, MeasureError } from '../../src/errors.ts';
import { chooseMeter } from '../../src/meters/auto.ts';
import type { Meter } from '../../src/meters/meter.ts';
import { identityOf, meterTypes, openMeters, validateMeterNames } from '../../src/meters/registry.ts';
import { SerialLine } from '../../src/meters/serial/line.ts';
import { type StartedEmulator, startEmulator } from '../emulators/start.ts';
import { Collected, rejection } from './collect.ts';
import { hex } from './hex.ts';
import { PowercapTree } from './rapl/powercap-tree.ts';
import { VirtualHost } from './virtual-host.ts';

describe('validateMeterNames', () => {
  it('accepts a meter that is not there: nothing is touched', () => {
    const names = validateMeterNames(['watts-up-pro:/dev/nowhere?baud=19200,rapl', 'estimate']);
    expect(names.map(({ type }) => type)).toEqual(['watts-up-pro', 'rapl', 'estimate']);
  });

  it.each([
    ['auto,rapl', 'auto chooses one meter and cannot be combined with others.'],
    ['auto:/dev/ttyUSB0', 'The meter type auto takes no address, but "auto:/dev/ttyUSB0" has "/dev/ttyUSB0".'],
    ['auto?period=1s', 'The meter type auto has no option "period" (in "auto?period=1s").'],
    ['estimat', 'Unknown meter type "estimat" in "estimat".'],
  ])('refuses %s', (text, message) => {
    expect(() => validateMeterNames([text])).toThrow(new InputError(message));
  });
});

describe('openMeters', () => {
  let tree: PowercapTree;
  let ports: string;
  const emulators: StartedEmulator[] = [];
  const opened: Meter[] = [];
  const environment = { ...process.env };

  beforeEach(() => {
    tree = new PowercapTree();
    ports = mkdtempSync(join(tmpdir(), 'joulediff-ports-'));
    process.env.JOULEDIFF_SERIAL_PORTS = ports;
    process.env.JOULEDIFF_POWERCAP_ROOT = tree.root;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((meter) => meter.stop()));
    await Promise.all(emulators.splice(0).map((one) => one.stop()));
    tree.remove();
    rmSync(ports, { recursive: true });
    process.env = { ...environment };
  });

  async function plug(name: string, ...args: string[]): Promise<StartedEmulator> {
    const emulator = await startEmulator('watts-up-pro', ...args);
    emulators.push(emulator);
    symlinkSync(emulator.port, join(ports, name));
    return emulator;
  }

  async function open(...names: string[]) {
    const result = await openMeters(names);
    opened.push(...result.meters);
    return { ...result, types: result.meters.map(({ info }) => info.type) };
  }

  it('opens several on one clock, with channels that are unique', async () => {
    const [a, b] = await Promise.all([plug('a'), plug('b')]);
    tree.zone('intel-rapl:0', 'package-0');
    const { meters } = await open(`watts-up-pro:${a.port}`, `watts-up-pro:${b.port},rapl?period=1s`);
    expect(meters.map(({ info }) => info.channels.map(({ channel }) => channel))).toEqual([
      ['wall'],
      ['wall-2'],
      ['rapl'],
    ]);
    const collected = new Collected();
    await Promise.all(meters.map((meter) => meter.start(collected)));
    await collected.until(({ samples }) =>
      ['wall', 'wall-2', 'rapl'].every((one) => samples.some(({ channel }) => channel === one)),
    );
  });

  it('never replaces a meter that was named', async () => {
    const error = await rejection(openMeters(['rapl']));
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toContain('RAPL is not available');
  });

  it('auto takes the serial meter that answers, past a port with something else on it', async () => {
    const host = new VirtualHost();
    const other = host.plug('/dev/usb-a', 'watts-up-pro', '--play', 'chatter');
    const meter = host.plug('/dev/usb-b', 'watts-up-pro');
    const ports = ['/dev/usb-a', '/dev/usb-b'].map((path) => ({ path, device: path }));
    const { meter: taken, sentence } = await host.clock.run(chooseMeter(meterTypes, host, ports));
    opened.push(taken);
    expect(taken.info.type).toBe('watts-up-pro');
    expect(sentence).toBe('The meter is watts-up-pro: an emulated Watts Up? PRO answers on /dev/usb-b.');
    const pzem = 'f8 04 00 00 00 0a 64 64';
    const sdm = '01 04 00 00 00 02 71 cb';
    expect(other.truth().received).toBe(
      ['#V,R,0;', '#V,R,0;', ...[pzem, pzem, sdm, sdm].map((bytes) => Buffer.from(hex(bytes)).toString('latin1'))].join(
        '',
      ),
    );
    expect(meter.truth().received).toBe('#V,R,0;\x18#V,R,0;#C,R,0;');
  });

  it('auto takes a serial meter rather than RAPL', async () => {
    const meter = await plug('usb-b');
    tree.zone('intel-rapl:0', 'package-0');
    const { types, chosen } = await open('auto');
    expect(types).toEqual(['watts-up-pro']);
    expect(chosen).toBe(`The meter is watts-up-pro: an emulated Watts Up? PRO answers on ${join(ports, 'usb-b')}.`);
    expect(meter.truth().received).toBe('#V,R,0;\x18#V,R,0;#C,R,0;');
  });

  it('auto leaves a port alone that another uses, and then takes RAPL', async () => {
    const used = await plug('usb-a');
    const line = await SerialLine.open(used.port, { baudRate: 115_200 });
    tree.zone('intel-rapl:0', 'package-0');
    const { types, chosen } = await open('auto');
    await line.close();
    expect(types).toEqual(['rapl']);
    expect(chosen).toContain(
      `The meter is rapl: The serial port ${join(ports, 'usb-a')} is in use by process ${process.pid}`,
    );
    expect(used.truth().received).toBe('');
  });

  it('auto takes the model last, and says that it is one', async () => {
    mkdirSync(join(tree.root, 'intel-rapl'));
    const { types, chosen } = await open('auto');
    expect(types).toEqual(['estimate']);
    expect(chosen).toBe(
      'No power meter was found, so energy is estimated from processor use. joulediff meter list shows where it looked.',
    );
  });
});

const SOURCE = 'measured';

it.each([
  ['sdm120', { unit: 1, voltageV: 230.1, frequencyHz: 50 }, { frequencyHz: 49.9, voltageV: 228.7, unit: 1 }],
  ['pzem-004t', { unit: 1, voltageV: 230.1, frequencyHz: 50 }, { unit: 1, voltageV: 228.7, frequencyHz: 50.1 }],
  ['mcp39f511', { chip: 'a', lineFrequencyHz: 49.98 }, { chip: 'a', lineFrequencyHz: 50.01 }],
  ['mcp39f511n', { chip: 'a', lineFrequencyHz: 49.98 }, { chip: 'a', lineFrequencyHz: 50.01 }],
])('knows a meter of the type %s again, whatever its mains are', (type, identity, later) => {
  expect(identityOf({ type, source: SOURCE, identity: later })).toBe(identityOf({ type, source: SOURCE, identity }));
});

it.each([
  ['another unit', { type: 'sdm120', source: SOURCE, identity: { unit: 2 } }],
  ['another type', { type: 'pzem-004t', source: SOURCE, identity: { unit: 1 } }],
  ['an emulator', { type: 'sdm120', source: 'emulated', identity: { unit: 1 } }],
] as const)('tells %s apart', (_, other) => {
  expect(identityOf(other)).not.toBe(identityOf({ type: 'sdm120', source: SOURCE, identity: { unit: 1 } }));
});

it('takes all that a meter of no known type says for lasting', () => {
  const of = (voltageV: number) => identityOf({ type: 'other', source: SOURCE, identity: { voltageV } });
  expect(of(1)).not.toBe(of(2));
});
