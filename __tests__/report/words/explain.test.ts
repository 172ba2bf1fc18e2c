// Class: unit.
import { expect, it } from '@jest/globals';
import { differenceOf } from '../../../src/report/words/explain.ts';

it('shows a difference of bytes and what it may be off by in one unit', () => {
  const MIB = 2 ** 20;
  const line = { unit: 'B', difference: 1.5 * MIB } as const;
  expect(differenceOf({ ...line, ci95: [1.2 * MIB, 1.8 * MIB] })).toBe('+1.5 ± 0.3 MiB');
  expect(differenceOf({ ...line, difference: -700 * 1024, ci95: [-1400 * 1024, 0] })).toBe('−700.0 ± 700.0 KiB');
  expect(differenceOf({ ...line, ci95: null })).toBe('+1.5 MiB');
});
