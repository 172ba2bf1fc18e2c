import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { removeAbandoned, temporaryFor } from './temporary.ts';

/**
 * Writes a file whole or not at all (somebody may be reading it), and its folder where that is missing. Of an iterable no more than one part
 * is held. A link in the file's place is replaced, not followed. Throws what the file system or the iterable throws; then the file is as it was.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
): Promise<void> {
  makeFolder(dirname(path));
  removeAbandoned(dirname(path), basename(path));
  const temporary = temporaryFor(path);
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
