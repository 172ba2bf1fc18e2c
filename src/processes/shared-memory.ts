import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Folder in which uftrace has its recording buffers; a killed one leaves them there. */
const SHARED = '/dev/shm';

/** Removes what recorders that wrote into this folder, or one below it, left in shared memory: each has a number of its own. */
export function forgetShared(folder: string, shared = SHARED): void {
  const numbers = namesIn(folder, true).flatMap((path) => /(?:^|\/)sid-([\da-f]{16})\.map$/.exec(path)?.[1] ?? []);
  if (numbers.length === 0) return;
  for (const name of namesIn(shared)) {
    if (numbers.some((number) => name.startsWith(`uftrace-${number}-`))) rmSync(join(shared, name), { force: true });
  }
}

export function namesIn(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' });
  } catch {
    return [];
  }
}
