import { existsSync } from 'node:fs';
import type { ObserverData, StretchCount } from '../../../../contracts/observation.ts';
import type { ObserverKind } from '../observer.ts';
import { tryOut } from '../perf/control.ts';
import { countingWords, startCounting } from '../perf/counting.ts';
import { type IntervalCount, isTime } from '../perf/intervals.ts';
import { ObserverError, Tool } from '../tool.ts';

/** System calls counted by name; others are only part of `all`. Each adds to perf's start and end time. */
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
const ALL_CALLS = 'raw_syscalls:sys_enter';

/** Folder of tracepoints; undefined: not mounted, or not accessible. */
const tracingFolder = (): string | undefined =>
  TRACING.find((path) => existsSync(`${path}/events/${ALL_CALLS.replace(':', '/')}`));

/** Events that exist on this machine; names of system calls differ between processors. */
function events(): string[] {
  const tracing = tracingFolder();
  if (tracing === undefined) return SOFTWARE;
  const named = SYSCALLS.filter((name) => existsSync(`${tracing}/events/syscalls/sys_enter_${name}`));
  return [...SOFTWARE, ALL_CALLS, ...named.map((name) => `syscalls:sys_enter_${name}`)];
}

/** System calls, page faults, switches and processor time, counted by the kernel in stretches of 50 ms: all of them, at the cost of a few hundred cycles for a call. */
export const perfStat: ObserverKind = {
  name: 'perf-stat',
  async probe(_folder, group) {
    if (group === null) throw new ObserverError('no-group');
    if (tracingFolder() === undefined) {
      // If the folder was not mounted since boot, perf mounts it at the first request for a tracepoint.
      await tryOut(() => Tool.start('perf', ['stat', '-a', '-e', ALL_CALLS, '--', 'true'])).catch(() => {});
    }
    await tryOut(() => Tool.start('perf', ['stat', ...countingWords(events(), group), '--', 'true']));
  },
  async start(target) {
    const counting = await startCounting(target, events(), 'counts.csv');
    return {
      cancel: counting.cancel,
      async end(window): Promise<ObserverData> {
        const { counts, origin } = await counting.end();
        if (!counts.isWhole()) throw new ObserverError('unreadable');
        return { counts: counts.all(origin, window).flatMap((count) => toStretchCount(count) ?? []), samples: [] };
      },
    };
  },
};

/** Null: the event is not reported. */
export function toStretchCount({ event, value, fromNs, toNs }: IntervalCount): StretchCount | null {
  const what = parseEvent(event);
  return what && { fromNs, toNs, ...what, value: what.kind === 'cpu' ? value / 1000 : value, errors: null };
}

function parseEvent(event: string): Pick<StretchCount, 'kind' | 'name'> | null {
  const call = /^syscalls:sys_enter_(\w+)/.exec(event)?.[1];
  if (call !== undefined) return { kind: 'syscall', name: call };
  if (event.startsWith('raw_syscalls:sys_enter')) return { kind: 'syscall', name: 'all' };
  if (isTime(event)) return { kind: 'cpu', name: 'task-clock' };
  if (/^(?:page|major)-faults/.test(event)) return { kind: 'fault', name: event.replace(/:.*$/, '') };
  if (/^(?:context-switches|cpu-migrations)/.test(event)) return { kind: 'switch', name: event.replace(/:.*$/, '') };
  return null;
}
