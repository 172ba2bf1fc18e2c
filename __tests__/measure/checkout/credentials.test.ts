// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { foundCredentials } from '../../../src/measure/checkout/credentials.ts';
import { TestRepository } from './repository-folder.ts';

let repository: TestRepository;
let temp: string;
beforeEach(() => {
  repository = TestRepository.create();
  temp = mkdtempSync(join(tmpdir(), 'joulediff-runner-'));
});
afterEach(() => {
  repository.remove();
  rmSync(temp, { recursive: true, force: true });
});

const { signal } = new AbortController();
const found = (env: NodeJS.ProcessEnv = {}, folder = repository.path) => foundCredentials(folder, env, { signal });
const HEADER = [
  'http.https://github.com/.extraheader',
  'AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46c3dvcmRmaXNo',
] as const;

describe('Credentials that a workload could read', () => {
  it('are not there after a plain clone', async () => {
    repository.git('remote', 'add', 'origin', 'https://github.com/some/repository');
    repository.git('config', 'user.name', 'Somebody');
    expect(await found({ GITHUB_ACTIONS: 'true', RUNNER_TEMP: temp })).toBeNull();
    expect(await found({}, temp)).toBeNull();
  });

  it('are found in the header of a checkout, from a folder of the repository too', async () => {
    repository.git('config', ...HEADER);
    mkdirSync(join(repository.path, 'bench'));
    for (const folder of [repository.path, join(repository.path, 'bench')]) {
      expect(await found({}, folder)).toBe(
        `The workload can read credentials of the checkout in ${repository.path}/.git/config. Give actions/checkout persist-credentials: false, or take them out before anything is measured.`,
      );
    }
  });

  it('are found in a file that is included under a condition, and in what a job left', async () => {
    const file = join(temp, 'git-credentials-1234.config');
    repository.git('config', '--file', file, ...HEADER);
    repository.git('config', `includeIf.gitdir:${repository.path}/.git.path`, file);
    repository.git(
      'config',
      'includeIf.gitdir:/github/workspace/.git.path',
      '/github/runner_temp/git-credentials-1234.config',
    );
    expect(await found()).toContain(`in ${file}. `);
    expect(await found({ RUNNER_TEMP: temp }, temp)).toContain(`in ${file}. `);
  });

  it.each([
    ['a password in the address of a remote', 'remote.origin.url', 'https://me:swordfish@example.org/x', {}],
    ['the key of a job', 'core.sshCommand', '"/usr/bin/ssh" -i "$RUNNER_TEMP/key" -o CheckHostIP=no', { CI: 'true' }],
  ])('are found: %s', async (_what, key, value, env) => {
    repository.git('config', key, value);
    expect(await found(env)).toContain('.git/config');
  });

  it('are looked for without an end where a file includes itself', async () => {
    writeFileSync(join(repository.path, '.git', 'more'), '[include]\n\tpath = more\n\tpath = config\n');
    repository.git('config', 'include.path', 'more');
    expect(await found()).toBeNull();
  });
});
