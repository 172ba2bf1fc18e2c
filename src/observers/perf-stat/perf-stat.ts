import { existsSync } from 'node:fs';
import { nowNs } from '../../system/clock.ts';
import type { ObserverKind, Seen } from '../observer.ts';
import { CONTROL, tryOut, untilReady } from '../perf/control.ts';
import { ObserverError, Tool, takeLines } from '../tool.ts';
import { IntervalCounts } from './intervals.ts';

const INTERVAL_MS = 50;
const END_MS = 60_000;

/** Those that tell what a program does; all others are in `all`. Every one more takes perf a moment to begin and to end. */
const SYSCALLS = [
  ...[
    'read',
    'write',
    'pread64',
    'pwrite64',
    'readv',
    'writev',
    'openat',
    'close',
    'newfstatat',
    'fsync',
    'getdents64',
  ],
  ...[
    'sendto',
    'recvfrom',
    'sendmsg',
    'recvmsg',
    'accept4',
    'connect',
    'epoll_wait',
    'epoll_ctl',
    'poll',
    'ppoll',
    'select',
  ],
  ...['futex', 'nanosleep', 'clock_nanosleep', 'clock_gettime', 'sched_yield', 'mmap', 'munmap', 'madvise', 'brk'],
  ...['clone', 'clone3', 'execve', 'exit_group', 'wait4', 'getpid', 'ioctl'],
];
const TRACING = ['/sys/kernel/tracing', '/sys/kernel/debug/tracing'];
const SOFTWARE = ['task-clock', 'page-faults', 'major-faults', 'context-switches', 'cpu-migrations'];

/** Those that this machine has; the names of a kernel's calls are those of its processor. */
function events(): string[] {
  const tracing = TRACING.find((path) => existsSync(`${path}/events/raw_syscalls/sys_enter`));
  if (tracing === undefined) return SOFTWARE;
  const named = SYSCALLS.filter((name) => existsSync(`${tracing}/events/syscalls/sys_enter_${name}`));
  return [...SOFTWARE, 'raw_syscalls:sys_enter', ...named.map((name) => `syscalls:sys_enter_${name}`)];
}

const wordsOf = (group: string): string[] => ['-x', ',', '-a', '-e', events().join(), '--for-each-cgroup', group];

/** System calls, page faults, switches and processor time, counted by the kernel in stretches of 50 ms: all of them, at the cost of a few hundred cycles for a call. */
export const perfStat: ObserverKind = {
  name: 'perf-stat',
  async probe(_folder, group) {
    if (group === null) throw new ObserverError('no-group');
    await tryOut(() => Tool.start('perf', ['stat', ...wordsOf(group.name), '--', 'true']));
  },
  async start({ group, signal }) {
    if (group === null) throw new ObserverError('no-group');
    const tool = await Tool.start(
      'perf',
      ['stat', '-I', String(INTERVAL_MS), ...wordsOf(group.name), ...CONTROL],
      true,
    );
    const counts = new IntervalCounts();
    tool.child.stdout?.resume();
    takeLines(tool.child.stderr, (line) => counts.take(line, nowNs()));
    await untilReady(tool, signal);
    return {
      cancel: () => tool.kill(),
      async end(): Promise<Seen> {
        if (!tool.isRunning) throw tool.lost();
        // The last interval is written when it is asked to end.
        tool.interrupt();
        await tool.end(END_MS);
        return { counts: counts.all(), samples: [] };
      },
    };
  },
};
