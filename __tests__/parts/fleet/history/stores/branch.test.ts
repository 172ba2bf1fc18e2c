// Class: world, long.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { reap } from '../../../../../src/executors/leftovers/reaper.ts';
import { branchStore } from '../../../../../src/parts/fleet/history/stores/branch.ts';
import { line, record, uuid } from '../records.ts';
import { startGitServer } from './git-server.ts';

const ADD = fileURLToPath(new URL('add.ts', import.meta.url));
const BRANCH = 'joulediff-history';

let folder: string;
let remote: string;
const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', words, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
const show = (path: string, revision = BRANCH) => git(remote, 'show', `${revision}:${path}`);
const store = (branch = BRANCH) => branchStore({ url: remote, token: '', branch, tracked: 'main' });

/** A repository with a commit on main, as a forge has it. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-history-'));
  remote = join(folder, 'octo', 'demo.git');
  git(folder, 'init', '-q', '--bare', '-b', 'main', remote);
  const work = join(folder, 'work');
  git(folder, 'clone', '-q', remote, work);
  writeFileSync(join(work, 'sort.sh'), 'sort\n');
  git(work, 'add', '-A');
  git(work, '-c', 'user.name=t', '-c', 'user.email=t@example.test', 'commit', '-qm', 'Sort');
  git(work, 'push', '-q', 'origin', 'HEAD:main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a history on a branch', () => {
  it('is empty while there is no branch', async () => {
    expect(await store().records()).toEqual([]);
  });

  it('makes the branch with nothing of the code in it, and leaves the other branches alone', async () => {
    const main = git(remote, 'rev-parse', 'main');
    expect(await store().add(record())).toBe(true);
    expect(git(remote, 'rev-list', '--count', BRANCH)).toBe('1');
    expect(git(remote, 'ls-tree', '-r', '--name-only', BRANCH).split('\n')).toEqual([
      'README.md',
      'badges/sort.json',
      'badges/sort.svg',
      'joulediff-history.json',
      `records/2026/01/${record().id}.json`,
    ]);
    expect(git(remote, 'rev-parse', 'main')).toBe(main);
    expect(JSON.parse(show('badges/sort.json'))).toMatchObject({ schemaVersion: 1, label: 'container energy' });
  });

  it('removes records by a commit on top, and nothing else', async () => {
    const records = line({ count: 3 });
    for (const each of records) await store().add(each);
    const before = git(remote, 'rev-parse', BRANCH);
    expect(await store().remove(new Set([records[0]!.id, records[2]!.id, 'never-there']))).toBe(2);
    expect(await store().records()).toEqual([records[1]]);
    expect(git(remote, 'rev-parse', `${BRANCH}^`)).toBe(before);
    const changed = git(remote, 'diff', '--name-status', before, BRANCH).split('\n');
    expect(changed).toEqual([records[0], records[2]].map((each) => `D\trecords/2026/01/${each!.id}.json`));
    const head = git(remote, 'rev-parse', BRANCH);
    expect(await store().remove(new Set(['never-there']))).toBe(0);
    expect(git(remote, 'rev-parse', BRANCH)).toBe(head);
  });

  it('keeps one note of a commit as a file, until it is removed or the commit has no experiment left', async () => {
    const records = line({ count: 2 });
    for (const each of records) await store().add(each);
    const [first, second] = records.map(({ commit }) => commit as string) as [string, string];
    await Promise.all([store().annotate(first, 'a new compiler'), store().annotate(second, 'a feature')]);
    await store().annotate(first, 'a newer compiler');
    const head = git(remote, 'rev-parse', BRANCH);
    expect(await store().annotate(first, 'a newer compiler')).toBe(false);
    expect(git(remote, 'rev-parse', BRANCH)).toBe(head);
    expect(JSON.parse(show(`notes/${first}.json`))).toEqual({
      schema: 'joulediff/history-note/1',
      commit: first,
      text: 'a newer compiler',
    });
    expect((await store().read()).notes).toEqual(
      new Map([
        [first, 'a newer compiler'],
        [second, 'a feature'],
      ]),
    );
    await store().remove(new Set([records[0]!.id]));
    expect(await store().read()).toEqual({ records: [records[1]], notes: new Map([[second, 'a feature']]) });
    expect(await store().annotate(second, '')).toBe(true);
    expect(git(remote, 'ls-tree', '-r', '--name-only', BRANCH)).not.toContain('notes/');
  });

  it.each([
    ['a newer joulediff', { schema: 'joulediff/history-note/2' }, /written by a newer joulediff/],
    ['another program', { schema: 'joulediff/history-note/1', commit: 'x', text: 'y' }, /is not a history note/],
    [
      'somebody who hides something',
      { schema: 'joulediff/history-note/1', commit: 'a'.repeat(40), text: 'fine\u202e' },
      /is not a history note \(at text\)/,
    ],
  ])('refuses a note of %s', async (_, note, reported) => {
    await store().add(record());
    const work = join(folder, 'edit');
    git(folder, 'clone', '-q', '-b', BRANCH, remote, work);
    mkdirSync(join(work, 'notes'));
    writeFileSync(join(work, 'notes', 'a.json'), JSON.stringify(note));
    git(work, 'add', '-A');
    git(work, '-c', 'user.name=t', '-c', 'user.email=t@example.test', 'commit', '-qm', 'Note');
    git(work, 'push', '-q', 'origin', `HEAD:${BRANCH}`);
    await expect(store().read()).rejects.toThrow(reported);
  });

  it('leaves a folder when it is killed while it pushes, which the next start removes', async () => {
    const temporary = join(folder, 'temporary');
    const pushing = join(folder, 'pushing');
    mkdirSync(temporary);
    const hook = `#!/bin/sh\ntouch ${pushing}\nwhile [ -e ${pushing} ] && [ ! -e ${pushing}.end ]; do sleep 0.1; done\nexit 1\n`;
    writeFileSync(join(remote, 'hooks', 'pre-receive'), hook, { mode: 0o755 });
    const child = spawn(process.execPath, [ADD, 'branch', remote, BRANCH, '1', '1'], {
      env: { ...process.env, TMPDIR: temporary },
    });
    const before = process.env.TMPDIR;
    process.env.TMPDIR = temporary;
    try {
      while (!existsSync(pushing)) await sleep(20);
      await reap();
      expect(readdirSync(temporary)).toHaveLength(1);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await reap();
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      writeFileSync(`${pushing}.end`, '');
    }
  });

  it('gives back what was kept, in the order of measuring, each experiment once', async () => {
    const records = line({ count: 4 });
    for (const each of [...records].reverse()) expect(await store().add(each)).toBe(true);
    expect(await store().add({ ...records[0]!, experiment: 'again' })).toBe(false);
    expect(await store().records()).toEqual(records);
    expect(git(remote, 'rev-list', '--count', BRANCH)).toBe('4');
  });

  it('keeps the badge of the latest experiment, whichever is kept first', async () => {
    const [early, late] = line({ count: 2 });
    await store().add(late!);
    const badge = show('badges/sort.json');
    await store().add(early!);
    expect(show('badges/sort.json')).toBe(badge);
    // An older commit that is measured now.
    const backfilled = { id: uuid(7), started_at: '2026-02-01T00:00:00Z', committed_at: early!.started_at };
    await store().add({ ...early!, ...backfilled });
    expect(show('badges/sort.json')).toBe(badge);
  });

  it('shows no number in the badge of an experiment that can’t be trusted', async () => {
    await store().add(record({ failed_checks: ['clock'] }));
    expect(JSON.parse(show('badges/sort.json'))).toMatchObject({ message: "can't be trusted", color: '#5c5c5c' });
  });

  it('loses nothing when three processes push at once, the first commit included', async () => {
    const writers = [0, 1, 2].map((i) => {
      const child = spawn(process.execPath, [ADD, 'branch', remote, BRANCH, String(100 * i), '4'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return once(child, 'close');
    });
    for (const ended of await Promise.all(writers)) expect(ended).toEqual([0, null]);
    const ids = (await store().records()).map(({ id }) => id).sort();
    expect(ids).toEqual([0, 1, 2].flatMap((i) => [0, 1, 2, 3].map((k) => uuid(100 * i + k))).sort());
    // One line of commits: nobody's was pushed away.
    expect(git(remote, 'rev-list', '--count', BRANCH)).toBe('12');
  });

  it('is whole after a writer was killed, and goes on', async () => {
    for (const afterMs of [60, 120, 180, 240]) {
      const child = spawn(process.execPath, [ADD, 'branch', remote, BRANCH, String(afterMs), '50'], {
        stdio: 'ignore',
        env: { ...process.env, TMPDIR: folder },
      });
      await sleep(700 + afterMs);
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    const idsThere = async () => (await store().records()).map(({ id }) => id);
    const kept = await idsThere();
    expect(await store().add(record({ id: uuid(9999) }))).toBe(true);
    // The git of a writer that was killed may still push what was on its way, so there may be more.
    const after = await idsThere();
    expect(after).toEqual(expect.arrayContaining([...kept, uuid(9999)]));
    expect(new Set(after).size).toBe(after.length);
    git(remote, 'fsck', '--strict');
  });

  it('touches no checkout, index or configuration of the user, and leaves no folder behind', async () => {
    const work = join(folder, 'work');
    writeFileSync(join(work, 'sort.sh'), 'sort -r\n');
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const status = git(work, 'status', '--porcelain');
    const config = readFileSync(join(work, '.git', 'config'), 'utf8');
    const index = readFileSync(join(work, '.git', 'index'));
    const { TMPDIR } = process.env;
    process.env.GIT_DIR = join(work, '.git');
    process.env.TMPDIR = temporary;
    try {
      await store().add(record());
    } finally {
      delete process.env.GIT_DIR;
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    expect(git(work, 'status', '--porcelain')).toBe(status);
    expect(git(work, 'branch', '--list', BRANCH)).toBe('');
    expect(readFileSync(join(work, '.git', 'config'), 'utf8')).toBe(config);
    expect(readFileSync(join(work, '.git', 'index')).equals(index)).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('refuses a branch that holds something else, and the one that is tracked', async () => {
    git(remote, 'branch', 'pages', 'main');
    await expect(store('pages').add(record())).rejects.toThrow('The branch pages is not a joulediff history.');
    await expect(store('pages').records()).rejects.toThrow(/is not a joulediff history/);
    expect(() => store('main')).toThrow(/is the one that is measured/);
  });

  it('refuses what a newer joulediff wrote, and what is no record', async () => {
    await store().add(record());
    const put = (path: string, text: string) => {
      const work = join(folder, 'history');
      git(folder, 'clone', '-q', '-b', BRANCH, remote, work);
      mkdirSync(join(work, path, '..'), { recursive: true });
      writeFileSync(join(work, path), text);
      git(work, 'add', '-A');
      git(work, '-c', 'user.name=t', '-c', 'user.email=t@example.test', 'commit', '-qm', 'Put');
      git(work, 'push', '-q', 'origin', `HEAD:${BRANCH}`);
      rmSync(work, { recursive: true });
    };
    put('records/2026/01/x.json', '{"schema":"joulediff/history/7"}');
    await expect(store().records()).rejects.toThrow(
      /records\/2026\/01\/x.json on the branch joulediff-history was written by a newer joulediff/,
    );
    put('records/2026/01/x.json', '[]');
    await expect(store().add(record({ id: uuid(5) }))).rejects.toThrow(/is not a history record/);
    put('joulediff-history.json', '{"schema":"joulediff/history-branch/2"}');
    await expect(store().records()).rejects.toThrow(/The branch joulediff-history was written by a newer joulediff/);
  });

  it('keeps an experiment with thousands of comparisons, and refuses one that it could not read again', async () => {
    const pairs = (count: number, name: string) =>
      record({ comparisons: Array.from({ length: count }, () => ({ ...record().comparisons[0]!, variant: name })) });
    const large = pairs(3000, 'container');
    expect(await store().add(large)).toBe(true);
    expect(await store().records()).toEqual([large]);
    const tooLarge = { ...pairs(80_000, 'x'.repeat(500)), id: uuid(7) };
    await expect(store().add(tooLarge)).rejects.toThrow(/has 4\d\.?\d* MiB, and a history branch keeps at most 32 MiB/);
    expect(await store().records()).toEqual([large]);
  });

  it('keeps more than one call of git may print', async () => {
    const work = join(folder, 'history');
    await store().add(record());
    git(remote, 'config', 'core.bigFileThreshold', '1m');
    git(folder, 'clone', '-q', '-b', BRANCH, remote, work);
    git(work, 'config', 'core.bigFileThreshold', '1m');
    for (let i = 1; i < 10; i++) {
      const path = join(work, 'records', '2026', '01', `${uuid(i)}.json`);
      writeFileSync(path, JSON.stringify(record({ id: uuid(i) })).padEnd(30 * 2 ** 20 + i));
    }
    git(work, 'add', '-A');
    git(work, '-c', 'user.name=t', '-c', 'user.email=t@example.test', 'commit', '-qm', 'Put');
    git(work, 'push', '-q', 'origin', `HEAD:${BRANCH}`);
    expect(await store().records()).toHaveLength(10);
  });

  it('says why it was not pushed where that is not allowed', async () => {
    const hook = join(remote, 'hooks', 'pre-receive');
    mkdirSync(join(remote, 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "protected branch hook declined" >&2\nexit 1\n', { mode: 0o755 });
    await expect(store().add(record())).rejects.toMatchObject({
      message: expect.stringMatching(/^The branch joulediff-history could not be pushed: .*protected branch/),
      advice: expect.stringContaining('contents: write'),
    });
  });
});

describe('over HTTP, with the token of a job', () => {
  const token = 'ghs_secret-token-of-a-test';
  const authorization = `basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;

  it('pushes with the token, which no command line and no file of the repository holds', async () => {
    git(remote, 'config', 'http.receivepack', 'true');
    const server = await startGitServer(folder, authorization);
    // What git is started with, as every user of the machine could read it.
    const log = join(folder, 'commands');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    writeFileSync(
      join(bin, 'git'),
      `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\n'${real}' "$@"; code=$?\ncat config >> '${log}' 2>/dev/null\nexit $code\n`,
      { mode: 0o755 },
    );
    const path = process.env.PATH;
    process.env.PATH = `${bin}:${path}`;
    // A header that the user has set for every server.
    const home = process.env.HOME;
    writeFileSync(join(folder, '.gitconfig'), '[http]\n\textraheader = AUTHORIZATION: basic d3Jvbmc=\n');
    process.env.HOME = folder;
    try {
      const place = { url: `${server.url}/octo/demo.git`, branch: BRANCH, tracked: 'main' };
      expect(await branchStore({ ...place, token }).add(record())).toBe(true);
      expect(await branchStore({ ...place, token }).records()).toEqual([record()]);
      expect(server.refused).toEqual([]);
      const commands = readFileSync(log, 'utf8');
      expect(commands).toContain('push --quiet history');
      expect(commands).not.toContain(token);
      expect(commands).not.toContain(authorization.slice(6));

      const wrong = branchStore({ ...place, token: 'ghs_wrong' }).add(record({ id: uuid(7) }));
      await expect(wrong).rejects.toThrow(/^git ls-remote failed: .*(Authentication failed|could not read Username)/);
      await expect(wrong).rejects.not.toThrow(/ghs_wrong/);
    } finally {
      process.env.PATH = path;
      process.env.HOME = home;
      await server.close();
    }
  });
});
