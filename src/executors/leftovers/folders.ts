import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { codeOf, messageOf } from '../../errors.ts';
import { forgetShared } from '../../observers/uftrace/shared-memory.ts';
import { stateFolder } from '../../system/state.ts';
import { type IsAbandoned, ownerToken } from './owner.ts';

/** Of the folder that holds this end of ssh's way to another machine's engine. */
export const LINE_PREFIX = 'joulediff-line-';

/** Of the folder that observers of extra runs write into. */
export const OBSERVING_PREFIX = 'joulediff-observing-';

/** How the names of temporary folders begin, and what is said of one that is removed. */
const PURPOSES = {
  'joulediff-checkout-': 'checkouts in',
  'joulediff-history-': 'temporary folder',
  'joulediff-profile-': 'temporary folder',
  [OBSERVING_PREFIX]: 'files of observers in',
  'joulediff-guest-': 'disk of a guest in',
  [LINE_PREFIX]: 'socket of ssh in',
  'joulediff-podman-': 'socket of Podman in',
  'joulediff-artifact-': 'copy of a result in',
  'joulediff-page-': 'copy of a report in',
};

/** The file in a folder that names its owner. It may be executed, where its file system allows that. */
export const OWNER_FILE = 'joulediff-owner.json';

/**
 * Makes a private folder that names its owner, so that a later start knows it if this process is killed; `more` is in its mark too.
 * Throws what the system says; nothing is left then.
 */
export function makeMarkedFolder(base: string, prefix: string, experimentId: string, more: object = {}): string {
  const path = mkdtempSync(join(base, prefix));
  try {
    // Before anything else is in it: a folder without this mark is never removed by a later start.
    const mark = JSON.stringify({ owner: ownerToken(), experiment: experimentId, ...more });
    writeFileSync(join(path, OWNER_FILE), mark, { flag: 'wx', mode: 0o700 });
    return path;
  } catch (cause) {
    removeFolder(path);
    throw cause;
  }
}

/** Where such folders may be, as far as they are there: those of before may have been made with another environment. */
export function folderBases(): string[] {
  const given = [process.env.RUNNER_TEMP, process.env.TMPDIR].filter((path) => path !== undefined && isAbsolute(path));
  return [...new Set([...(given as string[]), '/var/tmp', tmpdir(), stateFolder(), '/tmp'])].filter((path) =>
    existsSync(path),
  );
}

/**
 * Removes the temporary folders that killed processes of this user left. `isAbandoned` judges by the marks in them.
 *
 * @returns a line for the log for each
 */
export function removeLeftFolders(isAbandoned: IsAbandoned): string[] {
  return Object.entries(PURPOSES).flatMap(([prefix, purpose]) =>
    leftFolders(prefix, isAbandoned).map(({ path }) => {
      if (prefix === OBSERVING_PREFIX) forgetShared(path);
      return removeFolder(path) ?? `Removed the ${purpose} ${path} that an earlier experiment left.`;
    }),
  );
}

/** A private folder of a killed process of this user, with what its mark says. */
export interface LeftFolder {
  readonly path: string;
  readonly mark: Readonly<Record<string, unknown>>;
}

/** Folders whose names begin so and that `isAbandoned` says nobody waits for. */
export function leftFolders(prefix: string, isAbandoned: IsAbandoned): LeftFolder[] {
  return folderBases().flatMap((base) =>
    namesIn(base, prefix).flatMap((name) => {
      const path = join(base, name);
      const mark = isOurs(path) ? readMark(path) : null;
      return mark !== null && isAbandoned({ ...mark, running: false }) ? [{ path, mark }] : [];
    }),
  );
}

function namesIn(base: string, prefix: string): string[] {
  try {
    return readdirSync(base).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

/** A folder of this user that nobody else could have put there, written in or listed; no symbolic link. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o066) === 0;
}

function readMark(path: string): { owner: string; experiment: string } | null {
  try {
    const mark = JSON.parse(readFileSync(join(path, OWNER_FILE), 'utf8'));
    return typeof mark.owner === 'string' && typeof mark.experiment === 'string' ? mark : null;
  } catch {
    return null;
  }
}

/** Removes it with all that is in it. Null: it is gone; else a sentence that tells what is left. */
export function removeFolder(path: string): string | null {
  try {
    empty(path);
    // The mark goes last: what could not be removed stays known as ours.
    rmSync(path, { recursive: true, force: true });
    return null;
  } catch (cause) {
    return `The folder ${path} could not be removed: ${messageOf(cause)}. A container may have left files of another user there: sudo rm -rf ${path}`;
  }
}

function empty(path: string): void {
  for (const name of readdirSync(path).filter((entry) => entry !== OWNER_FILE)) {
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
