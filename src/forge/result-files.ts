import { opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface ResultFiles {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  /** Relative paths that an artifact can't hold. */
  readonly leftOut: readonly string[];
}

/** Characters that the artifact service refuses in paths, and with one of them the whole upload. */
const REFUSED = /["<>|*?:\r\n\\]/;
const MOST = 10_000;

/**
 * The regular files below a result directory. Symbolic links are left out: a workload could have laid one there that
 * leads to a secret. Throws where the directory can't be read.
 */
export async function listResultFiles(directory: string): Promise<ResultFiles> {
  const files: string[] = [];
  const leftOut: string[] = [];
  for await (const entry of await opendir(directory, { recursive: true })) {
    if (entry.isDirectory()) {
      continue;
    }
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path);
    // The write-ahead log belongs to the database; its index is made anew by whoever opens it.
    if (name.endsWith('.db-shm')) {
      continue;
    }
    const fits = entry.isFile() && !REFUSED.test(name) && files.length < MOST;
    (fits ? files : leftOut).push(fits ? path : name);
  }
  return { files: files.sort(), leftOut: leftOut.sort() };
}
