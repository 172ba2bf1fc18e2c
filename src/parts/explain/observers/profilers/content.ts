import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { getErrorCode } from '../../../../errors.ts';
import { ObserverError } from '../tool.ts';

/** Content of a file that the workload may have replaced: only regular files, and at most this many bytes. */
export function readContent(path: string, most: number): Buffer {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw new ObserverError(getErrorCode(cause) === 'EACCES' ? 'other-user' : 'unreadable', { cause });
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new ObserverError('unreadable');
    if (found.size > most) throw new ObserverError('wrote-too-much');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
