// Class: system.
import { describe, expect, it } from '@jest/globals';
import { LineReader, parseLine } from '../../../src/meters/command/reading.ts';
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
  ])('%j is a fault', (line, reported) => {
    expect(() => parseLine(line)).toThrow(new LineFault(reported));
  });
});

describe('the times that a program tells', () => {
  /** Reads a line a second, whose time is `delaysMs` before it came; gives the faults. */
  function faults(delaysMs: readonly number[]): string[] {
    const reader = new LineReader();
    return delaysMs.flatMap((delayMs, second) => {
      const arrivedNs = BigInt(1000 + second) * 1_000_000_000n;
      const tNs = arrivedNs - BigInt(Math.round(delayMs * 1e6));
      try {
        reader.take(JSON.stringify({ power_w: 40, t_ns: String(tNs) }), arrivedNs);
        return [];
      } catch (error) {
        return [`${second}: ${(error as Error).message}`];
      }
    });
  }
  const steady = [3, 5, 2, 4, 3, 6, 2, 4];

  it.each([
    [
      'jump back',
      [...steady, 903, 905, 902, 904, 901],
      ['10: has a t_ns that went back by 897 ms against the clock of this machine'],
    ],
    [
      'jump ahead',
      [...steady.map((ms) => ms + 900), 3, 5, 2],
      ['8: has a t_ns that went ahead by 899 ms against the clock of this machine'],
    ],
  ])('are a fault where they %s, once', (_, delaysMs, expected) => {
    expect(faults(delaysMs)).toEqual(expected);
  });

  it.each([
    ['one line is late', [...steady, 900, 3, 5, 2]],
    ['two lines are late', [...steady, 900, 900, 3, 5, 2]],
    ['its meter answers slowly now and then', [50, 400, 450, 80, 500, 300, 480, 470, 490, 60, 450, 500, 520]],
    ['they drift as clocks do', Array.from({ length: 60 }, (_, i) => 50 - 0.2 * i)],
  ])('are none where %s', (_, delaysMs) => {
    expect(faults(delaysMs)).toEqual([]);
  });
});
