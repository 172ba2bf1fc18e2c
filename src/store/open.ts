import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { getErrorCode, InputError, messageOf } from '../errors.ts';
import { ALTERED_ID, APPLICATION_ID } from '../system/output-folder.ts';
import { FIRST_VERSION, MIGRATIONS, migrate, versionAfter, versionOf } from './migrations.ts';
import { LIMITS } from './sound.ts';
import { verify } from './verify.ts';

export interface OpenOptions {
  readonly readonly: boolean;
  /** Other migrations than those of this version, for tests. */
  readonly migrations?: readonly string[] | undefined;
}

export const ALTERED_ADVICE =
  'Measure again, without --resume. Give the workload a user of its own (see user), which has no access to the database.';

/** Maximum wait for another process's transaction, milliseconds. */
const BUSY_MS = 2000;

/**
 * Opens an experiment.db in its newest version and verifies it. An older one is migrated: in the file, or in a copy in memory if it
 * can't be written. Throws InputError when the file is missing, no database, a database of another program, damaged, made up, or of a version
 * that this program can't read.
 */
export function openDatabase(path: string, { readonly, migrations = MIGRATIONS }: OpenOptions): Database.Database {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new InputError(`There is no file ${path}.`, {
      advice:
        'Give the folder of a result, or its experiment.db. joulediff run and joulediff compare write theirs into joulediff-out.',
    });
  }
  // Opening a pipe or a device could block for ever.
  if (!found.isFile()) throw new InputError(`${path} is not a file.`);
  if (found.size > LIMITS.bytes) {
    throw new InputError(`${path} has ${found.size} bytes; an experiment.db has ${LIMITS.bytes} at most.`);
  }
  let db: Database.Database | undefined;
  try {
    // An absolute path, since SQLite takes a path that begins with "file:" for a URI with options.
    db = new Database(resolve(path), { readonly, fileMustExist: true, timeout: BUSY_MS });
    // A foreign schema must not call our functions; better-sqlite3 enables defensive mode by itself.
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    const application = db.pragma('application_id', { simple: true });
    if (application === ALTERED_ID) {
      throw new InputError(`Another program changed ${path} while it was measured: its numbers can't be trusted.`, {
        advice: ALTERED_ADVICE,
      });
    }
    if (application !== APPLICATION_ID) throw new InputError(`${path} is a database, but not one of joulediff.`);
    checkVersion(path, versionOf(db), versionAfter(migrations));
    verify(db, migrations);
    if (versionOf(db) < versionAfter(migrations)) {
      if (readonly) db = copyInMemory(db);
      migrate(db, migrations);
    }
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof InputError) throw cause;
    const isBusy = getErrorCode(cause).startsWith('SQLITE_BUSY');
    throw new InputError(`${path} could not be read as an experiment.db: ${messageOf(cause)}.`, {
      advice: isBusy ? 'Another program is writing to it; wait until it has ended.' : undefined,
      cause,
    });
  }
}

function checkVersion(path: string, version: number, newest: number): void {
  if (version < FIRST_VERSION) {
    throw new InputError(
      `${path} was written by a joulediff from before its first release, and this version can't read it.`,
      { advice: 'Measure the experiment again.' },
    );
  }
  if (version > newest) {
    throw new InputError(
      `${path} was made by a newer joulediff (its schema is ${version}, this one knows ${newest}).`,
      { advice: 'Update joulediff.' },
    );
  }
}

function copyInMemory(db: Database.Database): Database.Database {
  const copy = new Database(db.serialize());
  db.close();
  return copy;
}
