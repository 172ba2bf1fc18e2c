import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, messageOf } from '../errors.ts';

/** Everything that joulediff ever writes into a result folder; anything else there is somebody else's. */
const OURS = new Set([
  'experiment.db',
  'experiment.db-wal',
  'experiment.db-shm',
  'experiment.db-journal',
  'findings.json',
  'comment.md',
  'summary.md',
  'report.html',
  'badge.json',
  'badge.svg',
  'history.html',
  'history.csv',
  'runs.csv',
  'phases.csv',
  'samples.csv',
  'charts',
  'logs',
]);

export const databasePath = (folder: string): string => join(folder, 'experiment.db');

/**
 * Sees that a result can be written there, without changing anything.
 * Throws InputError when it is no folder or holds files that are not a result of joulediff.
 */
export function checkOutputFolder(folder: string): void {
  let names: string[];
  try {
    names = statSync(folder).isDirectory() ? readdirSync(folder) : notAFolder(folder);
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new InputError(`The output folder ${folder} can't be read: ${messageOf(cause)}.`, { cause });
  }
  const foreign = names.filter((name) => !OURS.has(name));
  if (foreign.length === 0) return;
  const some = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? `, … (${foreign.length} in all)` : '');
  throw new InputError(`The output folder ${folder} holds files that are not a result of joulediff: ${some}.`, {
    advice:
      'Give another folder with --out; joulediff writes only into an empty folder or over an earlier result of its own.',
  });
}

/** Empties an earlier result and makes the folders. Call `checkOutputFolder` before. */
export function claimOutputFolder(folder: string): void {
  try {
    for (const name of OURS) rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, 'logs'), { recursive: true });
  } catch (cause) {
    throw new InputError(`The output folder ${folder} can't be written: ${messageOf(cause)}.`, { cause });
  }
}

function notAFolder(folder: string): never {
  throw new InputError(`The output folder ${folder} is a file.`, { advice: 'Give a folder with --out.' });
}
