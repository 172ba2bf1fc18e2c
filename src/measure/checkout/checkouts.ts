import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Revision } from '../../contracts/variant.ts';
import { InputError } from '../../errors.ts';
import { firstProgram } from '../../executors/native/program.ts';
import { isOnHost, relocate, type Variant } from '../../executors/registry.ts';
import { quote } from '../../input/words.ts';
import { endProcesses, type FoundProcess, findProcesses } from '../../processes/left-processes.ts';
import { ownerToken } from '../../processes/owner.ts';
import { checkOut } from './check-out.ts';
import { type CheckoutFolder, makeCheckoutFolder, newFolder } from './folder.ts';
import type { GitOptions } from './git.ts';
import { differsFromTree, findCommit, findRepository, lacks, pathFromTop, type Repository } from './repository.ts';

const GRACE_MS = 300;

/** The part of an experiment that checkouts are made for. */
interface Resolvable {
  /** Folder of the experiment file. */
  readonly directory: string;
  readonly variants: readonly Variant[];
  readonly hooks?: Partial<Record<'before-all', unknown>>;
}

/**
 * Finds the commit of every revision, before anything starts. `before`: what an unfinished experiment has found, by variant; its commits
 * stay, even if a branch has moved on. Throws InputError, also for a program that only the working tree has.
 */
export async function findRevisions<E extends Resolvable>(
  experiment: E,
  signal: AbortSignal,
  before: ReadonlyMap<string, Revision> = new Map(),
): Promise<E> {
  if (experiment.variants.every(({ revision }) => revision === undefined)) return experiment;
  const repository = await findRepository(experiment.directory, { signal });
  const found = new Map<string, string>();
  const commitOf = async (name: string): Promise<string> => {
    const commit = found.get(name) ?? (await findCommit(repository, name, { signal }));
    found.set(name, commit);
    return commit;
  };
  const variants: Variant[] = [];
  for (const variant of experiment.variants) {
    const name = variant.revision?.name;
    if (name === undefined) {
      variants.push(variant);
      continue;
    }
    const known = before.get(variant.name);
    const commit = await commitOf(known?.name === name && known.commit !== null ? known.commit : name);
    variants.push({ ...variant, revision: { name, commit } });
  }
  if (before.size === 0) {
    await refuseSameCommit(repository, variants, { signal });
    if (experiment.hooks?.['before-all'] === undefined) await refuseMissing(repository, variants, { signal });
  }
  return { ...experiment, variants };
}

/** Throws InputError where two variants differ in nothing but the name of their revision, and both names are of one commit. */
async function refuseSameCommit(repository: Repository, all: readonly Variant[], options: GitOptions): Promise<void> {
  const isSame = (a: Variant, b: Variant): boolean =>
    a.revision?.commit === b.revision?.commit &&
    a.revision?.name !== b.revision?.name &&
    isDeepStrictEqual({ ...a, name: '', revision: null }, { ...b, name: '', revision: null });
  const variants = all.filter(({ revision, hidden }) => revision !== undefined && hidden !== true);
  for (const [i, { revision: first }] of variants.entries()) {
    const second = variants.slice(i + 1).find((other) => isSame(variants[i] as Variant, other))?.revision;
    if (first?.commit == null || second === undefined) continue;
    const changed = await differsFromTree(repository, first.commit, options);
    throw new InputError(
      `${first.name} and ${second.name} are the same commit (${first.commit.slice(0, 12)})${changed ? '; your changes are not committed' : ', so nothing differs between them'}.`,
      {
        advice: changed
          ? `Commit them on a branch. Or measure the working tree as it is: joulediff compare --base ${first.name} --worktree; in an experiment file, a variant without revision.`
          : 'Name an earlier commit, such as HEAD~1, or check out the branch with your changes. New files count once they are committed.',
      },
    );
  }
}

/** Throws InputError where a commit lacks the program that a variant starts, and the working tree has it. */
async function refuseMissing(repository: Repository, variants: readonly Variant[], options: GitOptions): Promise<void> {
  const { directory, prefix, top } = repository;
  for (const variant of variants) {
    const { name, revision, workload, hidden } = variant;
    const [, program] = firstProgram(workload);
    // A name without a slash is looked for on PATH, and an absolute path is the same for all commits.
    if (!revision?.commit || hidden || !isOnHost(variant) || !program?.includes('/') || isAbsolute(program)) continue;
    const path = pathFromTop(repository, resolve(directory, workload.workdir ?? '.', program));
    if (path === null || !existsSync(join(top, path))) continue;
    // A commit without the whole folder of the experiment file is refused with other advice.
    const isFolderLacking = prefix !== '' && (await lacks(repository, revision.commit, prefix, options));
    if (isFolderLacking || !(await lacks(repository, revision.commit, path, options))) continue;
    const error = new InputError(
      `${quote(program)} is not in ${revision.name} (commit ${revision.commit.slice(0, 12)}), only in the working tree.`,
      {
        advice:
          'Each commit that is compared needs it. Commit it to each, or make it in a hook (hooks.before-all with place: variant); or keep it outside of the repository, and name it by its absolute path.',
      },
    );
    error.variant = name;
    throw error;
  }
}

