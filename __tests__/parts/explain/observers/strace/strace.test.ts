// Class: system.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { callsIn, seenIn } from '../../../../../src/parts/explain/observers/strace/strace.ts';

/** As strace 6.1 printed it, shortened. */
const TABLE = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 58.05    0.004764        2382         2         1 wait4
  7.80    0.000640          16        38           mmap
  6.15    0.000505          12        41        19 openat
------ ----------- ----------- --------- --------- ----------------
100.00    0.008207          38       215        39 total
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-strace-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads calls, errors and seconds, and sums up the tables of 64 and of 32 bits', () => {
  expect(callsIn(TABLE)).toEqual([
    { name: 'wait4', calls: 2, errors: 1, seconds: 0.004764 },
    { name: 'mmap', calls: 38, errors: 0, seconds: 0.00064 },
    { name: 'openat', calls: 41, errors: 19, seconds: 0.000505 },
  ]);
  const other = TABLE.replace('wait4', 'waitpid');
  const both = callsIn(`${TABLE}System call usage summary for 32 bit mode:\n${other}`);
  expect(both).toContainEqual({ name: 'openat', calls: 82, errors: 38, seconds: 0.00101 });
  expect(both.map(({ name }) => name)).toEqual(['wait4', 'mmap', 'openat', 'waitpid']);
});

it('takes nothing from what is no table: words, links, folders, or more than a table has', () => {
  const window = { startNs: 1n, endNs: 2n };
  const at = (name: string) => [join(folder, name)];
  const hostile = ` 1.00 0.1 1 1 __proto__\n${' 1'.repeat(300_000)}\n1.00 1e9 1 1 read\n 1.00 -0.1 1 1 read\n`;
  expect(callsIn(hostile).map(({ name }) => name)).toEqual(['__proto__']);
  writeFileSync(join(folder, 'table'), TABLE);
  writeFileSync(join(folder, 'empty'), '');
  writeFileSync(join(folder, 'long'), `${'x'.repeat(2 ** 20)}\n${TABLE}`);
  symlinkSync('table', join(folder, 'link'));
  mkdirSync(join(folder, 'folder'));
  for (const name of ['absent', 'empty', 'long', 'link', 'folder']) {
    expect(() => seenIn(at(name), window)).toThrow(expect.objectContaining({ limitation: 'unreadable' }));
  }
  expect(seenIn([...at('absent'), ...at('table')], window).counts).toContainEqual({
    fromNs: 1n,
    toNs: 2n,
    kind: 'syscall',
    name: 'openat',
    value: 41,
    errors: 19,
  });
});
