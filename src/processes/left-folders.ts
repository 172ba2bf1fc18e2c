import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { getErrorCode, messageOf } from '../errors.ts';
import { digestKey, keyedDigest } from '../system/digest-key.ts';
import { privateFolder, readOwnFile, stateFolder } from '../system/state.ts';
import { type IsAbandoned, machineId, ownerToken } from './owner.ts';
import { forgetShared } from './shared-memory.ts';

/** Prefix of folders that hold the local end of a connection to another machine's engine. */
export const LINE_PREFIX = 'joulediff-line-';

/** Prefix of folders that observers of extra runs write into. */
export const OBSERVING_PREFIX = 'joulediff-observing-';

/** Prefix of folders for the logs of listing benchmarks. */
export const LIST_PREFIX = 'joulediff-list-';

/** Prefixes of temporary folders, and what the log says of one that is removed. */
const PURPOSES = {
  'joulediff-checkout-': 'checkouts in',
  'joulediff-history-': 'temporary folder',
  'joulediff-profile-': 'temporary folder',
  [OBSERVING_PREFIX]: 'files of observers in',
  [LIST_PREFIX]: 'temporary folder',
  'joulediff-guest-': 'disk of a guest in',
  [LINE_PREFIX]: 'socket of ssh in',
  'joulediff-podman-': 'socket of Podman in',
  'joulediff-artifact-': 'copy of a result in',
  'joulediff-page-': 'copy of a report in',
};

/** File in a folder that names its owner. Its mode allows execution, so that it shows whether its file system does. */
export const OWNER_FILE = 'joulediff-owner.json';

/** Upper bound on the size of a mark: far more than the commands of an experiment or the interrupts of a large machine need. */
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
    const mark = { owner: ownerToken(), experiment: experimentId, machineId: machineId(), ...more };
    const text = JSON.stringify({ seal: computeSeal(path, mark), ...mark });
    writeFileSync(join(path, OWNER_FILE), text, { flag: 'wx', mode: 0o700 });
    return path;
  } catch (cause) {
    removeFolder(path);
    throw cause;
  }
}

/** Seal of a mark; it holds for a folder with this name only. */
const computeSeal = (path: string, mark: object): string =>
  keyedDigest(digestKey(), 'mark', basename(path), JSON.stringify(mark));

/** Makes a folder with a note of what is to be done if this process is killed; `leftNotes` finds it. Throws as `makeMarkedFolder`. */
export const makeNote = (prefix: string, experimentId: string, more: object): string =>
  makeMarkedFolder(privateFolder(), prefix, experimentId, more);

/** Existing folders that temporary folders may be in, also those of earlier processes with another environment. */
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

/** Notes that killed processes left. Only those in private folders of this user are acted on. */
export const leftNotes = (prefix: string, isAbandoned: IsAbandoned): LeftFolder[] =>
  leftFolders(prefix, isAbandoned, [privateFolder()]);

/** Folders with this prefix that a killed process of this machine left. Those of other machines that share the disk stay: their processes can't be seen. */
export function leftFolders(prefix: string, isAbandoned: IsAbandoned, bases = folderBases()): LeftFolder[] {
  return bases.flatMap((base) =>
    namesIn(base, prefix).flatMap((name) => {
      const path = join(base, name);
      const mark = isOurs(path) ? readMark(path) : null;
      return mark !== null && isAbandoned({ ...mark, mayBeElsewhere: false }) ? [{ path, mark }] : [];
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

/** Whether only this user can have put the folder there, written in it or listed it; it is no symbolic link. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o066) === 0;
}

function readMark(path: string): { owner: string; experiment: string } | null {
  try {
    const { seal, ...mark } = JSON.parse(readOwnFile(join(path, OWNER_FILE), MAX_MARK_BYTES));
    const isWhole = typeof mark.owner === 'string' && typeof mark.experiment === 'string';
    const isHere = (mark.machineId ?? machineId()) === machineId();
    return isWhole && isHere && seal === computeSeal(path, mark) ? mark : null;
  } catch {
    return null;
  }
}

/** Removes a folder with its contents. Null: it is gone; else a sentence on what is left. */
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
      if (!['EACCES', 'EPERM'].includes(getErrorCode(cause))) throw cause;
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
