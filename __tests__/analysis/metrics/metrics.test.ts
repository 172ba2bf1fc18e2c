// Class: unit.
import { expect, it } from '@jest/globals';
import { countedBy } from '../../../src/analysis/metrics/metrics.ts';

it.each([
  ['requests/s', 'requests', true],
  ['requests per second', 'requests', true],
  ['rps', 'requests', true],
  ['fps', 'frames', true],
  ['IOPS', 'I/O operations', true],
  ['Mbps', 'Mbit', true],
  ['ops', 'ops', false],
  ['frames', 'frames', false],
])('a unit %s counts %s, at a rate: %s', (unit, what, isRate) => {
  expect(countedBy(unit)).toEqual({ what, isRate });
});

it.each([
  'ms',
  'sec',
  'msec',
  'milliseconds',
  'seconds',
  '%',
  'W',
  'MB/request',
  '°C',
])('a unit %s counts no work', (unit) => {
  expect(countedBy(unit)).toBeNull();
});