/** The checkouts of one experiment. */
export interface Checkouts {
  /** Gives the folder where a variant runs, and the variant as it is there: itself, or with the paths of its checkout. */
  locate(variant: Variant): { readonly variant: Variant; readonly directory: string };
  /** Removes the checkouts, and gives a sentence for each that is left. A second call does nothing. */
  remove(): string[];
}

export interface CheckoutsRequest {
  readonly experiment: Resolvable;
  readonly experimentId: string;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** Makes a checkout for every commit that a variant is run at. Throws InputError or MeasureError; nothing is left then. */
export async function makeCheckouts(request: CheckoutsRequest): Promise<Checkouts> {
  const { experiment } = request;
  const { directory } = experiment;
  const revisions = experiment.variants.flatMap(({ revision }) => (revision === undefined ? [] : [revision]));
  if (revisions.length === 0) return { locate: (variant) => ({ variant, directory }), remove: () => [] };
  const repository = await findRepository(directory, request);
  let folder: CheckoutFolder | null = makeCheckoutFolder(request.experimentId);
  const remove = (): string[] => {
    const problem = folder?.remove() ?? null;
    folder = null;
    return problem === null ? [] : [problem];
  };
  try {
    const folders = await checkOutAll(repository, folder, revisions, request);
    return {
      locate: (variant) => {
        const { revision } = variant;
        if (revision === undefined) return { variant, directory };
        const checkout = folders.get(revision.commit ?? '') as string;
        // Paths outside of the repository stay as they are; no file of another revision gets in unnoticed.
        const moved = (path: string): string => {
          const inside = pathFromTop(repository, path);
          return inside === null ? path : join(checkout, inside);
        };
        return { variant: relocate(variant, moved), directory: join(checkout, repository.prefix) };
      },
      remove,
    };
  } catch (error) {
    await endGit(request.experimentId);
    for (const line of remove()) request.log(line);
    throw error;
  }
}

/** Ends git's filters: one that a stopped git had started outlives it, and may still write. */
async function endGit(experimentId: string): Promise<void> {
  const ours = (found: FoundProcess) =>
    found.variable('JOULEDIFF_OWNER') === ownerToken() && found.variable('JOULEDIFF_EXPERIMENT') === experimentId;
  await endProcesses(() => findProcesses(ours), GRACE_MS);
}

async function checkOutAll(
  repository: Repository,
  folder: CheckoutFolder,
  revisions: readonly Revision[],
  request: CheckoutsRequest,
): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  for (const { name, commit } of revisions) {
    if (commit === null) throw new Error('the commits of revisions are found before');
    if (folders.has(commit)) continue;
    const checkout = newFolder(folder);
    folders.set(commit, checkout);
    const source = { gitDir: repository.commonDir, ownDir: repository.ownDir, commit, workTree: repository.top };
    await checkOut({ ...source, what: `revision ${JSON.stringify(name)}` }, checkout, request);
    request.log(`Checked out revision ${name} (commit ${commit.slice(0, 12)}).`);
    if (!existsSync(join(checkout, repository.prefix))) {
      throw new InputError(
        `The folder ${repository.prefix} of the experiment file isn't in revision ${JSON.stringify(name)}.`,
        {
          advice: 'Put the experiment file into a folder that all revisions have, such as the top of the repository.',
        },
      );
    }
    // Where a variant is the working tree itself, that is what was asked for.
    const isTreeMeasured = request.experiment.variants.some(({ revision }) => revision === undefined);
    if (!isTreeMeasured && (await differsFromTree(repository, commit, request))) {
      request.log(`The working tree has changes that are not committed: revision ${name} is measured without them.`);
    }
  }
  tellOfDisks(repository, folder, request);
  tellOfPaths(repository, request);
  return folders;
}

/** Notes variants whose commands or variables name paths of the repository: these are the user's own words, and are not changed. */
function tellOfPaths({ top }: Repository, { experiment, log }: CheckoutsRequest): void {
  for (const { name, workload, revision, hidden } of experiment.variants) {
    const { run, prepare, cleanup, env } = workload;
    if (revision === undefined || hidden || !JSON.stringify([run, prepare, cleanup, env]).includes(`${top}/`)) continue;
    log(
      `A command or variable of variant ${JSON.stringify(name)} names the working tree ${top}, which is not at revision ${revision.name}; a path that starts with ./ is one of the checkout.`,
    );
  }
}

/** Notes that a checkout is in memory and the working tree on a disk, or the other way round: such places are not equal. */
function tellOfDisks({ top }: Repository, { path }: CheckoutFolder, { experiment, log }: CheckoutsRequest): void {
  const mixed = experiment.variants.some(({ revision }) => revision === undefined);
  if (!mixed || statSync(path).dev === statSync(top).dev) return;
  log(
    `The checkouts are not on the file system of the working tree, in which a variant without revision runs, but on another (${path}). To make the places alike, give every variant a revision, or set TMPDIR to a folder on the file system of the working tree.`,
  );
}
