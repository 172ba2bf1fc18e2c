import { type MakeDirectoryOptions, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../errors.ts';

/**
 * Makes a folder and those above it that aren't there. Node's own `recursive` tries for ever where a file system takes no folders and says that
 * none is there, as /proc does. Throws what the system throws.
 */
export function makeFolder(path: string, options: Pick<MakeDirectoryOptions, 'mode'> = {}): void {
  try {
    mkdirSync(path, options);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST' && statSync(path).isDirectory()) return;
    if (codeOf(cause) !== 'ENOENT' || dirname(path) === path) throw cause;
    makeFolder(dirname(path), options);
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    mkdirSync(path, options);
  }
}
