import { InputError, MeasureError } from '../../../errors.ts';
import { complaint, type GitOptions, git } from '../../../measure/checkout/git.ts';
import { findCommit, findRepository, type Repository } from '../../../measure/checkout/repository.ts';

export interface Commit {
  /** Full hash. */
  readonly sha: string;
  /** First line of its message. */
  readonly subject: string;
  /** Commit time, ISO 8601, UTC; adjusted to be at least 1 ms after the previous commit in the range, whatever the author's clock. */
  readonly committedAt: string;
}

/** The commits from a good end to a bad one. */
export interface CommitRange {
  /** Parents before their children: the good end is the first, the bad end the last. */
  readonly commits: readonly Commit[];
  /** Ancestry by position: [of][culprit] is 1 if commit `of` is the culprit or its descendant. */
  readonly has: readonly Uint8Array[];
}

/** Maximum commits; the ancestry table takes this number squared in bytes. */
const MAX_COMMITS = 4000;

export interface RangeRequest extends GitOptions {
  /** A folder in the repository. */
  readonly directory: string;
  readonly good: string;
  readonly bad: string;
  /** Only the commits of the branch itself: a merge counts as one. */
  readonly firstParent: boolean;
}

/** Throws InputError if a commit does not exist or is not an ancestor of the other; MeasureError if git fails. */
export async function commitRange({
  directory,
  good,
  bad,
  firstParent,
  ...options
}: RangeRequest): Promise<CommitRange> {
  const repository = await findRepository(directory, options);
  const first = await findCommit(repository, good, options);
  const last = await findCommit(repository, bad, options);
  if (first === last) throw new InputError(`${good} and ${bad} are the same commit (${short(first)}).`);
  const lines = await log(
    repository,
    [`${first}..${last}`, ...(firstParent ? ['--first-parent'] : ['--ancestry-path'])],
    options,
  );
  const [oldest] = lines;
  const isReached = lines.at(-1)?.sha === last && (!firstParent || oldest?.parents[0] === first);
  if (!isReached) throw await noWay(repository, { good, bad, first, last, firstParent }, options);
  if (lines.length > MAX_COMMITS) {
    throw new InputError(
      `There are ${lines.length} commits from ${good} to ${bad}, and ${MAX_COMMITS} can be searched.`,
      {
        advice: 'Add --first-parent, or begin with two releases that lie closer together.',
      },
    );
  }
  const [start] = await log(repository, ['--no-walk', first], options);
  let atMs = 0;
  const commits = [start as Line, ...lines].map(({ sha, subject, committedAt }): Commit => {
    atMs = Math.max(atMs + 1, Date.parse(committedAt));
    return { sha, subject, committedAt: new Date(atMs).toISOString() };
  });
  return { commits, has: descents(first, lines) };
}

export const short = (sha: string): string => sha.slice(0, 12);

interface Line extends Commit {
  readonly parents: readonly string[];
}

/** Commits listed by git log with these arguments, the oldest first. Throws MeasureError. */
async function log({ top }: Repository, words: readonly string[], options: GitOptions): Promise<Line[]> {
  const answer = await git(
    top,
    // log.showSignature would add lines that could be parsed as commits.
    ['log', '--no-show-signature', '--topo-order', '--reverse', '--format=%H%x09%P%x09%ct%x09%s', ...words, '--'],
    options,
  );
  if (answer.code !== 0) throw new MeasureError(`git log failed in ${top}: ${complaint(answer)}.`);
  const lines = answer.stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [sha = '', parents = '', seconds = '', ...subject] = line.split('\t');
    const committedAt = new Date(1000 * Number(seconds)).toISOString();
    return { sha, subject: subject.join('\t'), committedAt, parents: parents.split(' ').filter((of) => of !== '') };
  });
}

function descents(good: string, lines: readonly Line[]): Uint8Array[] {
  const rows = new Map([[good, new Uint8Array(lines.length + 1)]]);
  for (const [i, { sha, parents }] of lines.entries()) {
    const row = new Uint8Array(lines.length + 1);
    for (const parent of parents)
      for (const [at, one] of (rows.get(parent) ?? []).entries()) if (one === 1) row[at] = 1;
    row[i + 1] = 1;
    rows.set(sha, row);
  }
  return [...rows.values()];
}

interface Ends {
  readonly good: string;
  readonly bad: string;
  readonly first: string;
  readonly last: string;
  readonly firstParent: boolean;
}

async function noWay(
  { top }: Repository,
  { good, bad, first, last, firstParent }: Ends,
  options: GitOptions,
): Promise<InputError> {
  const isBefore = async (a: string, b: string) =>
    (await git(top, ['merge-base', '--is-ancestor', a, b], options)).code === 0;
  if (firstParent && (await isBefore(first, last))) {
    return new InputError(`${good} is not a first parent of ${bad}: it came in with a merge.`, {
      advice: 'Leave out --first-parent, or name a commit of the branch itself as the good end.',
    });
  }
  if (await isBefore(last, first)) {
    return new InputError(`${bad} came before ${good}: the good end is named first, and must be the older one.`, {
      advice: `To find what lowered the energy, name the older commit first all the same: joulediff bisect ${bad} ${good}.`,
    });
  }
  return new InputError(`${good} is no ancestor of ${bad}, so no range of commits leads from one to the other.`, {
    advice: `Name the commit from which they went apart as the good end: ${good}...${bad}.`,
  });
}
