import { type ExecFileException, execFile } from 'node:child_process';
import { getErrorCode, InputError, MeasureError } from '../../errors.ts';
import { workloadEnvironment } from '../../executors/environment.ts';
import { Helper } from '../../processes/helper.ts';
import type { Limits } from '../../processes/limits.ts';

/** Time limit of a git command: a filter that never ends must not keep the machine for ever. */
const LIMIT_MS = 3_600_000;
const LARGEST_ANSWER = 64 * 2 ** 20;

/** A pair of GIT_CONFIG_KEY_… and GIT_CONFIG_VALUE_… may be a job's word on which folders are safe, or the header of its token. */
function safeFolders(env: NodeJS.ProcessEnv): Record<string, string> {
  const folders: string[] = [];
  const given = Math.min(1000, Number(env.GIT_CONFIG_COUNT ?? 0));
  for (let i = 0; i < given; i++) {
    const folder = env[`GIT_CONFIG_VALUE_${i}`];
    if (env[`GIT_CONFIG_KEY_${i}`]?.toLowerCase() === 'safe.directory' && folder !== undefined) folders.push(folder);
  }
  const pairs = folders.map((folder, i) => ({
    [`GIT_CONFIG_KEY_${i}`]: 'safe.directory',
    [`GIT_CONFIG_VALUE_${i}`]: folder,
  }));
  return Object.assign({ GIT_CONFIG_COUNT: String(folders.length) }, ...pairs);
}

/** Options by which git runs no hook and no file-system monitor, even if one is configured. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'gc.auto=0'];

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly signal: AbortSignal;
  /** The experiment that the process is marked with, so that a later start ends it if this one is killed. */
  readonly experimentId?: string;
  /** Text for the command's standard input. */
  readonly input?: string;
  /** Limits of the command with its filters; others for tests. */
  readonly most?: Limits;
}

/**
 * Runs git in a folder, with a list of arguments and no shell; nothing is fetched, and nothing in the folder is locked or refreshed.
 * Throws InputError when there is no git, MeasureError when it took longer or needed more than it may, and the signal's reason when it was stopped.
 * What git itself says is the answer.
 */
export async function git(folder: string, words: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { signal, experimentId, input, most } = options;
  const helper = new Helper('git', most);
  const { promise, resolve } = Promise.withResolvers<GitEnd>();
  const args = ['-C', folder, ...QUIET, ...words];
  const how = { env: helper.marked(environment(experimentId)), signal, maxBuffer: LARGEST_ANSWER, timeout: LIMIT_MS };
  const child = helper.born(
    () =>
      execFile('git', args, { ...how, killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
        resolve({ error, stdout, stderr }),
      ),
    (late) => late.kill('SIGKILL'),
  );
  child.stdin?.on('error', () => {});
  child.stdin?.end(input ?? '');
  const { error, stdout, stderr } = await promise;
  const why = helper.reached();
  await helper.end();
  signal.throwIfAborted();
  // A filter that met a limit and was ended may leave git with other files than those of the revision.
  if (why !== null) throw new MeasureError(`git ${words[0]} failed in ${folder}. ${why}`);
  if (error === null) return { code: 0, stdout, stderr };
  if (error.killed && error.code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    throw new MeasureError(`git ${words[0]} did not finish within an hour in ${folder} and was stopped.`, {
      cause: error,
    });
  }
  if (typeof error.code === 'number') return { code: error.code, stdout, stderr };
  if (getErrorCode(error) === 'ENOENT') {
    throw new InputError('A revision needs git, which was not found.', { advice: 'Install git.', cause: error });
  }
  throw new MeasureError(`git could not be run: ${error.message}`, { cause: error });
}

interface GitEnd {
  readonly error: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Git's own variables that say where its configuration is; others would point it at another repository, as in a hook. */
const GIT_OWN = /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|EXEC_PATH)$/;

/** A filter that git starts (git-lfs, for example) sees no more of the caller's variables than a workload. */
function environment(experimentId: string | undefined): NodeJS.ProcessEnv {
  const inherited = Object.entries(workloadEnvironment(process.env).inherited).filter(([name]) => !/^GIT_/.test(name));
  return {
    ...Object.fromEntries([...inherited, ...Object.entries(process.env).filter(([name]) => GIT_OWN.test(name))]),
    ...safeFolders(process.env),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    ...(experimentId !== undefined && { JOULEDIFF_EXPERIMENT: experimentId }),
  };
}

/** The first two lines of what git complained of, as one line; without any, its exit code. */
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
