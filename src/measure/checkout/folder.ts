import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MeasureError, messageOf } from '../../errors.ts';
import { folderBases, makeMarkedFolder, OWNER_FILE, removeFolder } from '../../processes/left-folders.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { stateFolder } from '../../system/state.ts';

/** A private folder for checkouts, outside of the repository. */
export interface CheckoutFolder {
  readonly path: string;
  /** Removes it. Null: it is gone; else a sentence on what is left. */
  remove(): string | null;
}

/**
 * Makes it where the files lie on a disk, as those of a working tree do, and where programs may be started: the runner's folder for passing
 * files, TMPDIR where it is set, else /var/tmp, or the user's own folder of state. Throws MeasureError when none can be made.
 */
export function makeCheckoutFolder(experimentId: string): CheckoutFolder {
  const problems: string[] = [];
  for (const base of [...folderBases(), stateFolder()]) {
    try {
      makeFolder(base);
      const path = makeMarkedFolder(base, 'joulediff-checkout-', experimentId);
      const remove = () => removeFolder(path);
      if (startsPrograms(join(path, OWNER_FILE))) return { path, remove };
      remove();
      problems.push(`${base} is mounted so that nothing in it can be started (noexec)`);
    } catch (cause) {
      problems.push(messageOf(cause));
    }
  }
  throw new MeasureError(`No folder for checkouts could be made: ${problems.join('; ')}.`, {
    advice: 'Set TMPDIR to another folder.',
  });
}

/** Whether the file system lets programs start; `path` is a file whose own mode does. */
function startsPrograms(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A new folder inside, whose name is as long as every other's: the length of a path is part of what programs are run with. */
export function newFolder(folder: CheckoutFolder): string {
  const path = join(folder.path, randomUUID().slice(0, 8));
  mkdirSync(path);
  return path;
}
