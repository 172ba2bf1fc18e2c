import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { InputError, messageOf } from '../errors.ts';
import { DATABASE_SIDES, RESULT_FILES } from './result-files.ts';
import { freeName, ResultFolder } from './result-folder.ts';
import { parseAbandoned, removeAbandoned } from './temporary.ts';

/** Application ID "jdif", which marks an SQLite file as joulediff's (https://sqlite.org/fileformat.html). */
export const APPLICATION_ID = 0x6a646966;
/** Application ID "jdal" of a database that another program changed during the measurement; it is not read any more. */
export const ALTERED_ID = 0x6a64616c;

/** Marks every page that joulediff writes. */
export const GENERATOR = '<meta name="generator" content="joulediff">';

/** Marks texts about several experiments. */
export const TEXT_MARK = '<!-- joulediff -->';

/** Everything that joulediff writes into a result folder; any other file belongs to somebody else. */
const OURS = new Set<string>([...Object.values(RESULT_FILES), ...DATABASE_SIDES]);

/** Marks that prove that joulediff made a file. A file with one of these names but without its mark belongs to somebody else. */
const MARKS: readonly (readonly [name: string, isOurs: (path: string) => boolean])[] = [
  [RESULT_FILES.database, isOurDatabase],
  [RESULT_FILES.findings, (path) => /^\s*\{\s*"schema":\s*"joulediff\/findings\//.test(head(path))],
  [RESULT_FILES.report, (path) => head(path).includes(GENERATOR)],
  [RESULT_FILES.historyPage, (path) => head(path).includes(GENERATOR)],
];

/** The only files of a result without raw data: `report` writes them for several experiments. */
const TEXTS = [RESULT_FILES.comment, RESULT_FILES.summary];

/**
 * Checks that a result can be written to a folder; changes nothing. Returns whether it has an earlier result of joulediff. Throws
 * InputError when it is no folder, is reached by a link, or has files that are no result of joulediff: a file's name alone proves nothing.
 */
export function checkOutputFolder(folder: string): boolean {
  // Half-written files of killed processes are removed as soon as the folder is written to.
  const names = namesIn(folder).filter((name) => !isHalfWritten(name));
  const foreign = names.filter((name) => !OURS.has(name));
  const isThere = ([name]: (typeof MARKS)[number]) => names.includes(name);
  foreign.push(
    ...MARKS.filter(isThere)
      .filter(([name, isOurs]) => !isOurs(join(folder, name)))
      .map(([name]) => name),
  );
  const isMarked = MARKS.some(isThere) || names.every((name) => isMarkedText(folder, name));
  if (foreign.length === 0 && !isMarked) foreign.push(...names);
  if (foreign.length === 0) return names.length > 0;
  const some = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? `, … (${foreign.length} in all)` : '');
  throw new InputError(`The output folder ${folder} holds files that are not a result of joulediff: ${some}.`, {
    advice:
      'Give another folder with --out; joulediff writes only into an empty folder or into that of an earlier result.',
  });
}

/** Creates the folder and checks that files can be created in it, before hours of measuring. Throws InputError. */
export function claimOutputFolder(path: string): void {
  try {
    using folder = ResultFolder.open(path);
    folder.tryOut();
  } catch (cause) {
    throw new InputError(`The output folder ${path} can't be written: ${messageOf(cause)}.`, {
      advice: 'Give another folder with --out.',
      cause,
    });
  }
}

/** Maximum number of earlier results that are kept aside. A long experiment's may have a gigabyte, and none is removed without asking. */
const MAX_EARLIER = 9;

/** Throws InputError when this many earlier results are beside this one, so that the user decides about them. */
export function refuseManyEarlier(folder: string): void {
  const earlier = Array.from({ length: MAX_EARLIER }, (_, i) => `${folder}.${i + 1}`);
  if (![folder, ...earlier].every((path) => existsSync(path))) return;
  throw new InputError(`${MAX_EARLIER} earlier results lie beside ${folder} already, up to ${earlier.at(-1)}.`, {
    advice:
      'Remove those that you don’t need; or give another folder with --out, or --overwrite to replace the newest.',
  });
}

/** Moves an earlier result aside, and returns its new path. Throws InputError when it can't be moved. */
export function moveAside(folder: string): string {
  const aside = freeName(folder);
  try {
    renameSync(folder, aside);
    removeAbandoned(aside);
    return aside;
  } catch (cause) {
    throw new InputError(`The earlier result in ${folder} can't be moved to ${aside}: ${messageOf(cause)}.`, {
      advice: 'Give another folder with --out, or make the folder around it writable.',
      cause,
    });
  }
}

/**
 * Removes a result that was moved aside: the files that joulediff writes, and folders that are empty then. Other files among its
 * logs and charts are kept. Throws the file system's error.
 */
export async function removeResult(path: string): Promise<void> {
  const made = {
    [RESULT_FILES.logs]: /^\d{4,}-[A-Za-z0-9._-]+\.log$/,
    [RESULT_FILES.charts]: /^[a-z-]+\.(?:svg|png|pdf)$/,
    [RESULT_FILES.profiles]: /^(?:\d+-[A-Za-z0-9._-]*\.(?:folded|pb\.gz)|speedscope\.json)$/,
  };
  using folder = ResultFolder.open(path);
  for (const [name, ours] of Object.entries(made)) {
    if (!folder.names().includes(name)) continue;
    using inner = folder.folder(name);
    for (const file of inner.names().filter((each) => ours.test(each))) inner.remove(file);
    folder.removeEmpty(name);
  }
  for (const name of folder.names().filter((each) => OURS.has(each) && !(each in made))) folder.remove(name);
  if (folder.names().length === 0) rmdirSync(path);
}

function isHalfWritten(name: string): boolean {
  const made = parseAbandoned(name);
  return made !== null && (made === '' || OURS.has(made));
}

function namesIn(folder: string): string[] {
  try {
    refuseLinks(folder);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (found.isDirectory()) return readdirSync(folder);
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw new InputError(`The output folder ${folder} can't be read: ${messageOf(cause)}.`, { cause });
  }
  throw new InputError(`The output folder ${folder} is a file.`, { advice: 'Give a folder with --out.' });
}

/** Refuses links on the way to the folder, since a checkout may contain one. Those above the current folder belong to the machine. */
function refuseLinks(folder: string): void {
  const inside = relative(process.cwd(), folder);
  const mayBeLinks = inside.split(sep)[0] === '..' ? [folder] : parents(folder, process.cwd());
  for (const path of mayBeLinks) {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    throw new InputError(`The output folder ${folder} can't be used: ${path} is a symbolic link.`, {
      advice: 'Give the folder that it leads to with --out.',
    });
  }
}

function parents(folder: string, top: string): string[] {
  const paths: string[] = [];
  for (let path = folder; path !== top && path !== dirname(path); path = dirname(path)) paths.push(path);
  return paths.reverse();
}

function isOurDatabase(path: string): boolean {
  const bytes = Buffer.from(head(path), 'latin1');
  return (
    bytes.toString('latin1', 0, 15) === 'SQLite format 3' &&
    bytes.length >= 72 &&
    [APPLICATION_ID, ALTERED_ID].includes(bytes.readUInt32BE(68))
  );
}

function isMarkedText(folder: string, name: string): boolean {
  return TEXTS.some((text) => text === name) && head(join(folder, name)).startsWith(TEXT_MARK);
}

const HEAD_BYTES = 1024;

/** The first bytes of a file, one character each; empty if it is no regular file, or a link. */
function head(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return '';
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
