// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { bytes, durationS, percent } from '../../src/input/quantities.ts';

describe('quantities', () => {
  it.each([
    ['20s', 20],
    ['500ms', 0.5],
    ['2m', 120],
    ['1h', 3600],
    ['1.5 h', 5400],
    ['20', 20],
    [0.25, 0.25],
  ])('%s is %d seconds', (text, seconds) => {
    expect(durationS(text)).toBe(seconds);
  });

  it.each([
    ['1%', 1],
    ['0.5 %', 0.5],
    ['2 %', 2],
  ])('%s is %d percent', (text, value) => {
    expect(percent(text)).toBe(value);
  });

  it.each([
    ['512m', 536_870_912],
    ['2g', 2_147_483_648],
    ['2GiB', 2_147_483_648],
    ['1.5k', 1536],
    ['1000', 1000],
    [1000, 1000],
    [1500.5, 1501],
  ])('%s is %d bytes', (text, value) => {
    expect(bytes(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    's',
    '-1s',
    '1e3s',
    '1d',
    '20 sec',
    '1s2m',
    '٣s',
    'Infinity',
    'NaN',
    '1,5s',
  ])('%j is none', (text) => {
    expect(durationS(text)).toBeNaN();
    expect(percent(text.replace('s', '%'))).toBeNaN();
    expect(bytes(text.replace('s', 'm'))).toBeNaN();
  });
});
