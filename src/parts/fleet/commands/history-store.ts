import { relative, resolve } from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { InputError, messageOf } from '../../../errors.ts';
import type { HistorySetting } from '../../../experiment/experiment.ts';
import { askProgram } from '../../../processes/ask-program.ts';
import { copiedWord } from '../../../report/escape.ts';
import { command } from '../../../terminal/command.ts';
import type { HistoryStore } from '../history/record.ts';
import { branchStore } from '../history/stores/branch.ts';
import { sqliteStore } from '../history/stores/sqlite.ts';

export const BRANCH = ['--branch <NAME>', 'keep the history on this branch of the remote repository'] as const;
export const REMOTE = [
  '--remote <URL>',
  'for --branch: URL of the repository (default: origin of the one in this folder)',
] as const;

/** A command about a history, with options for its location. */
export const historyCommand = (name: string, summary: string) => withHistoryOptions(command(name, summary));

/** Adds the options for the location of a history. */
export function withHistoryOptions<A extends unknown[], O extends OptionValues>(of: Command<A, O>) {
  return of
    .option('--file <PATH>', 'keep the history in this SQLite file')
    .option(...BRANCH)
    .option(...REMOTE);
}

interface HistoryOptions {
  readonly file?: string | undefined;
  readonly branch?: string | undefined;
  readonly remote?: string | undefined;
}

/** The history that the options select. Throws InputError. */
export function selectHistoryStore({ file, branch, remote }: HistoryOptions): HistoryStore {
  if (file !== undefined && branch === undefined) return sqliteStore(file.startsWith('~/') ? file : resolve(file));
  if (branch === undefined || file !== undefined) {
    throw new InputError('A history is a file or a branch: give either --file or --branch.', {
      advice: 'For example --file ~/.local/state/joulediff/history.db, or --branch joulediff-history.',
    });
  }
  if (!/^[A-Za-z0-9_][\w./+-]{0,199}$/.test(branch)) {
    throw new InputError(`--branch ${branch} is not the name of a branch.`);
  }
  // The user's git has its own credentials for pushing.
  return branchStore({
    url: remote === undefined ? origin() : addressFrom('.', remote),
    token: '',
    branch,
    tracked: '',
  });
}

const askOrigin = () => askProgram('git', ['remote', 'get-url', 'origin']);

function origin(): string {
  const { error, status, stdout, stderr } = askOrigin();
  if (status === 0) {
    return addressFrom(askProgram('git', ['rev-parse', '--show-toplevel']).stdout.trim() || '.', stdout.trim());
  }
  const why = error === undefined ? stderr.trim().split('\n').at(-1) : messageOf(error);
  throw new InputError(`The repository of this folder has no remote called origin: ${why}`, {
    advice: 'Give its address with --remote.',
    cause: error,
  });
}

/** An address for a repository in another folder. Git takes one without a colon before its first slash for a path. */
const addressFrom = (folder: string, address: string): string =>
  /^[^/]*:/.test(address) ? address : resolve(folder, address);

/** Web address of origin; null: there is none. */
export function originAddress(): string | null {
  const { status, stdout } = askOrigin();
  return status === 0 ? webAddress(stdout.trim()) : null;
}

/** The web address of a remote as a workflow records it, without a password; null: it has none. */
export function webAddress(remote: string): string | null {
  // `git@github.com:octo/demo.git` is short for an ssh address.
  const url = URL.parse(remote.replace(/^(?:[\w.-]+@)?([\w.-]+):(?!:|\/\/)\/*/, 'ssh://$1/'));
  if (url === null || !/^[\w.-]+$/.test(url.hostname) || !/^(?:https?|ssh|git):$/.test(url.protocol)) return null;
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  // The port of another protocol does not apply to the web.
  return /^http/.test(url.protocol) ? `${url.origin}${path}` : `https://${url.hostname}${path}`;
}

/** Hint for keeping a result: on a terminal this is manual, since uncommitted changes may have been measured. */
export function historyHint({ file, branch }: HistorySetting, databasePath: string): string {
  const place = file === null ? `--branch ${branch}` : `--file ${copiedWord(file)}`;
  return `Not added to the history. To add it: joulediff history add ${copiedWord(relative('.', databasePath))} ${place}\n`;
}

export const addressOf =
  (option: string) =>
  (given: string): string => {
    const url = URL.parse(given);
    if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
      return given.replace(/\/+$/, '').replace(/\.git$/, '');
    }
    throw new InputError(`${option} ${given} is not a web address.`, {
      advice: 'For example https://github.com/octo/demo.',
    });
  };
