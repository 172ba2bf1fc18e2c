import { InputError } from '../../../../errors.ts';
import { type HistoryRecord, readNote, readRecord } from '../record.ts';
import type { ScratchRepository } from './git.ts';

/** Identifies branches with histories. */
const SCHEMA = 'joulediff/history-branch/1';
export const MARKER = { path: 'joulediff-history.json', text: `${JSON.stringify({ schema: SCHEMA })}\n` };

export const README = `# History of joulediff

The findings of every experiment, one file each under \`records/\`, notes of commits under \`notes/\`, and the badge of each experiment under \`badges/\`.
joulediff writes here; nothing else should. \`joulediff history --branch NAME\` draws the trend page.
`;

/** Path of a record, in folders by month, so that none becomes slow to read and write. */
export function pathOf({ id, started_at: startedAt }: HistoryRecord): string {
  const [year, month] = new Date(startedAt).toISOString().split('-') as [string, string];
  return `records/${year}/${month}/${id}.json`;
}

export interface TreeFile {
  readonly path: string;
  /** Null: something else, such as a badge. */
  readonly record: HistoryRecord | null;
  /** Null: something else. */
  readonly note: readonly [commit: string, text: string] | null;
}

export const notePath = (commit: string): string => `notes/${commit}.json`;

const RECORD = /^records\/.+\.json$/;
const NOTE = /^notes\/.+\.json$/;
/** Maximum bytes of one experiment's record. Most records have about 2 kB; one with thousands of comparisons has megabytes. */
export const MAX_BYTES = 32 * 2 ** 20;
/** Bytes of files that one call of git is asked for, since what it may print is limited. */
const PORTION_BYTES = 64 * 2 ** 20;

/** What a commit of the branch holds, the records and notes read. Throws InputError when it is no branch of ours, or a newer one. */
export async function treeOf(repository: ScratchRepository, commit: string, branch: string): Promise<TreeFile[]> {
  const listing = (await repository.must(['ls-tree', '-r', '-l', '-z', commit])).toString();
  const entries = listing.split('\0').flatMap((entry) => {
    const [mode, hash, size, path] = /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(entry)?.slice(1) ?? [];
    return path === undefined ? [] : [{ mode, hash: hash!, size: Number(size), path }];
  });
  const isRead = (path: string): boolean => path === MARKER.path || RECORD.test(path) || NOTE.test(path);
  const wanted = entries.filter(({ path, mode, size }) => mode !== '120000' && size <= MAX_BYTES && isRead(path));
  let bytes = 0;
  const portions = Map.groupBy(wanted, ({ size }) => {
    bytes += size;
    return Math.floor(bytes / PORTION_BYTES);
  });
  const values = new Map<string, unknown>();
  for (const portion of portions.values()) await readBlobs(repository, portion, values);
  checkMarker(values.get(entries.find(({ path }) => path === MARKER.path)?.hash ?? ''), branch);
  return entries.map(({ path, hash }) => {
    const where = `${path} on the branch ${branch}`;
    return {
      path,
      record: RECORD.test(path) ? readRecord(values.get(hash), where) : null,
      note: NOTE.test(path) ? readNote(values.get(hash), where) : null,
    };
  });
}

/** Adds the values of these files by hash, in one call for all; null: not JSON. */
async function readBlobs(
  repository: ScratchRepository,
  files: readonly { readonly hash: string }[],
  values: Map<string, unknown>,
): Promise<void> {
  const output = await repository.must(['cat-file', '--batch'], files.map(({ hash }) => `${hash}\n`).join(''));
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(10, at);
    const [hash, , size] = output.toString('latin1', at, end).split(' ') as [string, string, string];
    const last = end + 1 + Number(size);
    values.set(hash, parse(output.toString('utf8', end + 1, last)));
    at = last + 1;
  }
}

function checkMarker(value: unknown, branch: string): void {
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : null;
  if (schema === SCHEMA) return;
  if (typeof schema === 'string' && /^joulediff\/history-branch\/\d{1,6}$/.test(schema)) {
    throw new InputError(
      `The branch ${branch} was written by a newer joulediff (${schema}; this one knows ${SCHEMA}).`,
      { advice: 'Use the newer version here too.' },
    );
  }
  throw new InputError(`The branch ${branch} is not a joulediff history.`, {
    advice: 'Name a branch that does not exist yet: it will be created.',
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
