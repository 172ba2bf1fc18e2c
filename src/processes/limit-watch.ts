import { readFileSync } from 'node:fs';
import type { Limit } from '../contracts/execution.ts';
import type { Limits } from './limits.ts';

/** Poll interval: short enough to save a machine from running out of memory, long enough not to disturb a workload. */
const PERIOD_MS = 1000;

export interface LimitWatch {
  /** Limits that are polled; null ones are not. */
  readonly limits: Limits;
  /** Processes of a run at this moment. */
  processes(): readonly number[];
  /** Bytes of memory that the machine used before the processes began; absent: those used now. For tests. */
  readonly usedBefore?: number | undefined;
  /** Called once, by the poll that found more than the limit. */
  onReached(limit: Limit): void;
}

/** Polls once a second what a run uses, where no control group holds it. Gives what ends the polling. */
export function watchLimits({ limits, processes, usedBefore, onReached }: LimitWatch): () => void {
  if (limits.pids === null && limits.memoryBytes === null) return () => {};
  const before = usedBefore ?? usedBytes();
  const timer = setInterval(() => {
    const limit = limitReached(limits, { usedBefore: before, processes });
    if (limit === null) return;
    clearInterval(timer);
    onReached(limit);
  }, PERIOD_MS);
  return () => clearInterval(timer);
}

/**
 * The limit that the processes exceed; null: none. First, two small files tell the machine's threads, and the memory that it uses more than before.
 * These are upper bounds: only where one exceeds a limit, each process is read, to tell their use from that of others.
 */
export function limitReached(
  { pids, memoryBytes }: Limits,
  { usedBefore, processes }: { readonly usedBefore: number; processes(): readonly number[] },
): Limit | null {
  if (pids !== null && threadsOfMachine() > pids && sumOf(processes(), countThreads) > pids) return 'processes';
  if (memoryBytes === null || usedBytes() - usedBefore <= memoryBytes) return null;
  return sumOf(processes(), readResidentBytes) > memoryBytes ? 'memory' : null;
}

/** Bytes of the machine's memory that the kernel can't reclaim. */
export function usedBytes(): number {
  const text = textOf('/proc/meminfo');
  return bytesIn(text, 'MemTotal') - bytesIn(text, 'MemAvailable');
}

/** Bytes of memory that are still available, swap included. */
export function freeBytes(): number {
  const text = textOf('/proc/meminfo');
  return bytesIn(text, 'MemAvailable') + bytesIn(text, 'SwapFree');
}

/** How often the kernel has ended a process since boot because memory ran out (from Linux 4.13 on, else 0). */
export const endedForMemory = (): number => Number(/^oom_kill (\d+)$/m.exec(textOf('/proc/vmstat'))?.[1] ?? 0);

const sumOf = (pids: readonly number[], amountOf: (pid: number) => number): number =>
  pids.reduce((sum, pid) => sum + amountOf(pid), 0);

/** Threads of the whole machine: the fourth field of /proc/loadavg is `running/all` (proc(5)). */
export const threadsOfMachine = (): number => Number(/\/(\d+) /.exec(textOf('/proc/loadavg'))?.[1] ?? 0);

const countThreads = (pid: number): number =>
  Number(/^Threads:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);

function readResidentBytes(pid: number): number {
  const text = textOf(`/proc/${pid}/status`);
  return bytesIn(text, 'RssAnon') + bytesIn(text, 'RssShmem');
}

const bytesIn = (text: string, name: string): number =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);

/** Text of a file; empty where there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
