// Class: system.
import { describe, expect, it } from '@jest/globals';
import { readPower, readRegisters } from '../../../src/meters/pzem-004t/registers.ts';
import { hex } from '../hex.ts';

const dataOf = (frame: string) => hex(frame).slice(3, -2);

describe('readRegisters', () => {
  it.each([
    [
      'a real capture',
      'f8 04 14 08 d3 00 23 00 00 00 05 00 00 00 02 00 00 01 f5 00 06 00 00 f8 be',
      { voltageV: 225.9, currentA: 0.035, powerW: 0.5, frequencyHz: 50.1, powerFactor: 0.06, alarm: 0 },
    ],
    [
      'the example of the manual',
      '01 04 14 08 98 03 e8 00 00 08 98 00 00 00 00 00 00 01 f4 00 64 00 00 63 ce',
      { voltageV: 220, currentA: 1, powerW: 220, frequencyHz: 50, powerFactor: 1, alarm: 0 },
    ],
    [
      'a power with a high word, low word first',
      'f8 04 14 08 98 7c 4c 00 00 11 70 00 01 00 05 00 00 01 f4 00 64 ff ff 92 77',
      { voltageV: 220, currentA: 31.82, powerW: 7000, frequencyHz: 50, powerFactor: 1, alarm: 0xffff },
    ],
  ])('reads %s', (_, frame, value) => {
    expect(readRegisters(dataOf(frame))).toEqual({ value });
    expect(readPower(dataOf(frame))).toEqual({ value: value.powerW });
  });

  it('reads nine registers of a firmware without alarm', () => {
    const data = dataOf('f8 04 14 08 d3 00 23 00 00 00 05 00 00 00 02 00 00 01 f5 00 06 00 00 f8 be').slice(0, 18);
    expect(readRegisters(data)).toMatchObject({ value: { powerW: 0.5, alarm: null } });
  });

  it.each([
    ['00 78 00 23 00 00 00 05 00 00 00 02 00 00 01 f5 00 06 00 00', '12 V'],
    ['0b b9 00 23 00 00 00 05 00 00 00 02 00 00 01 f5 00 06 00 00', '300.1 V'],
    ['08 d3 00 23 00 00 00 05 00 10 00 02 00 00 01 f5 00 06 00 00', '104858.1 W'],
    ['08 d3 00 23 00 00 00 05 00 00 00 02 00 00 00 00 00 06 00 00', '0 Hz'],
    ['08 d3 00 23 00 00 00 05 00 00 00 02 00 00 01 f5 00 65 00 00', 'a power factor of 1.01'],
  ])('takes nothing from %s', (data, what) => {
    const implausible = `it answered with ${what}`;
    expect(readRegisters(hex(data))).toEqual({ implausible });
    expect(readPower(hex(data))).toEqual({ implausible });
  });
});
