import { type MakeDirectoryOptions, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getErrorCode } from '../errors.ts';

/**
 * Makes a folder and its missing parents. Node's own `recursive` loops for ever on a file system that refuses folders with ENOENT,
 * as /proc does. Throws the system's error.
 */
export function makeFolder(path: string, options: Pick<MakeDirectoryOptions, 'mode'> = {}): void {
  try {
    mkdirSync(path, options);
  } catch (cause) {
    if (getErrorCode(cause) === 'EEXIST' && statSync(path).isDirectory()) return;
    if (getErrorCode(cause) !== 'ENOENT' || dirname(path) === path) throw cause;
    makeFolder(dirname(path), options);
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    mkdirSync(path, options);
  }
}
