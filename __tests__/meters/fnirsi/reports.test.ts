// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { COMMANDS, computeCrc, readReport } from '../../../src/meters/fnirsi/reports.ts';
import { dataReport, steady } from './emulator.ts';

describe('a report of FNIRSI’s meters', () => {
  it('has the checksum of the commands that other programs send', () => {
    const last = ({ hello, start, poll }: typeof COMMANDS) => [hello, start, poll].map((one) => [one[1], one[63]]);
    expect(last(COMMANDS)).toEqual([
      [0x81, 0x8e],
      [0x82, 0x96],
      [0x83, 0x9e],
    ]);
  });

  it('gives the mean power of its four samples', () => {
    const report = dataReport([
      [20, 1],
      [20.00001, 2],
      [19.5, 3.00001],
      [5, 0],
    ]);
    expect(report.subarray(2, 10)).toEqual(Buffer.from([0x80, 0x84, 0x1e, 0, 0xa0, 0x86, 1, 0]));
    expect(readReport(report)).toEqual({ powerW: (20 + 20.00001 * 2 + 19.5 * 3.00001) / 4 });
  });

  it('is found wrong when any bit of it was turned over', () => {
    for (let bit = 16; bit < 512; bit++) {
      const report = steady(20, 2);
      report[bit >> 3] = (report[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(readReport(report)).toEqual({ fault: 'has a wrong checksum' });
    }
  });

  it.each([
    ['short', steady(20, 2).subarray(0, 63), 'has 63 bytes instead of 64'],
    ['long', Buffer.concat([steady(20, 2), Buffer.alloc(1)]), 'has 65 bytes instead of 64'],
    ['empty', new Uint8Array(), 'has 0 bytes instead of 64'],
    ['of something else', new Uint8Array(64), 'does not begin as one of this meter'],
    // As an FNB48 sent after it had been left without being emptied.
    ['left over', steady(188.7437, 170.39408), 'says 188.7437 V and 170.39408 A'],
    [
      'of a cable the wrong way round',
      steady(20, -0.5),
      'says that 0.5 A flow back: its input belongs to the power supply',
    ],
    ['of a negative voltage', steady(-1, 0.5), 'says -1 V and 0.5 A'],
  ])('is refused where it is %s', (_, report, fault) => {
    expect(readReport(report)).toEqual({ fault });
  });

  it('is left alone where it holds no data', () => {
    const report = new Uint8Array(64);
    report.set([0xaa, 0x03]);
    report[63] = computeCrc(report);
    expect(readReport(report)).toBe('no data');
  });
});
