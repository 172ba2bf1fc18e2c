// Class: unit.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectHistoryStore, webAddress } from '../../../../src/parts/fleet/commands/history-store.ts';

describe('the web address of a remote', () => {
  it.each([
    ['https://github.com/octo/demo.git', 'https://github.com/octo/demo'],
    ['https://mona:secret@github.com/octo/demo/', 'https://github.com/octo/demo'],
    ['http://gitea.test:3000/octo/demo', 'http://gitea.test:3000/octo/demo'],
    ['git@github.com:octo/demo.git', 'https://github.com/octo/demo'],
    ['ssh://git@gitea.test:2222/octo/demo.git', 'https://gitea.test/octo/demo'],
    ['/srv/git/demo.git', null],
    ['../demo', null],
    ['file:///srv/git/demo.git', null],
    ['ext::sh -c touch% /tmp/x', null],
    ['', null],
  ])('of %j is %j', (remote, address) => {
    expect(webAddress(remote)).toBe(address);
  });
});

describe('a history on a branch of a repository beside this one', () => {
  const cwd = process.cwd();
  const git = (...words: string[]) => execFileSync('git', words, { stdio: 'pipe' });
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'joulediff-store-')));
    git('init', '--quiet', '--bare', join(folder, 'origin.git'));
    mkdirSync(join(folder, 'clone', 'deep'), { recursive: true });
    process.chdir(join(folder, 'clone'));
    git('init', '--quiet');
    git('remote', 'add', 'origin', '../origin.git');
    process.chdir('deep');
  });
  afterAll(() => {
    process.chdir(cwd);
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['as its remote origin says, from the top of the checkout', {}],
    ['as --remote says, from this folder', { remote: '../../origin.git' }],
  ])('is found %s', async (_, options) => {
    expect(await selectHistoryStore({ branch: 'joulediff-history', ...options }).records()).toEqual([]);
  });
});
