// Class: world.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { itAsRoot } from '../setup/as-root.ts';

const SCRIPT = fileURLToPath(new URL('../../runner-setup/github-runner.sh', import.meta.url));

/** Stands in for the runner. It takes the configuration as a variable: every user of the machine can read its arguments. */
const STUB = '#!/bin/sh\necho "run, arguments: $#, $ACTIONS_RUNNER_INPUT_JITCONFIG"\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-github-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function script(word: string, env: Record<string, string>) {
  const child = spawn('sh', [SCRIPT, word], {
    env: { PATH: process.env.PATH, JOULEDIFF_GITHUB_FOLDER: join(folder, 'run'), ...env },
  });
  let reported = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (reported += data));
  return new Promise<{ code: number | null; reported: string }>((done) => {
    child.on('close', (code) => done({ code, reported }));
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += part;
  return body;
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const withCurl = hasCurl ? it : it.skip;
const why = hasCurl ? '' : ' (curl is not there)';

describe('the just-in-time runner of GitHub', () => {
  withCurl(`gets a configuration for one job, which the runner alone may read, and never the token${why}`, async () => {
    const asked: unknown[] = [];
    await using server = createServer(async (request, response) => {
      const { method, url, headers } = request;
      asked.push({ method, url, authorization: headers.authorization, body: JSON.parse(await readBody(request)) });
      response.end(JSON.stringify({ runner: { id: 1 }, encoded_jit_config: 'ZW5jb2RlZA==' }));
    }).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    writeFileSync(join(folder, 'token'), 'ghp_secret\n');
    const env = {
      GITHUB_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GITHUB_SCOPE: 'repos/us/it',
      GITHUB_TOKEN_FILE: join(folder, 'token'),
      RUNNER_USER: userInfo().username,
      RUNNER_LABELS: 'joulediff,i5"8500t',
    };
    expect(await script('token', env)).toEqual({ code: 0, reported: '' });
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/repos/us/it/actions/runners/generate-jitconfig',
        authorization: 'Bearer ghp_secret',
        body: {
          name: expect.any(String),
          runner_group_id: 1,
          work_folder: '_work',
          labels: ['self-hosted', 'joulediff', 'i58500t'],
        },
      },
    ]);
    const config = join(folder, 'run', 'jitconfig');
    expect({ mode: statSync(config).mode & 0o777, text: readFileSync(config, 'utf8').trim() }).toEqual({
      mode: 0o600,
      text: 'ZW5jb2RlZA==',
    });

    mkdirSync(join(folder, 'runner'));
    writeFileSync(join(folder, 'runner', 'run.sh'), STUB);
    chmodSync(join(folder, 'runner', 'run.sh'), 0o755);
    const ran = await script('run', { RUNNER_HOME: join(folder, 'runner') });
    expect(ran).toEqual({ code: 0, reported: 'run, arguments: 0, ZW5jb2RlZA==\n' });
    // The job that is run now can't read it again.
    expect(readFileSync(config, 'utf8')).toBe('');
  });

  // systemd's own sandbox can't be had without systemd: the same mounts stand in for ProtectSystem=strict.
  itAsRoot('starts where nothing can be written but what its unit lists', async () => {
    const unit = readFileSync(join(dirname(SCRIPT), 'systemd', 'joulediff-github-runner.service'), 'utf8');
    const listed = /^ReadWritePaths=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    const paths = listed.map((path) => path.replace(/^-/, '')).filter((path) => path.startsWith('/run/'));
    const config = '/run/joulediff-github/jitconfig';
    mkdirSync(dirname(config), { recursive: true });
    try {
      writeFileSync(config, 'ZW5jb2RlZA==\n');
      const run = join(folder, 'run.sh');
      writeFileSync(run, STUB, { mode: 0o755 });
      const mounts = [
        'mount --bind /run /run',
        'mount -o remount,bind,ro /run',
        ...paths.map(
          (path) => `[ ! -e ${path} ] || { mount --bind ${path} ${path}; mount -o remount,bind,rw ${path}; }`,
        ),
        '! touch /run/joulediff-test 2>/dev/null',
        `RUNNER_HOME=${folder} exec sh ${SCRIPT} run`,
      ];
      const found = spawnSync('unshare', ['-m', 'sh', '-ec', mounts.join('\n')], { encoding: 'utf8' });
      expect({ stdout: found.stdout, stderr: found.stderr }).toEqual({
        stdout: 'run, arguments: 0, ZW5jb2RlZA==\n',
        stderr: '',
      });
    } finally {
      rmSync(dirname(config), { recursive: true, force: true });
    }
  });

  withCurl(`says so where GitHub gives none${why}`, async () => {
    await using server = createServer((_, response) => response.end('{"message":"Not Found"}')).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    writeFileSync(join(folder, 'token'), 'x');
    const { code, reported } = await script('token', {
      GITHUB_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GITHUB_SCOPE: 'orgs/us',
      GITHUB_TOKEN_FILE: join(folder, 'token'),
      RUNNER_USER: userInfo().username,
    });
    expect({ code, reported }).toEqual({ code: 1, reported: 'GitHub gave no configuration.\n' });
  });
});
