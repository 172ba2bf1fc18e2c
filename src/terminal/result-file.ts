import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError, messageOf } from '../errors.ts';
import { handOverLeft, measuredNow } from '../measure/vault.ts';
import { RESULT_FILES } from '../system/result-files.ts';

/** Input of `analyze`: a database, which is opened by its path, or the text of a table. */
export type ResultFile = { readonly kind: 'database' } | { readonly kind: 'csv'; readonly text: string };

/** Maximum size of a CSV of runs, which is read as a whole. */
export const MAX_TABLE_BYTES = 16 * 2 ** 20;

/** First bytes of every SQLite database (https://sqlite.org/fileformat.html). */
const SQLITE = Buffer.from('SQLite format 3\0', 'latin1');

/** The database in a result folder, which has more than its findings; for other paths, and folders with findings only, the path itself. */
export function databaseIn(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path;
  const database = join(path, RESULT_FILES.database);
  return existsSync(join(path, RESULT_FILES.findings)) && !existsSync(database) ? path : database;
}

/** Recognizes a file by its content, not its name. Throws InputError: missing, not a file, not permitted, too large, or of another type. */
export function readResultFile(path: string): ResultFile {
  if (!isThere(path)) {
    throw new InputError(`There is no file ${path}.`, {
      advice:
        'Give an experiment.db, the folder with it, or a CSV of runs. joulediff run and joulediff compare write their results into joulediff-out.',
    });
  }
  if (/\.ya?ml$/i.test(path)) {
    throw new InputError(`${path} is an experiment file, and no result of one.`, {
      advice: `joulediff run ${path} measures it.`,
    });
  }
  // Opening a pipe or a device could block for ever.
  if (!statSync(path).isFile()) throw new InputError(`${path} is not a file.`);
  try {
    if (startsWith(path, SQLITE)) return { kind: 'database' };
    const { size } = statSync(path);
    if (size > MAX_TABLE_BYTES) {
      throw new InputError(`${path} has ${size} bytes; the limit for a CSV of runs is ${MAX_TABLE_BYTES}.`);
    }
    return { kind: 'csv', text: textOf(path, readFileSync(path)) };
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw new InputError(`${path} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

/** Whether a file is an SQLite database, by its content. */
export function isDatabase(path: string): boolean {
  return isThere(path) && statSync(path).isFile() && startsWith(path, SQLITE);
}

/** Whether the database exists; one left by a killed process is first taken over. Throws InputError while it is being measured. */
function isThere(path: string): boolean {
  if (existsSync(path) || basename(path) !== RESULT_FILES.database) return existsSync(path);
  const reported = handOverLeft();
  const vault = measuredNow(dirname(resolve(path)));
  if (vault !== null) {
    throw new InputError(`There is no ${path} yet: its experiment is being measured.`, {
      advice: `Until it ends, its database is in ${vault}.`,
    });
  }
  if (!existsSync(path) && reported.length > 0) {
    throw new InputError(`There is no file ${path}.`, { advice: reported.join('\n') });
  }
  return existsSync(path);
}

function startsWith(path: string, magic: Buffer): boolean {
  const file = openSync(path, 'r');
  try {
    const first = Buffer.alloc(magic.length);
    return readSync(file, first, 0, magic.length, 0) === magic.length && first.equals(magic);
  } finally {
    closeSync(file);
  }
}

function textOf(path: string, content: Buffer): string {
  try {
    if (content.includes(0)) throw new TypeError('it contains a zero byte');
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    throw new InputError(`${path} is neither an experiment.db nor a CSV: ${messageOf(cause)}.`, {
      advice: 'A CSV of runs is UTF-8 text.',
      cause,
    });
  }
}
