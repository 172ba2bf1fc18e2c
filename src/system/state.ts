import { lstatSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { codeOf, InputError } from '../errors.ts';
import { replaceFile } from './replace-file.ts';
import { homeFolder } from './user.ts';

/**
 * Where this user's joulediff keeps what outlives an experiment. XDG Base Directory Specification: a path that is not absolute is ignored. A user
 * without a home folder has a private folder in /var/tmp; throws InputError where that belongs to somebody else.
 */
export function stateFolder(): string {
  const given = process.env.XDG_STATE_HOME;
  if (given !== undefined && isAbsolute(given)) return join(given, 'joulediff');
  const home = homeFolder();
  return home === null ? homelessFolder() : join(home, '.local', 'state', 'joulediff');
}

function homelessFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = `/var/tmp/joulediff-${uid}`;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new InputError(`The user ${uid} has no home folder, and ${folder} is not a private folder of this user.`, {
      advice: 'Set HOME or XDG_STATE_HOME to a folder that only this user can read.',
    });
  }
  return folder;
}

/** Keeps a value as a JSON file. Throws what the system says. */
export function writeState(path: string, value: unknown): Promise<void> {
  return replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
