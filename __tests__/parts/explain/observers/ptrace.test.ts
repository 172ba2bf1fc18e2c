// Class: system.
import { expect, it } from '@jest/globals';
import { mayTrace, tracesOthers } from '../../../../src/parts/explain/observers/ptrace.ts';

const status = (bits: string): string => `Name:\tnode\nCapPrm:\t000001ffffffffff\nCapEff:\t${bits}\n`;
const [ALL, NONE, PTRACE] = ['000001ffffffffff', '0000000000000000', '0000000000080000'].map(status) as [
  string,
  string,
  string,
];

it.each([
  ['root', ALL, '1\n', true],
  ['a user', NONE, '1\n', false],
  ['a user with the capability', PTRACE, '2\n', true],
  ['a user where everybody may', NONE, '0\n', true],
  ['a user of a kernel without Yama', NONE, null, true],
  ['root where nobody may', ALL, '3\n', false],
])('%s: %#', (_, of, scope, may) => {
  expect(mayTrace(of, scope)).toBe(may);
});

it('tells who may look into processes of others', () => {
  expect([ALL, NONE, PTRACE, ''].map((of) => tracesOthers(of))).toEqual([true, false, true, false]);
});
