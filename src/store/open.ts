import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { InputError, messageOf } from '../errors.ts';
import { APPLICATION_ID } from '../system/output-folder.ts';
import { FIRST_VERSION, MIGRATIONS, migrate, versionAfter, versionOf } from './migrations.ts';

export interface OpenOptions {
  readonly readonly: boolean;
  /** Others than those of this version, for tests. */
  readonly migrations?: readonly string[] | undefined;
}

/**
 * Opens an experiment.db in its newest version: an older one is migrated, where it may not be written in a copy in memory.
 * Throws InputError when the file is missing, no database, somebody else's database, or of a version that this one can't read.
 */
export function openDatabase(path: string, { readonly, migrations = MIGRATIONS }: OpenOptions): Database.Database {
  if (!existsSync(path)) throw new InputError(`There is no file ${path}.`);
  if (!statSync(path).isFile()) throw new InputError(`${path} is not a file.`);
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly, fileMustExist: true });
    const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
    if (!isOurs) throw new InputError(`${path} is a database, but not one of joulediff.`);
    const [version, newest] = [versionOf(db), versionAfter(migrations)];
    if (version < FIRST_VERSION) {
      throw new InputError(
        `${path} was made by a joulediff of before its first release, whose files this one can't read.`,
        {
          advice: 'Measure the experiment again.',
        },
      );
    }
    if (version > newest) {
      throw new InputError(
        `${path} was made by a newer joulediff (its schema is ${version}, this one knows ${newest}).`,
        {
          advice: 'Update joulediff.',
        },
      );
    }
    if (version < newest) {
      if (readonly) db = copyInMemory(db);
      migrate(db, migrations);
    }
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof InputError) throw cause;
    throw new InputError(`${path} could not be read as an experiment.db: ${messageOf(cause)}.`, { cause });
  }
}

function copyInMemory(db: Database.Database): Database.Database {
  const copy = new Database(db.serialize());
  db.close();
  return copy;
}
