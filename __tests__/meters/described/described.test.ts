// Class: world.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { computeChecksum } from '../../../src/meters/described/checksums.ts';
import type { Described } from '../../../src/meters/described/description.ts';
import { readDescription } from '../../../src/meters/described/description.ts';
import { emulateDescribed } from '../../../src/meters/described/emulator.ts';
import { powerOf } from '../../../src/meters/described/reading.ts';
import { runEmulator } from '../../../src/meters/emulator/emulator.ts';
import type { DeviceAnswer, EmulatedDevice } from '../../../src/meters/emulator/http-device.ts';
import type { Parsed } from '../../../src/meters/modbus/answer.ts';
import { PzemEmulator } from '../../../src/meters/pzem-004t/emulator.ts';
import { readPower as readPzem } from '../../../src/meters/pzem-004t/registers.ts';
import { emulatedDevices } from '../../../src/meters/registry.ts';
import { Sdm120Emulator } from '../../../src/meters/sdm120/emulator.ts';
import { readPower as readSdm } from '../../../src/meters/sdm120/registers.ts';
import { createPrng } from '../../../src/stats/prng.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth, survivesFaults } from '../network/driver.ts';
import { Network, World } from '../network/runs.ts';

const PORT = '/dev/virtual';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-described-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A description file with these lines. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const example = (name: string): string => `examples/meters/${name}.yml`;

/** A world with an emulated meter of this description on its port. */
function plugged(path: string, given: ConstructorParameters<typeof World>[0] = {}): World {
  const world = new World(given);
  const emulated = emulateDescribed(readDescription(path).description, world.settings);
  if ('answer' in emulated) world.host.serve('described.lan', emulated);
  else runEmulator(emulated, world.host.wire(PORT), world.host.clock);
  return world;
}

const LINE = `name: Lines\nserial: { baud: 115200 }\nline: { separator: ',', starts: '#d,' }\npower: { at: 2, scale: 0.1, unit: W }\npart: machine\n`;
const ASKED = `name: Asked\nserial: { baud: 9600 }\nrequest: { text: "P?\\r\\n" }\nline: { separator: ' ' }\npower: { at: 0, unit: kW }\nrenewed: 500ms\nperiod: 500ms\npart: machine\n`;
const RECORD =
  'name: Records\nserial: { baud: 115200 }\nrequest: { hex: f0 }\nrecord: { starts: a5 5a, length: 12, checksum: { type: crc16-modbus } }\npower: { at: 4, type: uint24, order: low-first, unit: mW }\nchecks: { voltage: { at: 2, type: int16, scale: 0.1, between: [200, 250] } }\nrenewed: 500ms\nperiod: 500ms\npart: machine\n';
const JSON_LINES =
  'name: Documents\nserial: { baud: 115200 }\njson: {}\npower: { at: /emeter/0/power, unit: mW }\npart: machine\n';
const SEMICOLONS = LINE.replace("separator: ',', starts: '#d,'", "separator: ';', starts: '#d;'");
/** A record of 47.3 W at this voltage, in tenths of a volt. */
function record(tenths: number): Uint8Array {
  const bytes = Buffer.from('a55a0000c4b800000000', 'hex');
  bytes.writeInt16BE(tenths, 2);
  return Buffer.concat([bytes, computeChecksum('crc16-modbus', bytes)]);
}

const KINDS: Readonly<Record<string, string>> = { LINE, ASKED, RECORD, JSON_LINES };

