import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file whole or not at all (somebody may be reading it), and its folder where that is missing. Of an iterable no more than one part
 * is held. A link in the file's place is replaced, not followed. Throws what the file system or the iterable throws; then the file is as it was.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // A name that nobody can foresee, and that must be new: a link can't be laid in its way.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
