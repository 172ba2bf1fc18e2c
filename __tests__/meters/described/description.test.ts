// Class: system.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDescription } from '../../../src/meters/described/description.ts';
import { validateMeterNames } from '../../../src/meters/registry.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-description-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = { name: 'Mine', serial: { baud: 9600 }, line: { separator: ',' }, power: { at: 1, unit: 'W' } };

function read(given: unknown) {
  const path = join(folder, 'mine.yml');
  writeFileSync(path, typeof given === 'string' ? given : JSON.stringify(given));
  return readDescription(path);
}

describe('a description of a meter', () => {
  it('has defaults, and a digest that leaves out where the meter is', () => {
    const { description, digest } = read(GOOD);
    expect(description).toMatchObject({ period: 1, readings: 1, renewed: 1, source: 'measured', checks: {} });
    expect(read({ ...GOOD, address: '/dev/ttyUSB0' }).digest).toBe(digest);
    expect(read({ ...GOOD, power: { at: 2, unit: 'W' } }).digest).not.toBe(digest);
  });

  it.each<[string, object, RegExp]>([
    ['an unknown key', { wats: 1 }, /the file: Unrecognized key: "wats"/],
    ['two transports', { tcp: {} }, /serial: exactly one of serial, tcp and http/],
    ['no framing', { line: undefined }, /modbus: exactly one of modbus, json, line and record/],
    ['two framings', { json: {} }, /exactly one of modbus, json, line and record/],
    ['http without JSON', { serial: undefined, http: { path: '/' } }, /line: http goes with json/],
    [
      'a pointer in lines',
      { power: { at: '/x', unit: 'W' } },
      /power: at must be a JSON pointer for json, and a number/,
    ],
    ['a number in JSON', { line: undefined, json: {} }, /power: at must be a JSON pointer/],
    [
      'a field behind the end',
      {
        line: undefined,
        modbus: { unit: 1, registers: 'input', address: 0, count: 1 },
        power: { at: 0, type: 'float32', unit: 'W' },
      },
      /power: at lies behind the end/,
    ],
    [
      'a question to Modbus',
      { request: { text: '?' }, line: undefined, modbus: { unit: 1, registers: 'input', address: 0, count: 2 } },
      /request: http and modbus/,
    ],
    [
      'bytes that are none',
      { line: undefined, record: { starts: 'zz', length: 4, checksum: { type: 'sum8' } } },
      /record\.starts: it must be bytes in hexadecimal/,
    ],
    ['a scale of 0', { power: { at: 1, unit: 'W', scale: 0 } }, /power\.scale: it must not be 0/],
    [
      'limits the wrong way round',
      { power: { at: 1, unit: 'W', between: [5, 1] } },
      /power: between goes from low to high/,
    ],
    ['a period of a day', { period: '24h' }, /period: it must be a time of 10 ms to 60 s/],
    ['a period of next to nothing', { period: 1e-12, readings: 20 }, /period: it must be a time of 10 ms to 60 s/],
    [
      'a guard that ends before the meter shows the end of a run',
      { guard: '1s', renewed: '10s' },
      /guard: it must not be shorter than renewed/,
    ],
    [
      'a value in the checksum',
      {
        line: undefined,
        record: { starts: 'a5', length: 6, checksum: { type: 'crc16-modbus' } },
        power: { at: 3, unit: 'W' },
      },
      /power: at lies behind the end/,
    ],
    [
      'a checksum of nothing',
      { line: undefined, record: { starts: 'a5', length: 6, checksum: { type: 'sum8', from: 5 } } },
      /record: from is past the bytes that the checksum covers/,
    ],
    [
      'records that are shorter than their beginning',
      { line: undefined, record: { starts: 'a5 5a 01 02', length: 4, checksum: { type: 'sum8' } } },
      /record: starts is longer than the record/,
    ],
    [
      'a value within a number',
      {
        line: undefined,
        json: {},
        power: { at: '/emeter', unit: 'W' },
        checks: { voltage: { at: '/emeter/v', between: [1, 2] } },
      },
      /power: at lies within another value/,
    ],
    ...([{ path: '/?key={secret}' }, { path: '/', 'secret-env': 'KEY' }] as const).map(
      (http): [string, object, RegExp] => [
        `a secret that comes from nowhere, or goes there: ${JSON.stringify(http)}`,
        { serial: undefined, http, line: undefined, json: {}, power: { at: '/p', unit: 'W' } },
        /http: {secret} and secret-env need each other/,
      ],
    ),
    ['a name of terminal codes', { name: 'a\u001b[31m' }, /name: it must be one line of visible text/],
    ['an accuracy without percent', { accuracy: { gain: '1' } }, /accuracy\.gain: it must be a percentage/],
  ])('is refused with %s', (_, changes, reported) => {
    expect(() => read({ ...GOOD, ...changes })).toThrow(reported);
  });

  it.each([
    ['what is not YAML', '{', /can't be read/],
    ['nothing', '', /is not one of a meter/],
    ['a list', '[1]', /is not one of a meter/],
    [
      'a thousand aliases',
      `a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\n`,
      /can't be read: Excessive alias count/,
    ],
    ['too much', 'x'.repeat(70_000), /it has 70000 bytes/],
  ])('is refused as %s', (_, text, reported) => {
    expect(() => read(text)).toThrow(reported);
  });

  it('is no folder, no pipe, and there', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [folder, pipe, join(folder, 'none.yml')]) {
      expect(() => readDescription(path)).toThrow(/^The description .* can't be read: /);
    }
  });
});

it('is named by its path, and nothing is opened to check that', () => {
  expect(validateMeterNames(['file:mine.yml?at=/dev/ttyUSB0'])).toHaveLength(1);
  expect(() => validateMeterNames(['file'])).toThrow('does not say which file describes it');
  expect(() => validateMeterNames(['file:mine.yml?baud=9600'])).toThrow('has no option "baud"');
});
