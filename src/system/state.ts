import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { getErrorCode, InputError } from '../errors.ts';
import { makeFolder } from './make-folder.ts';
import { replaceFile } from './replace-file.ts';
import { homeFolder } from './user.ts';

/**
 * Folder for this user's data that outlives an experiment. By the XDG Base Directory Specification, a relative path is ignored. A user
 * without a home folder gets a private one in /var/tmp; throws InputError if that belongs to somebody else.
 */
export function stateFolder(): string {
  const given = process.env.XDG_STATE_HOME;
  if (given !== undefined && isAbsolute(given)) return join(given, 'joulediff');
  const home = homeFolder();
  return home === null ? homelessFolder() : join(home, '.local', 'state', 'joulediff');
}

/** A folder that only this user can write to: the state folder, or if that fails, a private one that outlives a reboot. It is created if missing. */
export function privateFolder(): string {
  const folder = stateFolder();
  try {
    makeFolder(folder, { mode: 0o700 });
    accessSync(folder, constants.W_OK);
    if (isOnlyOurs(lstatSync(folder), 0o022)) return folder;
  } catch {
    // For example the home folders of system users, which nobody can write to.
  }
  return homelessFolder();
}

function homelessFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = `/var/tmp/joulediff-${uid}`;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new InputError(
      `The user ${uid} has no home folder that can be used, and ${folder} is not a private folder of this user.`,
      {
        advice: 'Set HOME or XDG_STATE_HOME to a folder that only this user can read.',
      },
    );
  }
  return folder;
}

/**
 * Text of a file that only this user or root can have written. Throws the system's error, or an Error for a link, a pipe, a device, another
 * user's file, or one of more than `mostBytes`.
 */
export function readOwnFile(path: string, mostBytes: number): string {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || !isOnlyOurs(found, 0o022) || found.size > mostBytes) {
      throw new Error(`${path} is not a file of this user of at most ${mostBytes} bytes`);
    }
    const bytes = Buffer.alloc(found.size);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Whether the file belongs to this user or root, and other users lack the permissions of `mode`. */
const isOnlyOurs = (found: Stats, mode: number): boolean =>
  [0, process.getuid?.()].includes(found.uid) && (found.mode & mode) === 0;

/** Stores a value as a JSON file. Throws the system's error. */
export function writeState(path: string, value: unknown): Promise<void> {
  return replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
