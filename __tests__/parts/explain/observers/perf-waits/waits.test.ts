// Class: system.
import { expect, it } from '@jest/globals';
import { WaitReader, waitName } from '../../../../../src/parts/explain/observers/perf-waits/waits.ts';

// As perf 6.1 wrote it: a read of a pipe, a call that failed, a processor that another took, a wait that never ended, and the end of a thread.
const TEXT = `20205 10.000000000:    sched:sched_switch: prev_comm=a b prev_pid=20205 prev_prio=120 prev_state=S ==> next_comm=bash next_pid=20271 next_prio=120
\tffffffff821facd8 __schedule
\tffffffff821fb643 schedule
\tffffffff816c88b6 anon_pipe_read
\tffffffff816bae9c vfs_read
\tffffffff816bb8da ksys_read
\tffffffff821ef691 do_syscall_64
\tffffffff81000130 entry_SYSCALL_64_after_hwframe

20205 10.000004000: PERF_RECORD_SWITCH_CPU_WIDE OUT          next pid/tid: 20271/20271
 9495 10.100000000: raw_syscalls:sys_exit: NR 257 = -2
\tffffffff81417e9c syscall_exit_work
 ABI:2    IP:0x7f6ae96dbcd9 

20205 10.300000000: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:     0/0
20205 10.400000000:    sched:sched_switch: prev_comm=a b prev_pid=20205 prev_prio=120 prev_state=R+ ==> next_comm=bash next_pid=1 next_prio=120
\tffffffff821facd8 __schedule

20205 10.400001000: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:     1/1
20205 10.404000000: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:     1/1
 9495 10.500000000:    sched:sched_switch: prev_comm=c prev_pid=9495 prev_prio=120 prev_state=S ==> next_comm=bash next_pid=1 next_prio=120
\tffffffff821fb643 schedule
\tffffffff8143d6a2 __x64_sys_futex
\tffffffff821ef691 do_syscall_64

   -1 10.600000000:    sched:sched_switch: prev_comm=d prev_pid=7 prev_prio=120 prev_state=X ==> next_comm=bash next_pid=1 next_prio=120
\tffffffff8135fd4d do_exit
`;

const ns = (s: number): bigint => BigInt(Math.round(s * 1e9));

function readerOf(text: string, startS: number, endS: number): WaitReader {
  const reader = new WaitReader({ startNs: ns(startS), endNs: ns(endS) });
  for (const line of text.split('\n')) reader.take(line);
  return reader;
}

it('tells how long threads were off a processor in the window, and what for, and which calls failed how', () => {
  const found = readerOf(TEXT, 10.1, 11).end();
  expect(found.map(({ kind, name, value }) => ({ kind, name, value: Math.round(value * 1e6) / 1e6 }))).toEqual([
    { kind: 'off-cpu', name: 'read (pipe)', value: 0.2 },
    { kind: 'off-cpu', name: 'futex', value: 0.5 },
    { kind: 'error', name: process.arch === 'x64' ? 'openat ENOENT' : expect.stringMatching(/ ENOENT$/), value: 1 },
    { kind: 'off-cpu', name: 'a processor', value: 0.004 },
  ]);
  expect(found.every(({ fromNs, toNs }) => fromNs >= ns(10.1) && toNs <= ns(11) && toNs > fromNs)).toBe(true);
});

it('a call of a program with 32 bits has the name of its own table', () => {
  const found = readerOf(TEXT.replace('NR 257', 'NR 5').replace('ABI:2', 'ABI:1'), 10.1, 11).end();
  const name = process.arch === 'x64' ? 'open ENOENT' : '32-bit call 5 ENOENT';
  expect(found.filter(({ kind }) => kind === 'error')).toMatchObject([{ name, value: 1 }]);
  // Without a stack they stand in the same line.
  const line = ' 9495 10.100000000: raw_syscalls:sys_exit: NR 5 = -2 ABI:1    IP:0x8048069 ';
  expect(readerOf(line, 10.1, 11).end()).toMatchObject([{ name, value: 1 }]);
});

it('knows states as plugins of libtraceevent tell them, and none of what it can not read', () => {
  const reported = TEXT.replace(
    /prev_comm=(.*) prev_pid=(\d+) prev_prio=(\d+) prev_state=(\S+) ==> .*/g,
    (_, comm, pid, priority, state) => `${comm}:${pid} [${priority}] ${state} ==> bash:1 [120]`,
  );
  expect(reported).not.toContain('prev_state');
  expect(readerOf(reported, 10.1, 11).end()).toEqual(readerOf(TEXT, 10.1, 11).end());
  expect(readerOf(reported, 10.1, 11).isUnreadable).toBe(false);
  expect(readerOf(TEXT, 10.1, 11).isUnreadable).toBe(false);
  // A thread calls itself as it likes.
  const named = TEXT.replace('prev_comm=d ', 'prev_comm=d prev_state=R ');
  expect(readerOf(named, 10.1, 11).end()).toEqual(readerOf(TEXT, 10.1, 11).end());
  const other = '1 10.200000000:    sched:sched_switch: something else';
  expect(readerOf(other, 10, 11).isUnreadable).toBe(true);
});

it('what was lost is known', () => {
  expect(readerOf(TEXT, 10, 11).isIncomplete).toBe(false);
  expect(readerOf(`${TEXT}\n    0 10.700000000: PERF_RECORD_LOST lost 12\n`, 10, 11).isIncomplete).toBe(true);
});

it.each([
  ['page fault (block I/O)', 'io_schedule folio_wait_bit_common filemap_fault handle_mm_fault exc_page_fault'],
  ['fsync (block I/O)', 'schedule io_schedule ext4_sync_file __x64_sys_fsync do_syscall_64'],
  [
    'recvfrom (socket)',
    'schedule_timeout unix_stream_read_generic __sys_recvfrom __x64_sys_recvfrom x64_sys_call do_syscall_64',
  ],
  ['clock_nanosleep', 'do_nanosleep hrtimer_nanosleep __arm64_sys_clock_nanosleep invoke_syscall el0_svc'],
  ['wait4', 'schedule do_wait kernel_wait4 do_syscall_64'],
  ['the kernel', 'schedule ret_from_fork'],
])('%s', (name, frames) => {
  expect(waitName(frames.split(' '))).toBe(name);
});
