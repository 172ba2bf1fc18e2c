import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError, MeasureError } from '../../../../errors.ts';
import { badgeJson, badgeSvg, formatBadge } from '../../../../report/badge.ts';
import { bytes } from '../../../../text/numbers.ts';
import { plural } from '../../../../text/plain.ts';
import { type History, type HistoryRecord, type HistoryStore, inOrder, noteJson, placeOf } from '../record.ts';
import { MARKER, MAX_BYTES, notePath, pathOf, README, type TreeFile, treeOf } from './branch-files.ts';
import { lastLines, type Remote, type ScratchRepository, withScratch } from './git.ts';

export interface BranchRemote extends Remote {
  readonly branch: string;
  /** Branch whose commits are kept, which can't be the history's own branch; empty: unknown. */
  readonly tracked: string;
}

/** Maximum attempts to push, since another job may be faster. */
const MAX_TRIES = 30;

/**
 * History in a branch of its own: a small file for each experiment, so that concurrent jobs never change the same one. A missing branch is created
 * as an orphan. After a concurrent push, the file is added on top of the other commit; nothing is force-pushed.
 */
export function branchStore(remote: BranchRemote): HistoryStore {
  if (remote.branch === remote.tracked) {
    throw new InputError(
      `The branch ${remote.branch} is the one that is measured; the history needs a branch of its own.`,
      { advice: 'For example history: { branch: joulediff-history }.' },
    );
  }
  const read = (): Promise<History> =>
    withScratch(remote, async (repository) => {
      const head = await fetchHead(repository, remote.branch);
      const files = head === null ? [] : await treeOf(repository, head, remote.branch);
      return { records: recordsOf(files), notes: new Map(files.flatMap(({ note }) => (note === null ? [] : [note]))) };
    });
  return {
    name: `the branch ${remote.branch}`,
    add: (record) => withScratch(remote, (repository) => addTo(repository, remote.branch, record)),
    remove: (ids) => withScratch(remote, (repository) => removeFrom(repository, remote.branch, ids)),
    annotate: (commit, text) =>
      withScratch(remote, (repository) => annotateOn(repository, remote.branch, commit, text)),
    read,
    records: async () => (await read()).records,
  };
}

async function addTo(repository: ScratchRepository, branch: string, record: HistoryRecord): Promise<boolean> {
  const text = `${JSON.stringify(record)}\n`;
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES) {
    const most = `a history branch keeps at most ${bytes(MAX_BYTES)}`;
    throw new InputError(`The experiment has ${bytes(size)}, and ${most}.`, { advice: 'Name a file for the history.' });
  }
  const undone = 'The experiment is not in the history; "joulediff history add" can add it later.';
  return pushed(repository, branch, undone, (head, files) => {
    if (files.some(({ path }) => path === pathOf(record))) return null;
    return {
      message: `Keep the experiment of ${record.started_at}`,
      files: {
        ...startOf(head),
        [pathOf(record)]: text,
        ...badgeFiles(record, recordsOf(files)),
      },
    };
  });
}

/** Files that a new branch begins with. */
const startOf = (head: string | null): Change['files'] =>
  head === null ? { [MARKER.path]: MARKER.text, 'README.md': README } : {};

async function annotateOn(
  repository: ScratchRepository,
  branch: string,
  commit: string,
  text: string,
): Promise<boolean> {
  return pushed(repository, branch, 'The note was not changed.', (head, files) => {
    const before = files.find(({ note }) => note?.[0] === commit)?.note?.[1] ?? '';
    if (before === text) return null;
    const json = text === '' ? null : `${JSON.stringify(noteJson(commit, text))}\n`;
    return {
      message: `${text === '' ? 'Remove the note of' : 'Annotate'} ${commit.slice(0, 12)}`,
      files: { ...startOf(head), [notePath(commit)]: json },
    };
  });
}

async function removeFrom(repository: ScratchRepository, branch: string, ids: ReadonlySet<string>): Promise<number> {
  let count = 0;
  await pushed(repository, branch, 'Nothing was removed.', (_, files) => {
    const gone = files.filter(({ record }) => record !== null && ids.has(record.id));
    count = gone.length;
    if (count === 0) return null;
    const left = new Set(files.flatMap(({ record }) => (record === null || ids.has(record.id) ? [] : [record.commit])));
    const stray = files.filter(({ note }) => note !== null && !left.has(note[0]));
    return {
      message: `Remove ${plural(count, 'experiment')}`,
      files: Object.fromEntries([...gone, ...stray].map(({ path }) => [path, null])),
    };
  });
  return count;
}