describe('a described meter', () => {
  it.each(Object.keys(KINDS))('measures the true energy of 200 runs: %s', async (kind) => {
    const path = file(`${kind}.yml`, KINDS[kind]!);
    await measuresTheTruth(plugged(path, { noiseW: 0.4 }), `file:${path}?at=${PORT}`, 0.004, { restS: 20 });
  });

  it.each(['pzem-004t', 'sdm120'])('measures the true energy of 200 runs: %s', async (name) => {
    await measuresTheTruth(plugged(example(name), { noiseW: 0.4 }), `file:${example(name)}?at=${PORT}`, 0.004, {
      restS: 20,
    });
  });

  it.each(['tasmota', 'shelly'])('measures the true energy of 200 runs, and survives the network: %s', async (name) => {
    const at = `file:${example(name)}?at=described.lan`;
    await measuresTheTruth(plugged(example(name), { noiseW: 0.4 }), at, 0.005, { restS: 20 });
    const { description } = readDescription(example(name));
    const network = new Network((settings) => emulateDescribed(description, settings) as EmulatedDevice);
    await survivesFaults(network, `file:${example(name)}?at=plug.lan`);
  });

  it('says what it is, and that an emulator is one', async () => {
    const world = plugged(example('pzem-004t'));
    await world.run(async () => {
      const { info, stop } = await world
        .open(`file:${example('pzem-004t')}?at=${PORT}`)
        .then((meter) => ({ info: meter.info, stop: () => meter.stop() }));
      await stop();
      expect(info).toMatchObject({
        type: 'file',
        address: PORT,
        source: 'emulated',
        minimumGuardS: 3,
        identity: { name: 'PZEM-004T v3', description: expect.stringMatching(/^[0-9a-f]{12}$/) },
        accuracy: { gainPercent: 0.5, offsetW: 0.4 },
        channels: [{ channel: 'wall', part: 'machine', integration: 'guard', samplingPeriodS: 0.5, resolutionW: 0.1 }],
        remarks: [expect.stringContaining('emulated')],
      });
    });
  });

  it('is measured where no emulator says that it is none, and nothing is known of what isn’t described', async () => {
    const world = new World();
    runEmulator(new Sdm120Emulator(world.settings), world.host.wire(PORT), world.host.clock);
    // The same register as the mark of a described emulator: this one is told, too.
    await world.run(async () => {
      const meter = await world.open(`file:${example('sdm120')}?at=${PORT}`);
      await meter.stop();
      expect(meter.info.source).toBe('emulated');
    });
    const bare = new World();
    const far = bare.host.wire(PORT);
    far.onData(() => far.write(Buffer.from('47.5\r\n')));
    const path = file(
      'bare.yml',
      `name: Bare\nserial: { baud: 9600 }\nrequest: { text: "?" }\nline: { separator: ' ' }\npower: { at: 0, unit: W }\n`,
    );
    await bare.run(async () => {
      const meter = await bare.open(`file:${path}?at=${PORT}`);
      await meter.start(bare.collected);
      await bare.collected.until(({ samples }) => samples.length >= 3);
      await meter.stop();
      expect(meter.info).toMatchObject({ source: 'measured', accuracy: null, channels: [{ channel: 'meter' }] });
      expect(bare.collected.samples.map(({ powerW }) => powerW)).toEqual([47.5, 47.5, 47.5]);
      expect(meter.info.remarks.join(' ')).toContain('Read as bare.yml describes it');
    });
  });

  it('is joined in the middle of a line, of which no reading is made', async () => {
    const world = new World();
    const { collected } = world;
    const far = world.host.wire(PORT);
    const path = file('joined.yml', LINE.replace(", starts: '#d,'", ''));
    await world.run(async () => {
      for (let i = 0; i < 20; i++) {
        world.host.clock.after(100 + i * 1000, () => far.write(Buffer.from(i === 0 ? '75,9\r\n' : '1,2,475,9\r\n')));
      }
      const meter = await world.open(`file:${path}?at=${PORT}`);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 3);
      await meter.stop();
    });
    expect(collected.samples.map(({ powerW }) => powerW)).toEqual([47.5, 47.5, 47.5]);
  });

  it('makes no reading of the rest of an answer that came too late', async () => {
    const world = new World();
    const { collected, host } = world;
    const far = host.wire(PORT);
    const send = (ms: number, text: string) => host.clock.after(ms, () => far.write(Buffer.from(text)));
    let asked = 0;
    far.onData(() => {
      if (asked++ !== 4) return send(30, '47.5\n');
      send(990, '12');
      return send(1010, '3.4\n');
    });
    const path = file(
      'late.yml',
      `name: Late\nserial: { baud: 9600 }\nrequest: { text: "?" }\nline: { separator: ' ' }\npower: { at: 0, unit: W }\n`,
    );
    await world.run(async () => {
      const meter = await world.open(`file:${path}?at=${PORT}`);
      await meter.start(collected);
      await collected.until(() => asked >= 10);
      await meter.stop();
    });
    expect(collected.samples.length).toBeGreaterThan(5);
    expect(new Set(collected.samples.map(({ powerW }) => powerW))).toEqual(new Set([47.5]));
  });

  it('that answers later than within a second has no readings, instead of late ones', async () => {
    const world = new World();
    const far = world.host.wire(PORT);
    far.onData(() => world.host.clock.after(1300, () => far.write(Buffer.from('47.5\n'))));
    const path = file(
      'later.yml',
      `name: Later\nserial: { baud: 9600 }\nrequest: { text: "?" }\nline: { separator: ' ' }\npower: { at: 0, unit: W }\n`,
    );
    const error = await world.run(() => rejection(world.open(`file:${path}?at=${PORT}`)));
    expect(error.message).toContain('nothing came within 1 s');
  });

  it.each([
    '1,234',
    '3/4',
    '12:30',
    '12 345',
    '1,23,4',
  ])('has no number in a column that holds two (%s)', async (text) => {
    const world = new World();
    const far = world.host.wire(PORT);
    const path = file('two.yml', SEMICOLONS);
    const error = await world.run(async () => {
      world.host.clock.after(100, () => far.write(Buffer.from(`#d;1;2;${text}\n`)));
      return rejection(world.open(`file:${path}?at=${PORT}`));
    });
    expect(error.message).toContain('its column 2 is no number');
  });

  it('may write its decimals after a comma', async () => {
    const world = new World();
    const far = world.host.wire(PORT);
    const path = file('comma.yml', SEMICOLONS);
    const { samples } = await world.run(async () => {
      for (let i = 0; i < 5; i++)
        world.host.clock.after(100 + i * 1000, () => far.write(Buffer.from('#d;1;2;47,5 W\n')));
      const meter = await world.open(`file:${path}?at=${PORT}`);
      await meter.start(world.collected);
      await world.collected.until(({ samples }) => samples.length >= 2);
      await meter.stop();
      return world.collected;
    });
    expect(new Set(samples.map(({ powerW }) => powerW)).size).toBe(1);
    expect(samples[0]?.powerW).toBe(4.75);
  });

  it('that sends every 5 s has no gaps, though samples are wanted every second', async () => {
    const world = new World();
    const { collected } = world;
    const far = world.host.wire(PORT);
    const path = file('slow.yml', `${LINE}renewed: 5s\n`);
    await world.run(async () => {
      for (let i = 0; i < 20; i++) world.host.clock.after(100 + i * 5000, () => far.write(Buffer.from('#d,1,2,475\n')));
      const meter = await world.open(`file:${path}?at=${PORT}`);
      expect(meter.info).toMatchObject({ minimumGuardS: 15, channels: [{ samplingPeriodS: 5 }] });
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 5);
      await meter.stop();
    });
    expect(collected.events).toEqual([]);
    expect(collected.samples.map(({ durationS }) => durationS)).toEqual([5, 5, 5, 5, 5]);
  });

  it.each<[string, string, string]>([
    ['silence', '', 'nothing came within 2 s|nothing came within 3 s'],
    ['something else', 'login: ', 'it sent "login: "'],
    ['a column that is missing', '#d,1\n', 'its column 2 is no number: ""'],
    ['a column that is no number', '#d,1,2,0x1F\n', 'its column 2 is no number'],
    ['not a number', '#d,,,NaN\n', 'its column 2 is no number'],
    ['a number of terminal codes', '#d,,,\u001b[31m5\n', 'its column 2 is no number'],
    ['a huge number', '#d,,,999999999999999e30\n', 'its power is 1e\\+44'],
    ['two numbers that ran into one', '#d,,,47548213\n', 'its power is 4754820'],
    ['an endless line', `#d,,,${'9'.repeat(5000)}`, 'it sent "#d,,,999'],
  ])('refuses %s', async (_, sent, reported) => {
    const world = new World();
    const far = world.host.wire(PORT);
    const path = file('line.yml', LINE);
    const error = await world.run(async () => {
      world.host.clock.after(100, () => far.write(Buffer.from(sent)));
      return rejection(world.open(`file:${path}?at=${PORT}`));
    });
    expect(error.message).toMatch(new RegExp(`^There is no Lines at /dev/virtual: (?:${reported})`));
    expect(error.message).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });

  it.each<[string, string, (bytes: Buffer) => Uint8Array]>([
    ['a wrong checksum', 'nothing', (bytes) => bytes.fill(bytes[11]! ^ 1, 11)],
    ['half a record', 'nothing', (bytes) => bytes.subarray(0, 7)],
    ['a check outside of its limits', 'its voltage is 0', () => record(0)],
  ])('has a gap for %s, and goes on', async (_, reported, spoil) => {
    const path = file('record.yml', RECORD);
    const world = new World();
    const { collected } = world;
    const far = world.host.wire(PORT);
    let isSpoiled = false;
    far.onData(() => far.write(isSpoiled ? spoil(Buffer.from(record(2300))) : record(2300)));
    await world.run(async () => {
      const meter = await world.open(`file:${path}?at=${PORT}`);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 2);
      isSpoiled = true;
      await collected.until(({ events }) => events.some(({ kind }) => kind === 'gap'));
      isSpoiled = false;
      const before = collected.samples.length;
      await collected.until(({ samples }) => samples.length >= before + 2);
      far.unplug();
      await collected.until(({ lostWith }) => lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.events[0]?.detail).toContain(reported === 'nothing' ? 'it sent' : reported);
    expect(collected.samples.every(({ powerW }) => powerW === 47.3)).toBe(true);
    expect(collected.lostWith).toHaveLength(1);
    expect(collected.lostWith[0]?.message).toContain('was unplugged');
  });

  it('takes its secret from a variable, which it never shows', async () => {
    process.env.JOULEDIFF_TEST_PLUG = 'pass & word';
    const asked: string[] = [];
    const network = new Network(() => ({
      delayMs: () => 10,
      answer: ({ path, headers }) => {
        asked.push(path, String(headers.authorization));
        return { status: 403, body: '{"secret":"pass & word"}' };
      },
    }));
    const path = file(
      'secret.yml',
      `name: Plug\nhttp: { path: "/cm?password={secret}", headers: { authorization: "Bearer {secret}" }, secret-env: JOULEDIFF_TEST_PLUG }\njson: {}\npower: { at: /power, unit: W }\n`,
    );
    const error = await network.run(() => rejection(network.open(`file:${path}?at=plug.lan`)));
    delete process.env.JOULEDIFF_TEST_PLUG;
    expect(asked).toEqual(['/cm?password=pass%20%26%20word', 'Bearer pass & word']);
    expect(`${error.message} ${error.advice} ${JSON.stringify(error.cause)}`).not.toMatch(
      /pass (?:&|%26) ?word|pass%20/,
    );
  });
});

