import { isAbsolute, join, relative } from 'node:path';
import { InputError } from '../../errors.ts';
import { complaint, type GitOptions, git } from './git.ts';

/** The repository that an experiment file lies in. It is read, and nothing in it is changed. */
export interface Repository {
  /** Folder of the experiment file. */
  readonly directory: string;
  /** Top of the working tree, without symbolic links. */
  readonly top: string;
  /** From the top to the folder of the experiment file; empty: it is the top. */
  readonly prefix: string;
  /** The git folder that worktrees share: objects, submodules, where a shallow history ends. */
  readonly commonDir: string;
  /** The git folder of this working tree; that of a tree that git worktree added is not the shared one. */
  readonly ownDir: string;
}

/** Throws InputError when the folder is in no repository, or git will not trust it. */
export async function findRepository(directory: string, options: GitOptions): Promise<Repository> {
  const answer = await git(
    directory,
    ['rev-parse', '--show-toplevel', '--show-prefix', '--git-common-dir', '--absolute-git-dir'],
    options,
  );
  if (answer.code !== 0) throw noRepository(directory, complaint(answer));
  const [top = '', prefix = '', commonDir = '', ownDir = ''] = answer.stdout.split('\n');
  return {
    directory,
    top,
    prefix: prefix.replace(/\/$/, ''),
    commonDir: isAbsolute(commonDir) ? commonDir : join(directory, commonDir),
    ownDir,
  };
}

function noRepository(directory: string, said: string): InputError {
  if (/dubious ownership/.test(said)) {
    const top = /repository at '(.+?)'/.exec(said)?.[1] ?? directory;
    return new InputError(`The repository ${top} belongs to another user, so git does not read it.`, {
      advice: `If you trust it: git config --global --add safe.directory ${top}`,
    });
  }
  return new InputError(
    `A variant has a revision, and ${directory} is not in a git repository with a working tree: ${said}.`,
    {
      advice: 'Put the experiment file into the repository, or leave revision out.',
    },
  );
}

/**
 * The full hash of the commit that a name stands for. Throws InputError when there is none here, with what to do where the history was
 * fetched only in part.
 */
export async function findCommit(repository: Repository, name: string, options: GitOptions): Promise<string> {
  const { top } = repository;
  const [from = '', to] = name.split('...');
  if (to !== undefined) return mergeBase(repository, [from, to], options);
  const answer = await git(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], options);
  const commit = answer.stdout.trim();
  if (answer.code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  const shallow = await git(top, ['rev-parse', '--is-shallow-repository'], options);
  const remote = await remoteName(top, name, options);
  const quoted = JSON.stringify(name);
  if (shallow.stdout.trim() === 'true') {
    throw new InputError(`The revision ${quoted} is not in this clone, which has only part of the history.`, {
      advice: `Fetch all of it: fetch-depth: 0 for actions/checkout, or git fetch --unshallow.${remote ? ` Then name it ${remote}.` : ''}`,
    });
  }
  throw new InputError(`The revision ${quoted} is not a commit in the repository ${top}.`, {
    advice: /^[0-9a-f]{40,64}$/.test(name)
      ? 'It may be gone since a push replaced the history, or was not fetched: name a branch or tag that is here, such as with the input base.'
      : remote === null
        ? 'Check its name with git branch --all and git tag; a branch that only the remote has must be fetched first.'
        : `There is ${remote}: name that.`,
  });
}

/** The merge base of two commits. Throws InputError where there is none here. */
async function mergeBase(
  repository: Repository,
  [a, b]: readonly [string, string],
  options: GitOptions,
): Promise<string> {
  const commits = [await findCommit(repository, a, options), await findCommit(repository, b, options)];
  const answer = await git(repository.top, ['merge-base', ...commits], options);
  const commit = answer.stdout.trim();
  if (answer.code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  const { stdout: shallow } = await git(repository.top, ['rev-parse', '--is-shallow-repository'], options);
  throw new InputError(`${JSON.stringify(a)} and ${JSON.stringify(b)} have no commit in common here.`, {
    advice:
      shallow.trim() === 'true'
        ? 'This clone has only part of the history. Fetch all of it: fetch-depth: 0 for actions/checkout, or git fetch --unshallow.'
        : 'They must belong to one history; name a commit instead.',
  });
}

/** Name of a branch that is only known from the remote, as `origin/…`; null: there is none. */
async function remoteName(top: string, name: string, options: GitOptions): Promise<string | null> {
  const candidate = `origin/${name}`;
  const ref = `refs/remotes/${candidate}^{commit}`;
  const answer = await git(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', ref], options);
  return answer.code === 0 ? candidate : null;
}

/** Whether files that git knows differ from HEAD where HEAD is this commit: then they are not what is measured. */
export async function differsFromTree({ top }: Repository, commit: string, options: GitOptions): Promise<boolean> {
  const head = await git(top, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], options);
  if (head.stdout.trim() !== commit) return false;
  const status = await git(top, ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=all'], options);
  return status.code === 0 && status.stdout.trim() !== '';
}

/** Whether a commit's tree has no such path from the top. Behind a symbolic link or in a submodule the tree can't tell, so the path counts as there. */
export async function lacks({ top }: Repository, commit: string, path: string, options: GitOptions): Promise<boolean> {
  const folders = path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));
  const { code, stdout } = await git(top, ['ls-tree', '-z', '--full-tree', commit, '--', ...folders], options);
  const [isLink, isThere] = [/^1[26]0000 /, (line: string) => line.endsWith(`\t${path}`)];
  const ofIt = stdout.split('\0').filter((line) => folders.includes(line.slice(line.indexOf('\t') + 1)));
  return code === 0 && !ofIt.some((line) => isThere(line) || isLink.test(line));
}

/** A path in the repository as one from its top; null: it lies outside. */
export function pathFromTop({ directory, top, prefix }: Repository, path: string): string | null {
  // The folder may have been reached through a symbolic link, which `top` is without.
  for (const inside of [join(prefix, relative(directory, path)), relative(top, path)]) {
    if (!isAbsolute(inside) && inside !== '..' && !inside.startsWith('../')) return inside === '.' ? '' : inside;
  }
  return null;
}
