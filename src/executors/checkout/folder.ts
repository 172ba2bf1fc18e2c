import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { codeOf, MeasureError, messageOf } from '../../errors.ts';
import { stateFolder } from '../../system/state.ts';
import { type IsAbandoned, ownerToken } from '../leftovers/owner.ts';

const PREFIX = 'joulediff-checkout-';
/** For the work on a history's branch: src/history/stores/git.ts makes such folders. */
export const HISTORY_PREFIX = 'joulediff-history-';
const MARK = 'joulediff-owner.json';

/** A private folder for checkouts, outside of the repository. */
export interface CheckoutFolder {
  readonly path: string;
  /** Null: it is gone; else a sentence that tells what is left. */
  remove(): string | null;
}

/**
 * Makes it where the files lie on a disk, as those of a working tree do, and where programs may be started: the runner's folder for passing
 * files, TMPDIR where it is set, else /var/tmp, or the user's own folder of state. Throws MeasureError when none can be made.
 */
export function makeFolder(experimentId: string): CheckoutFolder {
  const problems: string[] = [];
  for (const base of [...bases(), stateFolder()]) {
    let path: string | null = null;
    try {
      mkdirSync(base, { recursive: true });
      path = mkdtempSync(join(base, PREFIX));
      markFolder(path, experimentId);
      if (startsPrograms(join(path, MARK))) return folderAt(path);
      removeFolder(path);
      problems.push(`${base} is mounted so that nothing in it can be started (noexec)`);
    } catch (cause) {
      if (path !== null) removeFolder(path);
      problems.push(messageOf(cause));
    }
  }
  throw new MeasureError(`No folder for checkouts could be made: ${problems.join('; ')}.`, {
    advice: 'TMPDIR names another place.',
  });
}

/** Before anything else is in it: a folder without this mark is never removed by a later start. */
export function markFolder(path: string, experimentId: string): void {
  const mark = JSON.stringify({ owner: ownerToken(), experiment: experimentId });
  writeFileSync(join(path, MARK), mark, { flag: 'wx', mode: 0o700 });
}

function folderAt(path: string): CheckoutFolder {
  return { path, remove: () => removeFolder(path) };
}

/** Asked of a file whose mode allows it: the answer is that of its file system. */
function startsPrograms(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where such folders may be: those of before may have been made with another environment. */
function bases(): string[] {
  const given = [process.env.RUNNER_TEMP, process.env.TMPDIR].filter((path) => path !== undefined && isAbsolute(path));
  return [...new Set([...(given as string[]), '/var/tmp', tmpdir(), stateFolder()])].filter((path) => existsSync(path));
}

/**
 * Removes the temporary folders that killed processes of this user left. `isAbandoned` judges by the marks in them.
 *
 * @returns a line for the log for each
 */
export function removeLeftFolders(isAbandoned: IsAbandoned): string[] {
  return bases().flatMap((base) =>
    namesIn(base).flatMap((name) => {
      const path = join(base, name);
      const mark = isOurs(path) ? readMark(path) : null;
      if (mark === null || !isAbandoned({ ...mark, running: false })) return [];
      const what = name.startsWith(PREFIX) ? 'checkouts in' : 'temporary folder';
      return [removeFolder(path) ?? `Removed the ${what} ${path} that an earlier experiment left.`];
    }),
  );
}

function namesIn(base: string): string[] {
  try {
    return readdirSync(base).filter((name) => name.startsWith(PREFIX) || name.startsWith(HISTORY_PREFIX));
  } catch {
    return [];
  }
}

/** A folder of this user that nobody else could have put there or written in; no symbolic link. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

function readMark(path: string): { owner: string; experiment: string } | null {
  try {
    const { owner, experiment } = JSON.parse(readFileSync(join(path, MARK), 'utf8'));
    return typeof owner === 'string' && typeof experiment === 'string' ? { owner, experiment } : null;
  } catch {
    return null;
  }
}

function removeFolder(path: string): string | null {
  try {
    empty(path);
    // The mark goes last: what could not be removed stays known as ours.
    rmSync(path, { recursive: true, force: true });
    return null;
  } catch (cause) {
    return `The checkouts in ${path} could not be removed: ${messageOf(cause)}. A container may have left files of another user there: sudo rm -rf ${path}`;
  }
}

function empty(path: string): void {
  for (const name of readdirSync(path).filter((entry) => entry !== MARK)) {
    const entry = join(path, name);
    try {
      rmSync(entry, { recursive: true, force: true });
    } catch (cause) {
      if (!['EACCES', 'EPERM'].includes(codeOf(cause))) throw cause;
      // A workload may have made folders that nothing can be removed from, as the cache of Go modules is.
      openUp(entry);
      rmSync(entry, { recursive: true, force: true });
    }
  }
}

function openUp(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openUp(join(path, name));
}

/** A new folder inside, whose name is as long as every other's: the length of a path is part of what programs are run with. */
export function newFolder(folder: CheckoutFolder): string {
  const path = join(folder.path, randomUUID().slice(0, 8));
  mkdirSync(path);
  return path;
}