/** What a commit changes. */
interface Change {
  readonly message: string;
  /** Texts by path; null: is removed. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** Pushes a change, recreated after each concurrent push; false: nothing to change. `undone` is the message if it fails. */
async function pushed(
  repository: ScratchRepository,
  branch: string,
  undone: string,
  change: (head: string | null, files: readonly TreeFile[]) => Change | null,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const head = await fetchHead(repository, branch);
    const wanted = change(head, head === null ? [] : await treeOf(repository, head, branch));
    if (wanted === null) return false;
    const commit = await commitOn(repository, head, wanted);
    const { code, stderr } = await repository.git(['push', '--quiet', 'history', `${commit}:refs/heads/${branch}`]);
    if (code === 0) return true;
    const moved = (await fetchHead(repository, branch)) !== head || /cannot lock ref|failed to update ref/.test(stderr);
    if (!moved || tries === MAX_TRIES) throw refused(branch, stderr, undone);
    // A random delay, so that concurrent jobs don't collide again.
    await sleep(50 + Math.random() * Math.min(5000, 200 * tries));
  }
}

/** The newest commit of the branch, fetched without history; null: no such branch. */
async function fetchHead(repository: ScratchRepository, branch: string): Promise<string | null> {
  const listed = (await repository.must(['ls-remote', 'history', `refs/heads/${branch}`])).toString();
  if (listed.trim() === '') return null;
  await repository.must([
    'fetch',
    '--quiet',
    '--depth=1',
    '--no-tags',
    'history',
    `+refs/heads/${branch}:refs/history`,
  ]);
  return (await repository.must(['rev-parse', 'refs/history'])).toString().trim();
}

/** How git names an object that isn't there. */
const NO_OBJECT = '0'.repeat(40);

/** A commit on top of `head`; an orphan where there is none. */
async function commitOn(
  repository: ScratchRepository,
  head: string | null,
  { files, message }: Change,
): Promise<string> {
  await repository.must(head === null ? ['read-tree', '--empty'] : ['read-tree', head]);
  const entries: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const blob =
      text === null ? NO_OBJECT : String(await repository.must(['hash-object', '-w', '--stdin'], text)).trim();
    entries.push(`${text === null ? 0 : 100644} ${blob}\t${path}\0`);
  }
  await repository.must(['update-index', '-z', '--index-info'], entries.join(''));
  const tree = (await repository.must(['write-tree'])).toString().trim();
  const parent = head === null ? [] : ['-p', head];
  return (await repository.must(['commit-tree', tree, ...parent, '-m', message])).toString().trim();
}

function recordsOf(files: readonly TreeFile[]): HistoryRecord[] {
  return inOrder(files.flatMap(({ record }) => (record === null ? [] : [record])));
}

function refused(branch: string, stderr: string, undone: string): MeasureError {
  const rights = /403|401|permission|denied|protected|not allowed|GH00\d/i.test(stderr);
  return new MeasureError(`The branch ${branch} could not be pushed: ${lastLines(stderr)}`, {
    advice: rights
      ? 'The job needs "permissions: contents: write", and the branch must not be protected against it.'
      : undone,
  });
}

/**
 * The badge of an experiment, at an address that stays: `badges/NAME.json` and `.svg`. None when one of this name was kept before that stands
 * behind it: a job was faster, or an older commit was measured afterwards.
 */
function badgeFiles(record: HistoryRecord, others: readonly HistoryRecord[]): Record<string, string> {
  const same = others.filter(({ experiment }) => experiment === record.experiment);
  if (same.some((other) => placeOf(other) > placeOf(record))) return {};
  const [first] = record.comparisons;
  const { source } = record.meter;
  const open = record.failed_checks.length > 0 && first?.verdict !== 'failed' && { verdict: 'untrusted' as const };
  const badge = formatBadge(first === undefined ? null : { ...first, ...open, source, complete: true });
  const path = `badges/${fileName(record.experiment)}`;
  return { [`${path}.json`]: badgeJson(badge), [`${path}.svg`]: badgeSvg(badge) };
}

/** The name itself where it makes a plain file name; else what is left of it, and a hash that tells it from others. */
function fileName(experiment: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,60}$/.test(experiment)) return experiment;
  const readable = experiment
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  const hash = createHash('sha256').update(experiment).digest('hex').slice(0, 8);
  return readable === '' ? hash : `${readable}-${hash}`;
}
