// Class: system.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { callsIn, uftrace } from '../../../../../src/parts/explain/observers/uftrace/uftrace.ts';
import { forgetShared } from '../../../../../src/processes/shared-memory.ts';

/** As uftrace 0.13 printed it, shortened. */
const TABLE = `   Self time       Calls  Function
  ==========  ==========  ====================
   36.595 ms           4  wait3
   90.094 us        2005  free
    2.014  s           3  std::sort<int*, bool (*)(int, int)>
    1.030  m           1  nanosleep
    1.500 us           2  <7f12ab34>
    0.500 us           1  <7f12ab99>
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-uftrace-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads own times in all of their units, and takes functions without a name together', () => {
  const calls = callsIn(TABLE.split('\n')).map(({ seconds, ...of }) => ({
    ...of,
    seconds: Number(seconds.toPrecision(9)),
  }));
  expect(calls).toEqual([
    { name: 'wait3', calls: 4, seconds: 0.036595 },
    { name: 'free', calls: 2005, seconds: 0.000090094 },
    { name: 'std::sort<int*, bool (*)(int, int)>', calls: 3, seconds: 2.014 },
    { name: 'nanosleep', calls: 1, seconds: 90 },
    { name: '[unknown]', calls: 3, seconds: 0.000002 },
  ]);
});

it('takes nothing from what is no table, and no hours, which uftrace tells wrongly', () => {
  const hostile = [' 1.000 us  x  name', '1.000 us 5', ` 1.000 us 5  ${'x'.repeat(301)}`, ' 1.000 us 5  a\x1b[31m'];
  expect(callsIn(hostile)).toEqual([]);
  expect(() => callsIn(['    1.001  h           1  sleep'])).toThrow(
    expect.objectContaining({ limitation: 'unreadable' }),
  );
});

it('removes from shared memory what recorders of its own folder left there, and nothing else', () => {
  const [traces, shared] = ['traces', 'shared'].map((name) => join(folder, name)) as [string, string];
  mkdirSync(join(traces, '7', 'trace'), { recursive: true });
  mkdirSync(shared);
  writeFileSync(join(traces, '7', 'trace', 'sid-16457ec3c02d8c1e.map'), '');
  writeFileSync(join(traces, '7', 'trace', 'sid-.map'), '');
  const others = ['uftrace-26457ec3c02d8c1e-9260-000', 'somebody', 'uftrace-x'];
  for (const name of ['uftrace-16457ec3c02d8c1e-9260-000', ...others]) writeFileSync(join(shared, name), '');
  forgetShared(traces, shared);
  expect(readdirSync(shared).sort()).toEqual([...others].sort());
});

it('tells that it is not installed', async () => {
  const { PATH } = process.env;
  process.env.PATH = folder;
  try {
    await expect(uftrace.probe(folder)).rejects.toMatchObject({ limitation: 'no-tool' });
  } finally {
    process.env.PATH = PATH;
  }
});

it('begins no run of another user, whose programs may not write into the trace', async () => {
  const command = { command: ['true'], directory: folder, path: process.env.PATH ?? '', isOther: true };
  await expect(uftrace.begin(folder, command, null)).rejects.toMatchObject({ limitation: 'other-user' });
});
