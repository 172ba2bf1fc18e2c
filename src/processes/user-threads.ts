import { readdirSync, readFileSync } from 'node:fs';

/** Threads that a user has now: what the kernel counts against RLIMIT_NPROC. */
export function threadsOfUser(uid: number): number {
  let threads = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) === uid) threads += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]);
    } catch {
      // Gone meanwhile.
    }
  }
  return threads;
}
