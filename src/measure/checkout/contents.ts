import { lstatSync, readFileSync } from 'node:fs';
import { appendFile, copyFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { getErrorCode, MeasureError } from '../../errors.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { listed } from '../../text/plain.ts';
import { type GitOptions, git } from './git.ts';

/** A repository from which a checkout is made. */
export interface Clone {
  /** Git folder that its working trees share. */
  readonly gitDir: string;
  /** Git folder of this working tree: another one for a tree that git worktree added. */
  readonly ownDir: string;
  readonly workTree: string;
}

/** Settings that decide which bytes a checkout writes. Addresses and credentials are not among them. */
const DECIDES =
  /^(?:core\.(?:autocrlf|eol|symlinks|attributesfile|sparsecheckout|sparsecheckoutcone|checkroundtripencoding|usereplacerefs)|filter\..+|lfs\.(?:storage|fetchinclude|fetchexclude))$/i;

/** Settings that name something which only the clone has. */
const NOT_HERE = /^attr\.tree$/i;

/**
 * Gives a new repository what of the clone's configuration decides which bytes a checkout writes: filters such as that of Git LFS, line ends,
 * attributes, a sparse checkout, replaced objects. As git itself finds it there, files included under a condition too. Throws MeasureError for what
 * can't be had here.
 */
export async function takeOverContents(
  { gitDir, ownDir }: Clone,
  folder: string,
  what: string,
  options: GitOptions,
): Promise<void> {
  const { stdout } = await git(folder, [`--git-dir=${ownDir}`, 'config', '--list', '--null'], options);
  const settings = stdout.split('\0').filter(Boolean).map(parseSetting);
  const foreign = settings.find(({ key }) => NOT_HERE.test(key));
  if (foreign !== undefined) {
    throw new MeasureError(
      `The files of ${what} could not be checked out as in this clone: its configuration sets ${foreign.key}.`,
      { advice: `Take it out: git config --unset ${foreign.key}` },
    );
  }
  const lines = settings
    .filter(({ key }) => DECIDES.test(key))
    .map(({ key, value }) => lineOf(key, key === 'lfs.storage' && value !== null ? placed(value, gitDir) : value));
  await appendFile(join(folder, '.git', 'config'), lines.join(''));
  for (const [from, name] of [
    [gitDir, 'attributes'],
    [ownDir, 'sparse-checkout'],
  ] as const) {
    const to = join(folder, '.git', 'info', name);
    makeFolder(dirname(to));
    await copyFile(join(from, 'info', name), to).catch((cause) => {
      if (getErrorCode(cause) !== 'ENOENT') throw cause;
    });
  }
}

interface Setting {
  readonly key: string;
  /** Null: the file has the key without a value, which git reads as true. */
  readonly value: string | null;
}

function parseSetting(entry: string): Setting {
  const end = entry.indexOf('\n');
  return end === -1 ? { key: entry, value: null } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
}

const placed = (path: string, gitDir: string): string =>
  isAbsolute(path) || path.startsWith('~') ? path : join(gitDir, path);

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;

/** A setting as a line of a configuration file. `key` is `section.variable`, or `section.NAME.variable` where NAME may hold dots. */
function lineOf(key: string, value: string | null): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const subsection = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`;
  const setting = value === null ? '' : ` = ${quoted(value)}`;
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)}${setting}\n`;
}

/** Text that Git LFS and git-annex put in place of a file whose bytes they don't have. */
const POINTER =
  /^(?:version https:\/\/git-lfs\.github\.com\/spec\/|version https:\/\/hawser\.github\.com\/spec\/|\/annex\/objects\/)/;
const MAX_POINTER_BYTES = 1024;
const MAX_NAMED = 3;

/**
 * Compares a checkout with the clone's working tree, where both have the same object under a path and nobody changed the file: a pointer where the
 * tree has the file itself is an error; other sizes are told to `log`. Throws MeasureError.
 */
export async function checkContents(
  { ownDir, workTree }: Clone,
  folder: string,
  what: string,
  { log, ...options }: GitOptions & { readonly log: (line: string) => void },
): Promise<void> {
  const inTree = (words: readonly string[]) =>
    git(folder, [`--git-dir=${ownDir}`, `--work-tree=${workTree}`, ...words], options);
  const here = await entriesOf(git(folder, ['ls-files', '--stage', '-z'], options));
  const there = await entriesOf(inTree(['ls-files', '--stage', '-z']));
  const changed = new Set((await inTree(['-C', workTree, 'diff-files', '--name-only', '-z'])).stdout.split('\0'));
  const pointers: string[] = [];
  const others: string[] = [];
  for (const [path, entry] of here) {
    const size = sizeOf(join(folder, path));
    if (size === null) continue;
    const treeSize = sizeOf(join(workTree, path));
    if (isPointer(join(folder, path), size)) {
      if (treeSize !== null && !isPointer(join(workTree, path), treeSize)) pointers.push(path);
    } else if (treeSize !== null && treeSize !== size && there.get(path) === entry && !changed.has(path)) {
      others.push(path);
    }
  }
  if (pointers.length > 0) {
    throw new MeasureError(
      `The checkout of ${what} has pointers of Git LFS or git-annex where the working tree has files: ${shortened(pointers)}.`,
      {
        advice:
          'Let the filter write the files themselves: git lfs install --local without --skip-smudge, and git lfs fetch --all for the commits that are measured.',
      },
    );
  }
  if (others.length === 0) return;
  log(
    `Files of ${what} have other sizes than in the working tree, though their commits have the same: ${shortened(others)}. Line ends or a filter were changed since that was checked out; git add --renormalize tells more.`,
  );
}

/** Mode and object of each file in an answer of `git ls-files --stage -z`, by its path. */
async function entriesOf(answer: ReturnType<typeof git>): Promise<Map<string, string>> {
  const { stdout } = await answer;
  return new Map(
    stdout.split('\0').flatMap((line) => {
      const tab = line.indexOf('\t');
      return tab === -1 || line.startsWith('160000') ? [] : [[line.slice(tab + 1), line.slice(0, tab)]];
    }),
  );
}

/** Size of a regular file, bytes; null: there is none. */
function sizeOf(path: string): number | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : null;
}

const isPointer = (path: string, size: number): boolean =>
  size <= MAX_POINTER_BYTES && POINTER.test(readFileSync(path, 'latin1'));

const shortened = (paths: readonly string[]): string =>
  listed([...paths.slice(0, MAX_NAMED), ...(paths.length > MAX_NAMED ? [`${paths.length - MAX_NAMED} more`] : [])]);
