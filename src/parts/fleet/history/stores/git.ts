import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { MeasureError, messageOf } from '../../../../errors.ts';
import { Helper } from '../../../../processes/helper.ts';
import { makeMarkedFolder } from '../../../../processes/left-folders.ts';
import type { Limits } from '../../../../processes/limits.ts';

export interface Remote {
  /** Remote address for git: https, ssh, or a path. */
  readonly url: string;
  /** The forge's; empty: git's own ways to know the user. */
  readonly token: string;
}

export interface GitResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A bare repository of our own in a temporary folder: no checkout, index or configuration of the user is touched. */
export interface ScratchRepository {
  /** Runs git in it; the remote is called `history`. */
  git(words: readonly string[], input?: string | Uint8Array): Promise<GitResult>;
  /** The same, where anything but success is an error. Throws MeasureError with git's own words. */
  must(words: readonly string[], input?: string | Uint8Array): Promise<Buffer>;
}

/** Time limit for a git command, ms: the network may be down. */
const LIMIT_MS = 120_000;
const MAX_STDOUT = 256 * 2 ** 20;
const MAX_STDERR = 4000;

/** Makes the repository, hands it to `work`, and removes it. `most`: what a call of git may have; for tests. */
export async function withScratch<T>(
  remote: Remote,
  work: (repository: ScratchRepository) => Promise<T>,
  most?: Limits,
): Promise<T> {
  const folder = makeMarkedFolder(tmpdir(), 'joulediff-history-', '');
  const env = environment(remote, folder);
  const git: ScratchRepository['git'] = (words, input) => run(words, { env, cwd: folder }, input, most);
  const must: ScratchRepository['must'] = async (words, input) => {
    const { code, stdout, stderr } = await git(words, input);
    if (code === 0) return stdout;
    throw new MeasureError(`git ${words[0]} failed: ${lastLines(stderr) || `exit code ${code}`}`, {
      advice: 'The history was not changed.',
    });
  };
  try {
    await must(['init', '--quiet', '--bare', '--template=', '.']);
    return await work({ git, must });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Passes address and token in git's environment, not as arguments, which every user of the machine can read, nor in a file.
 * A token is sent like by actions/checkout, and only to this address.
 */
function environment({ url, token }: Remote, folder: string): NodeJS.ProcessEnv {
  const config: [string, string][] = [
    ['remote.history.url', url],
    ['core.hooksPath', '/dev/null'],
    ['gc.auto', '0'],
    ['commit.gpgSign', 'false'],
    ['push.gpgSign', 'false'],
    ['http.lowSpeedLimit', '100'],
    ['http.lowSpeedTime', '30'],
  ];
  if (token !== '') {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    // No credential helper may store or replace the token. The empty header removes one that the user set, since two would be refused.
    config.push(['credential.helper', ''], [`http.${url}.extraheader`, '']);
    config.push([`http.${url}.extraheader`, `AUTHORIZATION: basic ${basic}`]);
  }
  const env: NodeJS.ProcessEnv = {};
  // Variables that a shell or hook set for another repository would misdirect git; traces could contain the token.
  for (const [name, value] of Object.entries(process.env)) if (!/^GIT_(?!SSH)/.test(name)) env[name] = value;
  config.forEach(([key, value], i) => {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return {
    ...env,
    GIT_CONFIG_COUNT: String(config.length),
    GIT_DIR: folder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'joulediff',
    GIT_AUTHOR_EMAIL: 'joulediff@users.noreply.github.com',
    GIT_COMMITTER_NAME: 'joulediff',
    GIT_COMMITTER_EMAIL: 'joulediff@users.noreply.github.com',
    LC_ALL: 'C',
  };
}

function run(
  words: readonly string[],
  where: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
  input: string | Uint8Array = '',
  most?: Limits,
): Promise<GitResult> {
  const helper = new Helper('git', most);
  return new Promise((done, fail) => {
    const child = helper.born(
      () => spawn('git', words, { ...where, stdio: 'pipe', timeout: LIMIT_MS, killSignal: 'SIGKILL' }),
      (late) => late.kill('SIGKILL'),
    );
    const out: Buffer[] = [];
    let stderr = '';
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_STDOUT) out.push(chunk);
      else child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = `${stderr}${chunk}`.slice(-MAX_STDERR);
    });
    child.once('error', async (cause) => {
      await helper.end();
      fail(
        new MeasureError(`git could not be started: ${messageOf(cause)}.`, {
          advice: 'A history on a branch needs git on this machine.',
          cause,
        }),
      );
    });
    child.once('close', async (code, signal) => {
      const beyond = helper.reached();
      await helper.end();
      if (beyond !== null) {
        fail(new MeasureError(`git ${words[0]} failed. ${beyond}`, { advice: 'The history was not changed.' }));
        return;
      }
      const why = bytes > MAX_STDOUT ? 'it gave more than 256 MiB' : `it took longer than ${LIMIT_MS / 1000} s`;
      const late = signal === 'SIGKILL' ? `\n${why}` : '';
      done({ code, stdout: Buffer.concat(out), stderr: `${stderr}${late}` });
    });
    // git may stop reading before the input ends.
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** The end of what git said, on one line, without addresses' credentials. */
export function lastLines(stderr: string): string {
  const text = stderr.replace(/\/\/[^/\s@]*@/g, '//').replace(/\s*\n\s*/g, ' ');
  return text.trim().slice(-600);
}
