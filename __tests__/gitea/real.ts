import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GiteaUnderTest } from '../forge/gitea-suite.ts';

/** Starts the Gitea that was built into `home`, with two users, three tokens, a repository and a pull request. */
export async function startGitea(home: string): Promise<GiteaUnderTest> {
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
    const words = ['--username', name, '--password', `${name}-password-1`, '--email', `${name}@example.test`];
    gitea('admin', 'user', 'create', ...words, '--must-change-password=false', ...more);
  };
  const token = (name: string, scopes: string) => {
    const words = ['--username', name, '--token-name', scopes.replace(/\W/g, '-'), '--scopes', scopes, '--raw'];
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
  const tokens = {
    token: token('bot', 'all'),
    limitedToken: token('bot', 'read:issue,read:repository'),
    otherToken: token('eve', 'all'),
  };
  const server = spawn(join(home, 'gitea'), ['--config', config, 'web'], { env, stdio: 'ignore' });
  const ended = new Promise((done) => server.once('close', done));
  const close = async () => {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers(`${url}/api/v1/version`);
    const post = async (path: string, json: unknown) => {
      const headers = { authorization: `token ${tokens.token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    };
    await post('user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
    await post('repos/bot/demo/contents/x.txt', {
      branch: 'main',
      new_branch: 'feat',
      content: 'eA==',
      message: 'add x',
    });
    await post('repos/bot/demo/pulls', { title: 'PR one', head: 'feat', base: 'main' });
  } catch (error) {
    await close();
    throw error;
  }
  return { apiUrl: `${url}/api/v1`, owner: 'bot', repository: 'demo', pullRequest: 1, ...tokens, close };
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
[repository]
ROOT = ${join(folder, 'repositories')}
[security]
INSTALL_LOCK = true
SECRET_KEY = test-only
[service]
DISABLE_REGISTRATION = true
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
