import { join } from 'node:path';
import { type GitOptions, git } from './git.ts';

export interface Submodule {
  readonly name: string;
  readonly path: string;
  readonly commit: string;
}

/** Submodules of what is checked out in a folder: its gitlinks, with the names that .gitmodules gives them. */
export async function listSubmodules(folder: string, options: GitOptions): Promise<Submodule[]> {
  const { stdout } = await git(folder, ['ls-files', '--stage', '-z'], options);
  const links = stdout.split('\0').flatMap((entry) => {
    const match = /^160000 ([0-9a-f]+) 0\t(.+)$/s.exec(entry);
    return match === null ? [] : [{ commit: match[1] as string, path: match[2] as string }];
  });
  if (links.length === 0) return [];
  const config = ['config', '--file', '.gitmodules', '-z', '--get-regexp', '^submodule\\..*\\.path$'];
  const names = new Map<string, string>();
  for (const entry of (await git(folder, config, options)).stdout.split('\0')) {
    const match = /^submodule\.(.*)\.path\n(.*)$/s.exec(entry);
    if (match?.[1] !== undefined && match[2] !== undefined && isSafe(match[1])) names.set(match[2], match[1]);
  }
  return links.flatMap(({ path, commit }) => {
    const name = names.get(path);
    return name === undefined ? [] : [{ name, path, commit }];
  });
}

/** The git folder of a submodule in the original; null: it was never fetched there. */
export async function findSubmodule(
  { name, path }: Submodule,
  { gitDir, workTree }: { readonly gitDir: string; readonly workTree: string },
  options: GitOptions,
): Promise<string | null> {
  // The path finds it wherever its git folder is (that of a worktree has a place of its own), the name where it has moved since.
  for (const candidate of [join(workTree, path, '.git'), join(gitDir, 'modules', name)]) {
    const found = await git(gitDir, [`--git-dir=${candidate}`, 'rev-parse', '--absolute-git-dir'], options);
    if (found.code === 0) return found.stdout.trim();
  }
  return null;
}

/** Whether a name can become a path in the git folder without leading out of it (CVE-2018-11235). */
function isSafe(name: string): boolean {
  return name !== '' && !name.startsWith('/') && !name.split('/').some((part) => part === '..' || part === '');
}
