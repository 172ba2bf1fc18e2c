import { expect, it } from '@jest/globals';
import { IntervalCounts } from '../../../src/observers/perf-stat/intervals.ts';

const MS = 1_000_000n;

it('each count lies between two lines of its event, on the clock of whoever reads them', () => {
  const counts = new IntervalCounts();
  const at = 5_000n * MS;
  // perf began at 5,000 ms; its lines come late by 3, 1 and 40 ms.
  counts.take('# started on Sun Nov 22 19:54:31 2026', at);
  counts.take('     0.050000000,12,,syscalls:sys_enter_write,group,0,100.00,,', at + 53n * MS);
  counts.take('     0.050000000,<not counted>,,page-faults,group,0,100.00,,', at + 53n * MS);
  counts.take('     0.100000000,<not counted>,,syscalls:sys_enter_write,group,0,100.00,,', at + 101n * MS);
  counts.take('     0.100000000,25.50,msec,task-clock,group,25500000,100.00,0.5,CPUs utilized', at + 101n * MS);
  counts.take('     0.130000000,3,,raw_syscalls:sys_enter,group,0,100.00,,', at + 170n * MS);
  counts.take('     0.130000000,7,,something-new,group,0,100.00,,', at + 170n * MS);
  const origin = at + 1n * MS;
  expect(counts.all()).toEqual([
    { fromNs: origin, toNs: origin + 50n * MS, kind: 'syscall', name: 'write', value: 12, errors: null },
    {
      fromNs: origin + 50n * MS,
      toNs: origin + 100n * MS,
      kind: 'cpu',
      name: 'task-clock',
      value: 0.0255,
      errors: null,
    },
    { fromNs: origin + 100n * MS, toNs: origin + 130n * MS, kind: 'syscall', name: 'all', value: 3, errors: null },
  ]);
});

it('without a line there is nothing', () => {
  expect(new IntervalCounts().all()).toEqual([]);
});
