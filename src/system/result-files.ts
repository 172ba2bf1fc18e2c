import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, messageOf } from '../errors.ts';

/** Files and folders of a result. Contract: others' scripts open them by these names. */
export const RESULT_FILES = {
  database: 'experiment.db',
  findings: 'findings.json',
  comment: 'comment.md',
  summary: 'summary.md',
  report: 'report.html',
  badgeJson: 'badge.json',
  badgeSvg: 'badge.svg',
  historyPage: 'history.html',
  historyCsv: 'history.csv',
  runs: 'runs.csv',
  phases: 'phases.csv',
  samples: 'samples.csv',
  charts: 'charts',
  logs: 'logs',
} as const;

/** Everything that joulediff ever writes into a result folder; anything else there is somebody else's. */
const OURS = new Set<string>([
  ...Object.values(RESULT_FILES),
  ...['-wal', '-shm', '-journal'].map((end) => RESULT_FILES.database + end),
]);

export const resultPath = (folder: string, file: keyof typeof RESULT_FILES): string => join(folder, RESULT_FILES[file]);

/** Where everything that a run prints is kept. `run` is its number in the database. */
export function logPath(folder: string, run: number, variant: string): string {
  const name = variant.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60);
  return join(resultPath(folder, 'logs'), `${String(run).padStart(4, '0')}-${name}.log`);
}

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
    mkdirSync(resultPath(folder, 'logs'), { recursive: true });
  } catch (cause) {
    throw new InputError(`The output folder ${folder} can't be written: ${messageOf(cause)}.`, { cause });
  }
}

function notAFolder(folder: string): never {
  throw new InputError(`The output folder ${folder} is a file.`, { advice: 'Give a folder with --out.' });
}
