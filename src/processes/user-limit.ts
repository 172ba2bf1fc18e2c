import { readFileSync } from 'node:fs';
import { askProgram } from './ask-program.ts';
import { MAX_PIDS } from './limits.ts';
import { threadsOfUser } from './user-threads.ts';

/**
 * Lowers the soft limit of processes (RLIMIT_NPROC) of this process, and so of what it starts, to the user's present number plus `more`. The kernel
 * counts all threads of the user, and does not limit root. Gives how many more there may be; null: there is no limit.
 */
export function limitUser(uid: number, more = MAX_PIDS): number | null {
  if (uid === 0) return null;
  const most = threadsOfUser(uid) + more;
  const current = softLimit();
  if (current <= most) return more + current - most;
  return setSoftLimit(most) ? more : null;
}

/** The same for what `start` starts, and for nothing after it. */
export function underLimitOfUser<T>(uid: number, start: () => T): T {
  const before = softLimit();
  limitUser(uid);
  try {
    return start();
  } finally {
    if (softLimit() !== before) setSoftLimit(before);
  }
}

function setSoftLimit(most: number): boolean {
  const soft = Number.isFinite(most) ? most : 'unlimited';
  const { status } = askProgram('prlimit', [`--pid=${process.pid}`, `--nproc=${soft}:`]);
  return status === 0 && softLimit() === most;
}

function softLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const soft = /^Max processes\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
