import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { codeOf, messageOf } from '../errors.ts';
import { digestKey, keyedDigest } from '../system/digest-key.ts';
import { privateFolder, readOwnFile, stateFolder } from '../system/state.ts';
import { type IsAbandoned, ownerToken } from './owner.ts';
import { forgetShared } from './shared-memory.ts';

/** Beginning of the name of the folder that holds this end of a connection to another machine's engine. */
export const LINE_PREFIX = 'joulediff-line-';

/** Beginning of the name of the folder that observers of extra runs write into. */
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

/** Far more than a mark with the commands of an experiment, or with the interrupts of a large machine, has. */
const MAX_MARK_BYTES = 1024 * 1024;

/**
 * Makes a private folder that names its owner, so that a later start knows it if this process is killed; `more` is in its mark too. The mark is
 * sealed with this user's key: others can write into temporary folders, and a container that has one as a volume can do so as this user.
 * Throws what the system says; nothing is left then.
 */
export function makeMarkedFolder(base: string, prefix: string, experimentId: string, more: object = {}): string {
  const path = mkdtempSync(join(base, prefix));
  try {
    // Before anything else is in it: a folder without this mark is never removed by a later start.
    const mark = { owner: ownerToken(), experiment: experimentId, ...more };
    const text = JSON.stringify({ seal: sealOf(path, mark), ...mark });
    writeFileSync(join(path, OWNER_FILE), text, { flag: 'wx', mode: 0o700 });
    return path;
  } catch (cause) {
    removeFolder(path);
    throw cause;
  }
}

/** It holds for a folder of this name alone. */
const sealOf = (path: string, mark: object): string =>
  keyedDigest(digestKey(), 'mark', basename(path), JSON.stringify(mark));

/** Makes a folder with a note of what is to be done if this process is killed, where `leftNotes` finds it. Throws as `makeMarkedFolder`. */
export const makeNote = (prefix: string, experimentId: string, more: object): string =>
  makeMarkedFolder(privateFolder(), prefix, experimentId, more);

/** Where such folders may be, as far as they are there: those of before may have been made with another environment. */
export function folderBases(): string[] {
  const given = [process.env.RUNNER_TEMP, process.env.TMPDIR].filter((path) => path !== undefined && isAbsolute(path));
  return [...new Set([...(given as string[]), '/var/tmp', tmpdir(), stateFolder(), privateFolder(), '/tmp'])].filter(
    (path) => existsSync(path),
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

/** Notes that name what is to be done: only what this user's private folder holds is acted on. */
export const leftNotes = (prefix: string, isAbandoned: IsAbandoned): LeftFolder[] =>
  leftFolders(prefix, isAbandoned, [privateFolder()]);

/** Folders whose names begin so and that `isAbandoned` says nobody waits for. */
export function leftFolders(prefix: string, isAbandoned: IsAbandoned, bases = folderBases()): LeftFolder[] {
  return bases.flatMap((base) =>
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
    const { seal, ...mark } = JSON.parse(readOwnFile(join(path, OWNER_FILE), MAX_MARK_BYTES));
    const isWhole = typeof mark.owner === 'string' && typeof mark.experiment === 'string';
    return isWhole && seal === sealOf(path, mark) ? mark : null;
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
