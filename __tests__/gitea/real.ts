import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GiteaUnderTest } from '../forge/gitea-suite.ts';

/** A Gitea that was built, running with nothing in it but the users `bot`, its administrator, and `eve`. */
export interface RunningGitea {
  readonly url: string;
  /** The administrator's. */
  readonly token: string;
  /** A token of a user with these scopes. */
  tokenOf(user: string, scopes: string): string;
  /** Asks the API as a user, and gives the answer's JSON, if there is any. Throws where it refuses. */
  api<T>(method: string, path: string, json?: unknown, token?: string): Promise<T>;
  close(): Promise<void>;
}

export async function startServer(home: string): Promise<RunningGitea> {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-gitea-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(join(folder, 'conf'));
  const config = join(folder, 'conf', 'app.ini');
  writeFileSync(config, configuration(folder, home, port));
  const env = { PATH: process.env.PATH, HOME: folder, USER: userInfo().username, GITEA_WORK_DIR: folder };
  const gitea = (...words: string[]) =>
    execFileSync(join(home, 'gitea'), ['--config', config, ...words], { env, encoding: 'utf8', stdio: 'pipe' });
  const user = (name: string, ...more: string[]) => {
    const words = ['--username', name, '--password', passwordOf(name), '--email', `${name}@example.test`];
    gitea('admin', 'user', 'create', ...words, '--must-change-password=false', ...more);
  };
  const tokenOf = (name: string, scopes: string) => {
    const words = ['--username', name, '--token-name', randomUUID(), '--scopes', scopes, '--raw'];
    return (
      gitea('admin', 'user', 'generate-access-token', ...words)
        .trim()
        .split('\n')
        .at(-1) ?? ''
    );
  };
  gitea('migrate');
  user('bot', '--admin');
  user('eve');
  const token = tokenOf('bot', 'all');
  const server = spawn(join(home, 'gitea'), ['--config', config, 'web'], { env, stdio: 'ignore' });
  const ended = new Promise((done) => server.once('close', done));
  const close = async () => {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers(`${url}/api/v1/version`);
  } catch (error) {
    await close();
    throw error;
  }
  const api = async <T>(method: string, path: string, json?: unknown, as = token): Promise<T> => {
    const headers = { authorization: `token ${as}`, 'content-type': 'application/json' };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await fetch(`${url}/api/v1/${path}`, { method, headers, ...body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text || 'null');
  };
  return { url, token, tokenOf, api, close };
}

export const passwordOf = (user: string): string => `${user}-password-1`;

/** Starts it for the tests of the comment: with a repository, a pull request, and three tokens. */
export async function startGitea(home: string): Promise<GiteaUnderTest> {
  const { url, token, tokenOf, api, close } = await startServer(home);
  try {
    await api('POST', 'user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
    const file = { branch: 'main', new_branch: 'feat', content: 'eA==', message: 'add x' };
    await api('POST', 'repos/bot/demo/contents/x.txt', file);
    await api('POST', 'repos/bot/demo/pulls', { title: 'PR one', head: 'feat', base: 'main' });
    const tokens = {
      token,
      limitedToken: tokenOf('bot', 'read:issue,read:repository'),
      otherToken: tokenOf('eve', 'all'),
    };
    return { apiUrl: `${url}/api/v1`, owner: 'bot', repository: 'demo', pullRequest: 1, ...tokens, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function configuration(folder: string, home: string, port: number): string {
  return `RUN_MODE = prod
RUN_USER = ${userInfo().username}
WORK_PATH = ${folder}
; It listens on loopback only, for some seconds, with nothing in it.
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
DISABLE_SSH = true
OFFLINE_MODE = true
STATIC_ROOT_PATH = ${home}
[database]
DB_TYPE = sqlite3
PATH = ${join(folder, 'gitea.db')}
; Half a second is too short on a busy machine: whoever asks meanwhile is refused.
SQLITE_TIMEOUT = 30000
SQLITE_JOURNAL_MODE = WAL
[repository]
ROOT = ${join(folder, 'repositories')}
[security]
INSTALL_LOCK = true
SECRET_KEY = test-only
[service]
DISABLE_REGISTRATION = true
[actions]
ENABLED = true
DEFAULT_ACTIONS_URL = self
[mailer]
ENABLED = false
[log]
MODE = file
LEVEL = Warn
ROOT_PATH = ${join(folder, 'log')}
[cron.update_checker]
ENABLED = false
`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

async function untilItAnswers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer`);
}
