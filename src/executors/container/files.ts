import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import tar from 'tar-fs';
import { withDeadline } from '../../system/deadline.ts';
import { makeFolder } from '../../system/make-folder.ts';

const COPY_MS = 60_000;
const ALL_MS = 300_000;
/** Upper bound on the files that are copied from one run: programs and libraries. */
const MAX_FILES = 2000;
/** Upper bound on the bytes of one file: a program with all debug information. */
const MAX_BYTES = 2 ** 30;

/**
 * Copies regular files of a container into a folder, under the paths that they have there; one that isn't there, is no file, or comes too late is left out. What comes
 * out of a container may be hostile: nothing but the content of the file is taken from it.
 */
export async function copyFiles(container: Docker.Container, paths: readonly string[], into: string): Promise<void> {
  const endMs = performance.now() + ALL_MS;
  for (const path of paths.slice(0, MAX_FILES)) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) return;
    const target = within(into, path);
    if (target === null) continue;
    const copy = (abortSignal: AbortSignal) => copyOne(container, path, target, abortSignal);
    await withDeadline(copy, Math.min(COPY_MS, leftMs)).catch(() => {});
  }
}

/** Brings what was copied from several containers together in the first folder, without what is under one path in two of them and differs: nobody knows whose it is there. */
export function keepWhatAgrees(paths: readonly string[], [first = '', ...others]: readonly string[]): void {
  for (const path of paths) {
    const target = within(first, path);
    if (target === null) continue;
    for (const from of others.map((folder) => join(folder, path)).filter((one) => existsSync(one))) {
      if (existsSync(target)) {
        if (readFileSync(target).equals(readFileSync(from))) continue;
        rmSync(target);
        break;
      }
      makeFolder(dirname(target));
      renameSync(from, target);
    }
  }
  for (const folder of others) rmSync(folder, { recursive: true, force: true });
}

function within(folder: string, path: string): string | null {
  const target = normalize(join(folder, path));
  return target.startsWith(normalize(folder) + sep) && !target.endsWith(sep) ? target : null;
}

async function copyOne(container: Docker.Container, path: string, target: string, signal: AbortSignal): Promise<void> {
  makeFolder(dirname(target));
  // The options of this request are newer than the library's types.
  const archive = await container.getArchive({ path, abortSignal: signal } as { path: string });
  let isTaken = false;
  const extract = tar.extract(dirname(target), {
    dmode: 0o700,
    fmode: 0o600,
    map: (header) => ({ ...header, name: basename(target) }),
    ignore(_, header) {
      const isWanted = !isTaken && header?.type === 'file' && (header.size ?? 0) <= MAX_BYTES;
      isTaken ||= isWanted;
      return !isWanted;
    },
  });
  await pipeline(archive, extract, { signal });
}
