// Class: unit.
import { expect, it } from '@jest/globals';
import type { Resource, ResourceComparison } from '../../../src/findings/resources.ts';
import { amountText, clearText, differenceOf, meansText } from '../../../src/report/words/resources.ts';

const one = (
  resource: Resource,
  [from, to]: readonly [number, number],
  ci95: readonly [number, number] | null,
): ResourceComparison => ({
  resource,
  blocks: 30,
  baseline_mean: from,
  variant_mean: to,
  difference: to - from,
  ci95: ci95 && [...ci95],
  p: 0.001,
  q: 0.002,
  clear: true,
});

it('shows a difference, its ends and both means in one unit each, whichever side of a unit they are on', () => {
  const waiting = one('machine_cpu_stall_s', [0.0977, 0.219], [0.0868, 0.109]);
  expect(differenceOf({ ...waiting, difference: 0.0975 })).toEqual({
    change: '+0.098 s',
    interval: '+0.087 to +0.109',
  });
  expect(meansText(waiting)).toBe('0.0977 → 0.219 s');
  const read = one('read_bytes', [900 * 2 ** 10, 3 * 2 ** 20], [1.9 * 2 ** 20, 2.3 * 2 ** 20]);
  expect(clearText(read)).toBe('bytes read from disks 0.879 → 3 MiB (+1.90 to +2.30 MiB)');
  const less = one('peak_memory_bytes', [2 ** 20, 2 ** 19], [-(2 ** 19) - 2048, -(2 ** 19) + 2048]);
  expect(clearText(less)).toBe('peak memory 1 → 0.5 MiB (−514.0 to −510.0 KiB)');
});

it('shows few events with their fraction, many whole, and frequencies as people say them', () => {
  expect(clearText(one('major_faults', [0, 0.4], [0.2, 0.6]))).toBe('major page faults 0 → 0.4 (+0.20 to +0.60)');
  expect(amountText('minor_faults', 51_204.4)).toBe('51,204');
  expect(meansText(one('mean_frequency_hz', [3.2e9, 8e8], null))).toBe('3.20 → 0.800 GHz');
  expect(amountText('temperature_after_c', 51.25)).toBe('51.3 °C');
  expect(differenceOf(one('user_s', [1, 1.25], null))).toEqual({ change: '+0.250 s', interval: null });
});