describe('reads as the built-in driver does, on the same bytes:', () => {
  /** The same watts, or nothing by both. */
  const agree = (about: Described, parse: (data: Uint8Array) => Parsed<number>, bytes: Uint8Array): boolean => {
    const [own, other] = [powerOf(about.description, { kind: 'registers', bytes }), parse(bytes)];
    expect('value' in own ? own.value : null).toBe('value' in other ? other.value : null);
    return 'value' in own;
  };

  it.each([
    [
      'pzem-004t',
      readPzem,
      20,
      (world: World) => new PzemEmulator(world.settings),
      Buffer.from('f8040000000a6464', 'hex'),
    ],
    [
      'sdm120',
      readSdm,
      4,
      (world: World) => new Sdm120Emulator(world.settings),
      Buffer.from('0104000c0002b1c8', 'hex'),
    ],
  ] as const)('%s, true and garbled', (name, parse, length, make, question) => {
    const about = readDescription(example(name));
    const world = new World({ noiseW: 20 });
    const meter = make(world);
    const random = createPrng(5);
    let taken = 0;
    for (let i = 1; i <= 2000; i++) {
      const nowNs = world.settings.originNs + BigInt(i) * 1_000_000_000n;
      if (i % 100 === 0) world.load.switch({ tNs: nowNs - 500_000_000n, on: i % 200 === 0 });
      meter.receive(question, nowNs);
      const data = Uint8Array.from(Buffer.from(meter.record() as Uint8Array).subarray(3, 3 + length));
      expect(agree(about, parse, data)).toBe(true);
      // One byte is another one, and then all of them.
      data[random.u32() % length] = random.u32() & 0xff;
      taken += agree(about, parse, data) ? 1 : 0;
      agree(
        about,
        parse,
        Uint8Array.from({ length }, () => random.u32() & 0xff),
      );
    }
    expect(taken).toBeGreaterThan(100);
    expect(taken).toBeLessThan(2000);
  });

  it.each(['tasmota', 'shelly'])('%s, over its own emulator', async (type) => {
    const make = emulatedDevices.find((one) => one.type === type)!.emulateDevice;
    const bodies: string[] = [];
    const { description } = readDescription(example(type));
    const own = description.http!.path.toLowerCase().replace('%20', ' ');
    const network = new Network(
      (settings) => {
        const device = make(settings);
        const answer: EmulatedDevice['answer'] = (question, nowNs): DeviceAnswer => {
          const given = device.answer(question, nowNs);
          if (question.path.toLowerCase().replace('%20', ' ') === own && given.status === 200) bodies.push(given.body);
          return given;
        };
        return { delayMs: () => device.delayMs(), answer };
      },
      { noiseW: 5 },
    );
    await network.run(async () => {
      const meter = await network.open(`${type}:plug.lan`);
      await meter.start(network.collected);
      await network.collected.until(({ samples }) => samples.length >= 200);
      await meter.stop();
    });
    const builtIn = network.collected.samples.flatMap(
      ({ powerW, readings }) => readings?.map(([, watts]) => watts) ?? [powerW],
    );
    const read = bodies.map((body) => powerOf(description, { kind: 'document', document: JSON.parse(body) }));
    const watts = read.map((one) => ('value' in one ? one.value : null));
    const first = watts.length - builtIn.length;
    expect(builtIn.length).toBeGreaterThan(390);
    expect(watts.slice(first - 1, -1).join() === builtIn.join() || watts.slice(first).join() === builtIn.join()).toBe(
      true,
    );
  });

  it.each(['pzem-004t', 'sdm120', 'tasmota', 'shelly'])('%s, in at most 60 lines', (name) => {
    expect(readFileSync(example(name), 'utf8').split('\n').length).toBeLessThanOrEqual(60);
  });
});
