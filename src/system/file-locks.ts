import { readFileSync, statSync } from 'node:fs';

/** Kinds of locks as /proc/locks names them: flock(2) and fcntl(2). */
export type LockKind = 'FLOCK' | 'POSIX';

/**
 * Id of the process that holds a lock on a file; null: no process, or one in another pid namespace.
 * Source is the kernel (man 5 proc_locks), not the file's content. Throws the system's error.
 */
export function lockingProcess(path: string, kind: LockKind): number | null {
  const { dev, ino } = statSync(path, { bigint: true });
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  const hex = (number: bigint) => number.toString(16).padStart(2, '0');
  const inode = `${hex(major)}:${hex(minor)}:${ino}`;
  for (const line of readFileSync('/proc/locks', 'utf8').split('\n')) {
    const [, , , , pid, where] = line.trim().split(/\s+/);
    if (where === inode && line.includes(` ${kind} `) && !line.includes('->')) return Number(pid);
  }
  return null;
}
