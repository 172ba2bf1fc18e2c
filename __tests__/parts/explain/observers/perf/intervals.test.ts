// Class: system.
import { expect, it } from '@jest/globals';
import { endOf, IntervalCounts } from '../../../../../src/parts/explain/observers/perf/intervals.ts';

const MS = 1_000_000n;
/** All of it is inside. */
const WINDOW = { startNs: 0n };

const LINES = [
  '# started on Sun Nov 22 19:54:31 2026',
  '     0.050000000,12,,syscalls:sys_enter_write,group,0,100.00,,',
  '     0.050000000,<not counted>,,page-faults,group,0,100.00,,',
  '     0.100000000,<not counted>,,syscalls:sys_enter_write,group,0,100.00,,',
  '     0.100000000,25.50,msec,task-clock,group,25500000,100.00,0.5,CPUs utilized',
  '     0.130000000,3,,raw_syscalls:sys_enter,group,0,100.00,,',
  '     0.130000000,7,,something-new,group,0,100.00,,',
];

function takeCounts(lines: readonly string[]): IntervalCounts {
  const counts = new IntervalCounts();
  for (const line of lines) counts.take(line);
  return counts;
}

it('each count lies between two lines of its event, and no later or earlier than perf can have begun', () => {
  const [from, to] = [5_000n * MS, 5_001n * MS];
  expect(takeCounts(LINES).all({ fromNs: from, toNs: to }, WINDOW)).toEqual([
    { fromNs: from, toNs: to + 50n * MS, event: 'syscalls:sys_enter_write', value: 12 },
    { fromNs: from + 50n * MS, toNs: to + 100n * MS, event: 'task-clock', value: 25.5 },
    { fromNs: from + 100n * MS, toNs: to + 130n * MS, event: 'raw_syscalls:sys_enter', value: 3 },
    { fromNs: from + 100n * MS, toNs: to + 130n * MS, event: 'something-new', value: 7 },
  ]);
  expect(LINES.map(endOf)).toEqual([null, 50e6, 50e6, 100e6, 100e6, 130e6, 130e6]);
});

it('without a line there is nothing', () => {
  expect(new IntervalCounts().all({ fromNs: 0n, toNs: 0n }, WINDOW)).toEqual([]);
});

it('what perf says that it counted is the sum of its lines, or some of them are missing', () => {
  const total = (value: number) => `         summary,${value},,syscalls:sys_enter_write,group,0,100.00,,`;
  const time = '         summary,25.51,msec,task-clock,group,25500000,100.00,0.5,CPUs utilized';
  expect(takeCounts([...LINES, time, total(12)]).isWhole()).toBe(true);
  expect(takeCounts([...LINES, time, total(13)]).isWhole()).toBe(false);
  expect(takeCounts(LINES).isWhole()).toBe(true);
});

it('a counter of the processor that others had meanwhile was not counted for as long as the group ran, and none where nothing ran', () => {
  const counts = takeCounts([
    '     0.050000000,20.00,msec,task-clock,group,20000000,100.00,0.4,CPUs utilized',
    '     0.050000000,1000,,cycles,group,15000000,75.00,,',
    '     0.050000000,<not counted>,,branch-misses,group,0,0.00,,',
    '     0.050000000,<not supported>,,cache-misses,group,0,100.00,,',
    '     0.050000000,<not counted>,,cpu_atom/cycles/,group,0,100.00,,',
  ]);
  expect(counts.coverageOf('task-clock')).toEqual({ countedNs: 20e6, missedNs: 0 });
  expect(counts.coverageOf('cycles')?.missedNs).toBeCloseTo(5e6, 0);
  expect(counts.coverageOf('branch-misses')).toEqual({ countedNs: 0, missedNs: 20e6 });
  expect(counts.coverageOf('cache-misses')).toBeNull();
  expect(counts.coverageOf('cpu_atom/cycles/')).toEqual({ countedNs: 0, missedNs: 0 });
});

it('what perf read after the window had begun is of the window, although it took the time before', () => {
  const origin = { fromNs: 1000n * MS, toNs: 1001n * MS };
  const counts = takeCounts([
    '     0.050000000,5,,syscalls:sys_enter_write,group,0,100.00,,',
    '     0.100000000,7,,syscalls:sys_enter_write,group,0,100.00,,',
    '     0.170000000,9,,syscalls:sys_enter_write,group,0,100.00,,',
  ]);
  const ends = (startNs: bigint) => counts.all(origin, { startNs }).map(({ toNs }) => toNs / MS);
  expect(ends(1120n * MS)).toEqual([1051n, 1171n, 1171n]);
  expect(ends(1080n * MS)).toEqual([1101n, 1101n, 1171n]);
  expect(ends(1500n * MS)).toEqual([1051n, 1101n, 1171n]);
});
