import { execFileSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { InputError, messageOf } from '../errors.ts';
import type { HistorySetting } from '../experiment/experiment.ts';
import { branchStore } from '../history/stores/branch.ts';
import { sqliteStore } from '../history/stores/sqlite.ts';
import type { HistoryStore } from '../history/stores/store.ts';
import { shellWord } from '../report/escape.ts';
import type { Arguments, Option } from './arguments.ts';

/** Options that say where a history lies. */
export const STORE_OPTIONS: readonly Option[] = [
  { name: 'file', value: 'PATH', help: 'the history is this SQLite file' },
  { name: 'branch', value: 'NAME', help: 'the history is this branch of the remote repository' },
  { name: 'remote', value: 'URL', help: 'of --branch: the repository (default: origin of the one in this folder)' },
];

/** The place that the words of a command name. Throws InputError. */
export function historyStoreOf(args: Arguments): HistoryStore {
  const [file, branch] = [args.text('file'), args.text('branch')];
  if ((file === null) === (branch === null)) {
    throw new InputError('A history is a file or a branch: give either --file or --branch.', {
      advice: 'For example --file ~/.local/state/joulediff/history.db, or --branch joulediff-history.',
    });
  }
  if (file !== null) return sqliteStore(file.startsWith('~/') ? file : resolve(file));
  if (!/^[A-Za-z0-9_][\w./+-]{0,199}$/.test(branch!))
    throw new InputError(`--branch ${branch} is not the name of a branch.`);
  // Whatever the user's git may push, it may push here: it knows its own credentials.
  return branchStore({ url: args.text('remote') ?? origin(), token: '', branch: branch!, tracked: '' });
}

function origin(): string {
  try {
    return execFileSync('git', ['remote', 'get-url', 'origin'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  } catch (cause) {
    throw new InputError(
      `The repository of this folder has no remote called origin: ${messageOf(cause).split('\n').at(-1)}`,
      {
        advice: 'Give its address with --remote.',
        cause,
      },
    );
  }
}

/** A terminal keeps nothing by itself: what lies there may be no commit at all. */
export function historyHint({ file, branch }: HistorySetting, databasePath: string): string {
  const place = file === null ? `--branch ${branch}` : `--file ${shellWord(file)}`;
  return `Not kept in the history; to do so: joulediff history add ${shellWord(relative('.', databasePath))} ${place}\n`;
}
