// Class: system.
import { describe, expect, it } from '@jest/globals';
import { parseLine } from '../../../src/meters/command/reading.ts';
import { LineFault } from '../../../src/meters/program/line-meter.ts';

describe('a line of a program', () => {
  it.each([
    ['{"power_w": 41.2}', { kind: 'power', value: 41.2, tNs: null }],
    ['  {"energy_j":1e3,"t_ns":123456789012,"note":"x"}\r', { kind: 'energy', value: 1000, tNs: 123456789012n }],
    ['{"power_w":-3,"t_ns":"9007199254740993"}', { kind: 'power', value: -3, tNs: 9007199254740993n }],
    ['', null],
    [' \r', null],
  ])('%j is understood', (line, expected) => {
    expect(parseLine(line)).toEqual(expected);
  });

  it.each([
    ['41.2', 'is not a JSON object: "41.2"'],
    ['[1]', 'is not a JSON object: "[1]"'],
    ['power 41', 'is not JSON: "power 41"'],
    ['{}', 'has neither power_w nor energy_j: "{}"'],
    ['{"power_w":1,"energy_j":2}', 'has both power_w and energy_j: "{\\"power_w\\":1,\\"energy_j\\":2}"'],
    ['{"power_w":"41"}', 'has a power_w that is not a number: "{\\"power_w\\":\\"41\\"}"'],
    ['{"power_w":null}', 'has a power_w that is not a number: "{\\"power_w\\":null}"'],
    ['{"energy_j":1e99}', 'reports more than any meter could: "{\\"energy_j\\":1e99}"'],
    [
      '{"power_w":1,"t_ns":1.5}',
      'has a t_ns that is not a whole number of nanoseconds: "{\\"power_w\\":1,\\"t_ns\\":1.5}"',
    ],
    ['\x1b[31mred', 'is not JSON: "\\u001b[31mred"'],
  ])('%j is a fault', (line, told) => {
    expect(() => parseLine(line)).toThrow(new LineFault(told));
  });
});
