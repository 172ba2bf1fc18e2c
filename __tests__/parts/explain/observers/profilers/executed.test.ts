// Class: system.
import { expect, it } from '@jest/globals';
import { executedBetween } from '../../../../../src/parts/explain/observers/profilers/executed.ts';

it('sums of the same times in another order are not set back, and less time than before is', () => {
  const account = (seconds: number, calls = 3) => new Map([['select $1', { calls, seconds, errors: 0 }]]);
  expect(executedBetween(account(0.6000000000000001), account(0.6), null)).toEqual([]);
  expect(executedBetween(account(0.6000000000000001), account(0.6, 4), null)).toMatchObject([
    { kind: 'command', value: 1 },
    { kind: 'command-time', value: 0 },
  ]);
  expect(() => executedBetween(account(0.6), account(0.5), null)).toThrow('unreadable');
});
