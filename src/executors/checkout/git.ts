import { execFile } from 'node:child_process';
import { codeOf, InputError, MeasureError } from '../../errors.ts';
import { ownerToken } from '../leftovers/owner.ts';

const LARGEST_ANSWER = 64 * 2 ** 20;

/**
 * Variables that would point git at another repository (`git rev-parse --local-env-vars`; they are set where joulediff is started from a
 * hook). GIT_CONFIG_COUNT and its pairs stay: jobs say with them which folders are safe.
 */
const LOCAL = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/** No hook and no file-system monitor is run, whoever configured one. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'gc.auto=0'];

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly signal: AbortSignal;
  /** The experiment that a process is marked with, so that a later start ends it if this one is killed. */
  readonly experimentId?: string;
  /** Given to its standard input. */
  readonly input?: string;
}

/**
 * Runs git in a folder, with a list of arguments and no shell; nothing is fetched, and nothing in the folder is locked or refreshed.
 * Throws InputError when there is no git, and the signal's reason when it was stopped. What git itself says is the answer.
 */
export function git(folder: string, words: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { signal, experimentId, input } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['-C', folder, ...QUIET, ...words],
      { env: environment(experimentId), signal, maxBuffer: LARGEST_ANSWER, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        if (signal.aborted) return reject(signal.reason);
        if (error === null) return resolve({ code: 0, stdout, stderr });
        if (typeof error.code === 'number') return resolve({ code: error.code, stdout, stderr });
        if (codeOf(error) === 'ENOENT') {
          return reject(
            new InputError('A revision needs git, which was not found.', { advice: 'Install git.', cause: error }),
          );
        }
        reject(new MeasureError(`git could not be run: ${error.message}`, { cause: error }));
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}

function environment(experimentId: string | undefined): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !LOCAL.has(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    JOULEDIFF_OWNER: ownerToken(),
    ...(experimentId !== undefined && { JOULEDIFF_EXPERIMENT: experimentId }),
  };
}

/** The last thing that git complained of, in a line. */
export function complaint({ stderr, code }: GitAnswer): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^(fatal|error|warning): /, '').trim());
  return (
    lines
      .filter((line) => line !== '')
      .slice(0, 2)
      .join(' ')
      .slice(0, 400) || `exit code ${code}`
  );
}
