import { constants } from 'node:fs';
import { glob, lstat, open } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { MOST } from '../findings/read-findings.ts';
import type { Source } from './gathered.ts';

const FILE = 'findings.json';

/**
 * The folders with findings that `patterns` name, such as `results/*`: one artifact each, as actions/download-artifact lays them down. A
 * folder without a findings.json is none of them. Links are not followed: a workload may have laid one that leads to a secret.
 */
export async function resultFolders(patterns: readonly string[], directory: string): Promise<Source[]> {
  const folders = new Set<string>();
  for await (const path of glob(patterns, { cwd: directory })) {
    const folder = resolve(directory, basename(path) === FILE ? join(path, '..') : path);
    if (await holdsResult(folder)) {
      folders.add(folder);
    }
  }
  return [...folders].sort().map((folder) => ({ name: basename(folder), open: () => read(join(folder, FILE)) }));
}

async function holdsResult(folder: string): Promise<boolean> {
  const stats = await Promise.all([folder, join(folder, FILE)].map((path) => lstat(path).catch(() => null)));
  return stats[0]?.isDirectory() === true && stats[1] !== null;
}

async function read(path: string): Promise<Buffer> {
  // Without O_NONBLOCK a pipe in the file's place would wait for its writer for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) {
      throw new Error(`${FILE} is not a file`);
    }
    if (stats.size > MOST.bytes) {
      throw new Error(`${FILE} has ${stats.size} bytes, and ${MOST.bytes} are the most`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}
