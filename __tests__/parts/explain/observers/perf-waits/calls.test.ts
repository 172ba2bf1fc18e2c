// Class: system.
import { expect, it } from '@jest/globals';
import { callName } from '../../../../../src/parts/explain/observers/perf-waits/calls.ts';

it('a call has the number of its processor', () => {
  expect([0, 3, 257, 334, 335, 450, 451].map((number) => callName(number, 'x64'))).toEqual([
    ...['read', 'close', 'openat', 'rseq', 'call 335', 'set_mempolicy_home_node', 'call 451'],
  ]);
  expect([56, 57, 63, 115].map((number) => callName(number, 'arm64'))).toEqual([
    ...['openat', 'close', 'read', 'clock_nanosleep'],
  ]);
  expect(callName(3, 'none')).toBe('call 3');
  expect([0, 5, 33, 295, 383, 450].map((number) => callName(number, 'x64', 32))).toEqual([
    ...['restart_syscall', 'open', 'access', 'openat', 'statx', 'set_mempolicy_home_node'],
  ]);
  expect(callName(5, 'arm64', 32)).toBe('32-bit call 5');
});
