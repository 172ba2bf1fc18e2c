import { realpathSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode, MeasureError } from '../../errors.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { type Clone, checkContents, takeOverContents } from './contents.ts';
import { complaint, type GitOptions, git } from './git.ts';
import { findSubmodule, listSubmodules } from './submodules.ts';

/** A commit of a repository, from which files are checked out. */
export interface Source extends Clone {
  readonly commit: string;
  /** For messages: `revision "main"`. */
  readonly what: string;
}

/**
 * Makes the files of a commit in an empty folder, submodules with it as far as they are in the original. The folder becomes a repository
 * of its own that borrows the objects of the original: nothing is written there, unlike with a worktree; commands such as `git describe`
 * work in it, and files come as a checkout makes them, unlike with `git archive`. Of the original's configuration it has what decides about the bytes of
 * files; none of its hooks. `workTree` is where the original's submodules lie.
 * Throws MeasureError.
 */
export async function checkOut(
  source: Source,
  folder: string,
  options: GitOptions & { readonly log: (line: string) => void },
): Promise<void> {
  const { gitDir, commit, workTree, what } = source;
  const run = async (words: readonly string[], input?: string): Promise<void> => {
    const answer = await git(folder, words, { ...options, ...(input !== undefined && { input }) });
    if (answer.code !== 0) throw refusal(what, complaint(answer));
  };
  const original = (...words: string[]) => git(folder, [`--git-dir=${gitDir}`, ...words], options);
  const format = await original('rev-parse', '--show-object-format');
  await run(['init', '--quiet', '--template=', `--object-format=${format.stdout.trim() || 'sha1'}`]);
  makeFolder(join(folder, '.git', 'objects', 'info'));
  writeFileSync(join(folder, '.git', 'objects', 'info', 'alternates'), `${join(gitDir, 'objects')}\n`);
  // `shallow` tells where a history ends that was fetched in part.
  await copyFile(join(gitDir, 'shallow'), join(folder, '.git', 'shallow')).catch((cause) => {
    if (getErrorCode(cause) !== 'ENOENT') throw cause;
  });
  const tags = await original('for-each-ref', '--format=create %(refname) %(objectname)', 'refs/tags', 'refs/replace');
  await takeOverContents(source, folder, what, options);
  // Build scripts often derive a version from the tags; without them, a build may still succeed.
  await git(folder, ['update-ref', '--stdin'], { ...options, input: tags.stdout });
  await run(['-c', 'advice.detachedHead=false', 'checkout', '--quiet', '--force', '--detach', commit]);
  await checkContents(source, folder, what, options);
  for (const submodule of await listSubmodules(folder, options)) {
    const { path, commit: pinned } = submodule;
    const part = `submodule ${JSON.stringify(path)} of ${what}`;
    const found = await findSubmodule(submodule, { gitDir, workTree }, options);
    if (found === null) {
      options.log(`The ${part} is left empty: it isn't in the working tree either.`);
      continue;
    }
    const there = await git(folder, [`--git-dir=${found}`, 'cat-file', '-e', `${pinned}^{commit}`], options);
    if (there.code !== 0) {
      throw new MeasureError(`The commit ${pinned.slice(0, 12)} of ${part} isn't in this clone.`, {
        advice:
          'Fetch it: git submodule foreach git fetch --all; for actions/checkout, submodules: recursive with fetch-depth: 0.',
      });
    }
    const inside = join(folder, path);
    makeFolder(inside);
    // A repository may hold a symbolic link in place of a folder around a submodule.
    if (realpathSync(inside) !== join(realpathSync(folder), path)) {
      throw new MeasureError(`The ${part} lies behind a symbolic link, so it is not checked out.`);
    }
    const inner = { gitDir: found, ownDir: found, workTree: join(workTree, path) };
    await checkOut({ ...inner, commit: pinned, what: part }, inside, options);
  }
}

function refusal(what: string, said: string): MeasureError {
  const partial = /unable to read sha1|missing|could not read|bad object|promisor/i.test(said);
  return new MeasureError(`The files of ${what} could not be checked out: ${said}.`, {
    advice: /\blfs\b|^Downloading/i.test(said)
      ? 'Nothing is fetched while a revision is checked out. Fetch the files of Git LFS before: git lfs fetch --all.'
      : partial
        ? 'Files may be missing in a clone that was fetched with a filter: fetch it without one.'
        : undefined,
  });
}
