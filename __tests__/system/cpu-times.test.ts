// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { busySeconds, processorTimes } from '../../src/system/cpu-times.ts';

const stat = (...fields: number[]) => `cpu  ${fields.join(' ')}\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 0\n`;

describe('busySeconds', () => {
  it('counts user, nice, system and interrupts as work; not idle, iowait, steal, nor guests a second time', () => {
    expect(busySeconds(stat(100, 20, 30, 5000, 700, 4, 6, 900, 50, 10))).toBe(1.6);
  });

  it('is among the time of all processors, which guests do not add to', () => {
    expect(processorTimes(stat(100, 20, 30, 5000, 700, 4, 6, 900, 50, 10))).toEqual({ busyS: 1.6, allS: 67.6 });
    expect(processorTimes('cpu  1 2 3')).toBeNull();
  });

  it.each(['', 'cpu0 1 2 3 4 5 6 7\n', 'cpu  1 2 x 4 5 6 7\n', 'cpu  1 2 3\n'])('refuses %j', (text) => {
    expect(() => busySeconds(text)).toThrow('/proc/stat does not have the expected form');
  });
});
