// Class: world.
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JoulediffError } from '../../../src/errors.ts';
import type { ContainerVariant } from '../../../src/executors/container/variant.ts';
import type { Variant } from '../../../src/executors/registry.ts';
import { parseExperiment } from '../../../src/experiment/read.ts';
import { findRevisions, makeCheckouts } from '../../../src/measure/checkout/checkouts.ts';
import { eventually, isRunning } from '../../executors/bench.ts';
import { itAsRoot } from '../../setup/as-root.ts';
import { gitIn, TestRepository } from './repository-folder.ts';

let repository: TestRepository;
let base: string;
const before = { ...process.env };
const { signal } = new AbortController();

beforeEach(() => {
  repository = TestRepository.create();
  base = mkdtempSync(join(tmpdir(), 'joulediff-base-'));
  process.env.TMPDIR = base;
  delete process.env.RUNNER_TEMP;
});
afterEach(() => {
  for (const name of ['TMPDIR', 'RUNNER_TEMP', 'GIT_DIR']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  repository.remove();
  rmSync(base, { recursive: true, force: true });
});

/** An experiment file with these variants, in a folder of the repository. */
const experiment = (variants: object, directory = repository.path) =>
  parseExperiment(JSON.stringify({ workload: { run: './run.sh' }, variants }), { file: 'joulediff.yml', directory });

const two = (directory = repository.path) =>
  experiment({ base: { revision: 'main~1' }, head: { revision: 'main' } }, directory);

async function checkedOut(given: ReturnType<typeof experiment>, log: (line: string) => void = () => {}) {
  const resolved = await findRevisions(given, signal);
  const checkouts = await makeCheckouts({ experiment: resolved, experimentId: 'test', signal, log });
  return { checkouts, places: resolved.variants.map((variant) => checkouts.locate(variant)) };
}

async function refusal(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof JoulediffError) return `${error.constructor.name}: ${error.message} ${error.advice}`;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Every file of a folder with its content and the time of its change: what must be the same afterwards. */
function everything(folder: string): string[] {
  return (readdirSync(folder, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path).mtimeMs} ${readFileSync(path, 'latin1')}`)
    .sort();
}

describe('a checkout', () => {
  it('has the files of its revision, and leaves the repository as it is', async () => {
    repository.write('run.sh', 'echo old', 0o755).commit();
    repository.write('run.sh', 'echo new', 0o755).write('more', 'x').commit();
    repository.git('tag', 'v2');
    repository.write('run.sh', 'echo not committed');
    const untouched = everything(repository.path);
    const { checkouts, places } = await checkedOut(two());
    const [old, head] = places.map(({ directory }) => directory);
    expect(readFileSync(join(old as string, 'run.sh'), 'utf8')).toBe('echo old');
    expect(existsSync(join(old as string, 'more'))).toBe(false);
    expect(readFileSync(join(head as string, 'run.sh'), 'utf8')).toBe('echo new');
    expect(statSync(join(head as string, 'run.sh')).mode & 0o111).toBe(0o111);
    expect(old?.length).toBe(head?.length);
    expect(gitIn(head as string, 'describe', '--tags')).toBe('v2');
    expect(gitIn(head as string, 'status', '--porcelain')).toBe('');
    expect(everything(repository.path)).toEqual(untouched);
    expect(checkouts.remove()).toEqual([]);
    expect(readdirSync(base)).toEqual([]);
    expect(checkouts.remove()).toEqual([]);
  });

  it('is private, outside of the repository, and one for variants at the same commit', async () => {
    const commit = repository.write('run.sh', 'x').commit();
    const other = { revision: commit, env: { A: 'b' } };
    const { checkouts, places } = await checkedOut(experiment({ a: { revision: 'main' }, b: other }));
    expect(places[0]?.directory).toBe(places[1]?.directory);
    const [folder] = readdirSync(base);
    expect(statSync(join(base, folder as string)).mode & 0o777).toBe(0o700);
    checkouts.remove();
  });

  it('tells that changes which are not committed are not in it', async () => {
    repository.write('run.sh', 'x').commit();
    repository.write('run.sh', 'y').commit();
    const lines: string[] = [];
    (await checkedOut(two(), (line) => lines.push(line))).checkouts.remove();
    expect(lines.some((line) => line.includes('not committed'))).toBe(false);
    repository.write('run.sh', 'z');
    (await checkedOut(two(), (line) => lines.push(line))).checkouts.remove();
    expect(lines.filter((line) => line.includes('not committed'))).toEqual([
      'The working tree has changes that are not committed: revision main is measured without them.',
    ]);
    // A variant that is the working tree was asked for.
    lines.length = 0;
    const tree = experiment({ base: { revision: 'main' }, tree: {} });
    (await checkedOut(tree, (line) => lines.push(line))).checkouts.remove();
    expect(lines.some((line) => line.includes('not committed'))).toBe(false);
  });

  it('tells of a command that names the working tree', async () => {
    repository.write('run.sh', 'x').commit();
    const lines: string[] = [];
    const given = experiment({
      a: { revision: 'main', run: `sh ${repository.path}/run.sh` },
      b: { run: `${repository.path}/run.sh` },
    });
    (await checkedOut(given, (line) => lines.push(line))).checkouts.remove();
    expect(lines.filter((line) => line.includes('names the working tree'))).toEqual([
      `A command or variable of variant "a" names the working tree ${repository.path}, which is not at revision main; a path that starts with ./ is one of the checkout.`,
    ]);
  });

  it('takes every path inside the repository, however it is written, and leaves others where they are', async () => {
    repository.write('sub/run.sh', 'x').write('sub/image/Dockerfile', 'FROM scratch').commit();
    const link = join(base, 'link');
    symlinkSync(repository.path, link);
    const given = experiment(
      {
        native: { revision: 'main', workdir: './image' },
        built: {
          revision: 'main',
          build: { context: './image' },
          volumes: ['../sub:/a', `${repository.path}/sub:/b`, '/etc:/c'],
        },
      },
      join(link, 'sub'),
    );
    const { checkouts, places } = await checkedOut(given);
    const [native, built] = places.map(({ variant }) => variant) as [Variant, ContainerVariant];
    const top = (places[0]?.directory ?? '').replace(/\/sub$/, '');
    expect(top.startsWith(join(base, 'joulediff-checkout-'))).toBe(true);
    expect(native.workload.workdir).toBe(`${top}/sub/image`);
    expect(built.build).toMatchObject({ context: `${top}/sub/image`, dockerfile: `${top}/sub/image/Dockerfile` });
    expect(built.volumes).toEqual([`${top}/sub:/a`, `${top}/sub:/b`, '/etc:/c']);
    checkouts.remove();
  });

  it('runs no hook and no monitor of the repository', async () => {
    const trap = (name: string) => `#!/bin/sh\ntouch ${base}/ran-${name}\n`;
    repository.write('run.sh', 'x').commit();
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
      repository.write(`.git/hooks/${hook}`, trap(hook), 0o755);
    }
    repository.write('.git/monitor', trap('monitor'), 0o755);
    repository.git('config', 'core.fsmonitor', '.git/monitor');
    const { checkouts } = await checkedOut(experiment({ a: { revision: 'main' }, b: {} }));
    checkouts.remove();
    expect(readdirSync(base)).toEqual([]);
  });

  const bytesOf = (folder: string | undefined, name: string): string =>
    readFileSync(join(folder ?? '', name), 'latin1');

  it.each<[string, (config: (...words: string[]) => void) => void, string]>([
    ['a filter', (config) => config('filter.trap.smudge', "sed 's/x/smudged/'"), 'smudged\n'],
    [
      'a filter of a file that it includes under a condition',
      (config) => {
        writeFileSync(join(base, 'more'), `[filter "trap"]\n\tsmudge = "sed 's/x/\\"included\\"/'"\n`);
        config(`includeIf.gitdir:${repository.path}/.path`, join(base, 'more'));
      },
      '"included"\n',
    ],
    [
      'attributes of this clone alone',
      (config) => {
        config('filter.own.smudge', 'tr x y');
        writeFileSync(join(repository.path, '.git/info/attributes'), '*.txt filter=own\n');
      },
      'y\n',
    ],
    ['line ends', (config) => config('core.autocrlf', 'true'), 'x\r\n'],
    [
      'replaced objects',
      () => {
        const [old, other] = ['HEAD:some.txt', 'HEAD:other'].map((name) => repository.git('rev-parse', name));
        repository.git('replace', String(old), String(other));
      },
      'other\n',
    ],
  ])('has the bytes that the clone would write, with %s', async (_, configure, expected) => {
    repository.write('.gitattributes', '*.txt filter=trap\n').write('other', 'other\n');
    repository.write('some.txt', 'x\n').write('run.sh', 'a\n').commit();
    repository.write('run.sh', 'b\n').commit();
    configure((...words) => repository.git('config', ...words));
    const { places, checkouts } = await checkedOut(two());
    expect(places.map(({ directory }) => bytesOf(directory, 'some.txt'))).toEqual([expected, expected]);
    checkouts.remove();
  });

  it('has of a sparse clone what that has, in its worktrees too', async () => {
    repository.write('run.sh', 'a').write('kept/a', 'a').write('left/b', 'b').commit();
    repository.write('run.sh', 'b').commit();
    const tree = join(base, 'tree');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    gitIn(tree, 'sparse-checkout', 'set', 'kept');
    for (const [directory, has] of [
      [repository.path, true],
      [tree, false],
    ] as const) {
      const { places, checkouts } = await checkedOut(two(directory));
      expect(existsSync(join(places[0]?.directory ?? '', 'kept/a'))).toBe(true);
      expect(existsSync(join(places[0]?.directory ?? '', 'left/b'))).toBe(has);
      checkouts.remove();
    }
  });

  it('refuses what only the clone can have, and takes over neither an address nor a credential', async () => {
    repository.write('run.sh', 'a').commit();
    repository.write('run.sh', 'b').commit();
    repository.git('config', 'http.https://example.org/.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
    repository.git('config', 'lfs.url', 'https://user:secret@example.org/');
    const { places, checkouts } = await checkedOut(two());
    expect(bytesOf(places[0]?.directory, '.git/config')).not.toMatch(/example\.org/);
    checkouts.remove();
    repository.git('config', 'attr.tree', 'HEAD');
    expect(await refusal(() => checkedOut(two()))).toMatch(/its configuration sets attr\.tree\./);
  });

  it('tells of files whose bytes the clone has otherwise', async () => {
    repository.write('.gitattributes', '*.txt text eol=lf\n').write('a.txt', 'one\r\n').write('run.sh', 'a').commit();
    repository.write('run.sh', 'b').commit();
    const lines: string[] = [];
    const { checkouts } = await checkedOut(two(), (line) => lines.push(line));
    expect(lines).toContainEqual(
      expect.stringMatching(/^Files of revision "main~1" have other sizes than in the working tree, .*: a\.txt\./),
    );
    checkouts.remove();
  });

  (spawnSync('git', ['lfs', 'version']).status === 0 ? describe : describe.skip)('of Git LFS (needs git-lfs)', () => {
    const DATA = 'data\0'.repeat(10_000);
    beforeEach(() => {
      // Debian's package sets it up for the whole machine, which other installations do not.
      process.env.GIT_CONFIG_NOSYSTEM = '1';
      process.env.GIT_CONFIG_GLOBAL = join(base, 'no-config');
      repository.git('lfs', 'install', '--local');
      repository.git('lfs', 'track', '*.bin');
      repository.write('data.bin', DATA).write('run.sh', 'a').commit();
      repository.write('run.sh', 'b').commit();
    });
    afterEach(() => {
      delete process.env.GIT_CONFIG_NOSYSTEM;
      delete process.env.GIT_CONFIG_GLOBAL;
    });

    it('has the files, where it is set up for this clone alone', async () => {
      const { places, checkouts } = await checkedOut(two());
      expect(places.map(({ directory }) => bytesOf(directory, 'data.bin') === DATA)).toEqual([true, true]);
      checkouts.remove();
    });

    it('has them from the folder where this clone keeps them', async () => {
      repository.git('config', 'lfs.storage', 'elsewhere');
      renameSync(join(repository.path, '.git/lfs'), join(repository.path, '.git/elsewhere'));
      const { places, checkouts } = await checkedOut(two());
      expect(bytesOf(places[0]?.directory, 'data.bin') === DATA).toBe(true);
      checkouts.remove();
    });

    it('is refused where their bytes are not here, or the filter is told to leave pointers', async () => {
      repository.git('lfs', 'install', '--local', '--skip-smudge', '--force');
      expect(await refusal(() => checkedOut(two()))).toMatch(
        /has pointers of Git LFS or git-annex where the working tree has files: data\.bin\..*skip-smudge/s,
      );
      repository.git('lfs', 'install', '--local', '--force');
      rmSync(join(repository.path, '.git/lfs/objects'), { recursive: true });
      expect(await refusal(() => checkedOut(two()))).toMatch(/could not be checked out: .*git lfs fetch --all/s);
    });

    it('has pointers where the clone has nothing else: its working tree has them too', async () => {
      repository.git('lfs', 'uninstall', '--local');
      const pointer = repository.git('show', 'HEAD:data.bin');
      repository.write('data.bin', `${pointer}\n`);
      const { places, checkouts } = await checkedOut(two());
      expect(bytesOf(places[0]?.directory, 'data.bin')).toBe(`${pointer}\n`);
      checkouts.remove();
    });
  });

  it('has its submodules, and their own, each at the commit that it names', async () => {
    const inner = TestRepository.create();
    const outer = TestRepository.create();
    try {
      inner.write('inner.txt', 'inner').commit();
      outer.git('submodule', '--quiet', 'add', inner.path, 'deep');
      outer.write('outer.txt', 'one').commit();
      repository.git('submodule', '--quiet', 'add', outer.path, 'lib/outer');
      repository.git('submodule', '--quiet', 'update', '--init', '--recursive');
      repository.write('run.sh', 'x').commit();
      outer.write('outer.txt', 'two').commit();
      gitIn(join(repository.path, 'lib/outer'), 'pull', '--quiet', 'origin', 'main');
      repository.commit();
      const { checkouts, places } = await checkedOut(two());
      const text = (i: number, name: string) =>
        readFileSync(join(places[i]?.directory ?? '', 'lib/outer', name), 'utf8');
      expect([text(0, 'outer.txt'), text(1, 'outer.txt'), text(0, 'deep/inner.txt')]).toEqual(['one', 'two', 'inner']);
      checkouts.remove();
    } finally {
      inner.remove();
      outer.remove();
    }
  });

  it('has submodules of a worktree, which keeps them in a place of its own', async () => {
    const part = TestRepository.create();
    try {
      part.write('part.txt', 'part').commit();
      repository.write('run.sh', 'x').commit();
      const tree = join(base, 'tree');
      repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
      gitIn(tree, 'submodule', '--quiet', 'add', part.path, 'part');
      gitIn(tree, 'commit', '--quiet', '-m', 'part');
      const { checkouts, places } = await checkedOut(experiment({ a: { revision: 'side' }, b: {} }, tree));
      expect(readFileSync(join(places[0]?.directory ?? '', 'part/part.txt'), 'utf8')).toBe('part');
      checkouts.remove();
    } finally {
      part.remove();
    }
  });

  it('tells of a submodule whose commit was not fetched, and leaves nothing', async () => {
    const part = TestRepository.create();
    try {
      part.write('part.txt', 'one').commit();
      repository.git('submodule', '--quiet', 'add', part.path, 'part');
      repository.write('run.sh', 'x').commit();
      repository.git('update-index', '--cacheinfo', `160000,${'1'.repeat(40)},part`);
      repository.git('commit', '--quiet', '-m', 'ahead');
      const message = await refusal(() => checkedOut(experiment({ a: { revision: 'HEAD' }, b: {} })));
      expect(message).toMatch(
        /^MeasureError: The commit 111111111111 of submodule "part" of revision "HEAD" isn't in this clone\. Fetch it/,
      );
      expect(readdirSync(base)).toEqual([]);
    } finally {
      part.remove();
    }
  });

  it('leaves submodules empty that the working tree does not have, and says so', async () => {
    const part = TestRepository.create();
    part.write('x', 'x').commit();
    repository.git('submodule', '--quiet', 'add', part.path, 'part');
    repository.write('run.sh', 'x').commit();
    const clone = join(base, 'clone');
    gitIn(base, 'clone', '--quiet', repository.path, clone);
    part.remove();
    const lines: string[] = [];
    const { checkouts, places } = await checkedOut(experiment({ a: { revision: 'main' }, b: {} }, clone), (l) =>
      lines.push(l),
    );
    expect(readdirSync(join(places[0]?.directory ?? '', 'part'))).toEqual([]);
    expect(lines).toContain(
      `The submodule "part" of revision "main" is left empty: it isn't in the working tree either.`,
    );
    checkouts.remove();
  });

  it('is made from a shallow clone, and from one of its worktrees', async () => {
    repository.write('run.sh', 'one').commit();
    repository.write('run.sh', 'two').commit();
    repository.write('run.sh', 'three').commit();
    const clone = join(base, 'clone');
    gitIn(base, 'clone', '--quiet', '--depth=2', `file://${repository.path}`, clone);
    const tree = join(base, 'tree');
    gitIn(clone, 'worktree', 'add', '--quiet', '--detach', tree);
    for (const place of [clone, tree]) {
      const { checkouts, places } = await checkedOut(two(place));
      expect(readFileSync(join(places[0]?.directory ?? '', 'run.sh'), 'utf8')).toBe('two');
      expect(gitIn(places[1]?.directory ?? '', 'log', '--oneline').split('\n')).toHaveLength(2);
      checkouts.remove();
    }
  });

  it('is removed with folders in it that nothing can be removed from', async () => {
    repository.write('run.sh', 'x').commit();
    const { checkouts, places } = await checkedOut(experiment({ a: { revision: 'main' }, b: {} }));
    mkdirSync(join(places[0]?.directory ?? '', 'cache/module'), { recursive: true });
    gitIn(places[0]?.directory ?? '', 'config', 'alias.shut', '!chmod -R a-w cache');
    gitIn(places[0]?.directory ?? '', 'shut');
    expect(checkouts.remove()).toEqual([]);
    expect(readdirSync(base)).toEqual([]);
  });
});

describe('revisions', () => {
  it('are found whatever repository a hook speaks of', async () => {
    const commit = repository.write('run.sh', 'x').commit();
    process.env.GIT_DIR = '/nonexistent';
    const { variants } = await findRevisions(experiment({ a: { revision: 'HEAD' }, b: {} }), signal);
    expect(variants.map(({ revision }) => revision)).toEqual([{ name: 'HEAD', commit }, undefined]);
  });

  it('stay what an unfinished experiment had found', async () => {
    const first = repository.write('run.sh', 'x').commit();
    const given = experiment({ a: { revision: 'main' }, b: { revision: 'main' } });
    const { variants } = await findRevisions(given, signal);
    const known = new Map(variants.map(({ name, revision }) => [name, revision!]));
    const second = repository.write('run.sh', 'y').commit();
    expect((await findRevisions(given, signal, known)).variants.map((v) => v.revision?.commit)).toEqual([first, first]);
    expect((await findRevisions(given, signal)).variants.map((v) => v.revision?.commit)).toEqual([second, second]);
  });

  it('are the commit where two went apart, written as git switch takes it', async () => {
    const parted = repository.write('run.sh', 'one').commit();
    repository.git('branch', 'feature');
    const main = repository.write('run.sh', 'two').commit();
    repository.git('checkout', '--quiet', 'feature');
    const head = repository.write('run.sh', 'three').commit();
    const given = experiment({
      base: { revision: 'main...HEAD' },
      head: { revision: 'HEAD' },
      main: { revision: 'main' },
    });
    const { variants } = await findRevisions(given, signal);
    expect(variants.map(({ revision }) => revision?.commit)).toEqual([parted, head, main]);
    repository.git('checkout', '--quiet', '--orphan', 'other');
    repository.write('run.sh', 'four').commit();
    expect(await refusal(() => findRevisions(given, signal))).toContain(
      '"main" and "HEAD" have no commit in common here.',
    );
    const clone = join(base, 'clone');
    gitIn(base, 'clone', '--quiet', '--depth=1', '--no-single-branch', `file://${repository.path}`, clone);
    const shallow = experiment({ a: { revision: 'origin/main...origin/feature' }, b: {} }, clone);
    expect(await refusal(() => findRevisions(shallow, signal))).toContain('Fetch all of it: fetch-depth: 0');
  });

  it.each([
    [false, /HEAD~1/],
    [true, /--base main --worktree/],
  ])('of one commit are refused where nothing else differs (changes: %s)', async (changed, advice) => {
    const commit = repository.write('run.sh', 'x').commit();
    if (changed) repository.write('run.sh', 'y');
    const error = await refusal(() =>
      findRevisions(experiment({ base: { revision: 'main' }, head: { revision: 'HEAD' } }), signal),
    );
    expect(error).toContain(`InputError: main and HEAD are the same commit (${commit.slice(0, 12)})`);
    expect(error.includes('your changes are not committed')).toBe(changed);
    expect(error).toMatch(advice);
    await findRevisions(experiment({ a: { revision: 'main' }, b: { revision: 'HEAD', env: { A: 'b' } } }), signal);
    await findRevisions(experiment({ a: { revision: 'main' }, b: { revision: 'main' } }), signal);
    await findRevisions(experiment({ base: { revision: 'main' }, tree: {} }), signal);
  });

  it('lack a program that only the working tree has, unless a hook makes it', async () => {
    const [first, second] = [repository.write('sub/more', '1').commit(), repository.write('sub/more', '2').commit()];
    const at = (commit: string, more: object = {}) => experiment({ a: { revision: commit, ...more }, b: {} });
    const refused = (given: ReturnType<typeof experiment>) => refusal(() => findRevisions(given, signal));
    // What nobody has may be made by whatever is run before.
    await findRevisions(at(first), signal);
    repository.write('run.sh', 'x', 0o755).write('sub/run.sh', 'x', 0o755);
    expect(await refused(at(first))).toMatch(
      new RegExp(
        `^InputError: "./run.sh" is not in ${first} \\(commit ${first.slice(0, 12)}\\), only in the working tree`,
      ),
    );
    const third = repository.write('sub/run.sh', 'y', 0o755).commit();
    await findRevisions(at(third), signal);
    await findRevisions(at(third, { run: 'sub/run.sh' }), signal);
    expect(await refused(at(second, { run: 'sub/run.sh -n 3' }))).toContain('"sub/run.sh" is not in');
    await findRevisions({ ...at(first), hooks: { 'before-all': {} } }, signal);
    await findRevisions(at(first, { run: 'run.sh' }), signal);
    await findRevisions(at(first, { run: join(repository.path, 'run.sh') }), signal);
    symlinkSync('sub', join(repository.path, 'link'));
    await findRevisions(at(repository.commit(), { run: 'link/run.sh' }), signal);
  });

  it('that are not there are told, with what to do', async () => {
    repository.write('run.sh', 'one').commit();
    repository.git('tag', 'old');
    repository.write('run.sh', 'two').commit();
    repository.git('branch', 'other');
    const unknown = experiment({ a: { revision: 'nosuch' }, b: {} });
    expect(await refusal(() => findRevisions(unknown, signal))).toMatch(
      /^InputError: The revision "nosuch" is not a commit in the repository .* git branch --all/,
    );
    const clone = join(base, 'clone');
    gitIn(base, 'clone', '--quiet', '--depth=1', `file://${repository.path}`, clone);
    const shallow = experiment({ a: { revision: 'old' }, b: {} }, clone);
    expect(await refusal(() => findRevisions(shallow, signal))).toMatch(
      /"old" is not in this clone, which has only part of the history\. Fetch all of it: fetch-depth: 0/,
    );
    const full = join(base, 'full');
    gitIn(base, 'clone', '--quiet', repository.path, full);
    const remote = experiment({ a: { revision: 'other' }, b: {} }, full);
    expect(await refusal(() => findRevisions(remote, signal))).toContain('There is origin/other: name that.');
    const nowhere = experiment({ a: { revision: 'main' }, b: {} }, base);
    expect(await refusal(() => findRevisions(nowhere, signal))).toMatch(/InputError: .* is not in a git repository/);
  });

  itAsRoot('of a repository that git does not trust are told, with the remedy', async () => {
    repository.write('run.sh', 'x').commit();
    process.env.GIT_CONFIG_GLOBAL = '/dev/null';
    try {
      chownSync(repository.path, 12345, 12345);
      chownSync(join(repository.path, '.git'), 12345, 12345);
      const message = await refusal(() => findRevisions(experiment({ a: { revision: 'main' }, b: {} }), signal));
      expect(message).toMatch(/belongs to another user, so git does not read it.*safe\.directory/);
    } finally {
      delete process.env.GIT_CONFIG_GLOBAL;
    }
  });

  it('without the folder of the experiment file leave no checkout', async () => {
    repository.write('run.sh', 'x').commit();
    repository.write('new/run.sh', 'x').commit();
    expect(await refusal(() => checkedOut(two(join(repository.path, 'new'))))).toContain(
      `The folder new of the experiment file isn't in revision "main~1".`,
    );
    expect(readdirSync(base)).toEqual([]);
  });

  it('leave neither folder nor filter when they are stopped in between', async () => {
    const running = join(base, 'running');
    const filter = `echo $$ > ${running}; sleep 300; cat`;
    const config = join(base, 'config');
    writeFileSync(config, `[filter "slow"]\n\tsmudge = "${filter}"\n`);
    repository.write('.gitattributes', '*.txt filter=slow\n').write('a.txt', 'a').commit();
    process.env.GIT_CONFIG_GLOBAL = config;
    try {
      const stop = new AbortController();
      const given = await findRevisions(experiment({ a: { revision: 'main' }, b: {} }), stop.signal);
      const making = makeCheckouts({ experiment: given, experimentId: 'stopped', signal: stop.signal, log() {} });
      making.catch(() => {});
      await eventually(() => existsSync(running) && readFileSync(running, 'utf8').endsWith('\n'));
      stop.abort(new Error('stop'));
      await expect(making).rejects.toBe(stop.signal.reason);
      expect(isRunning(Number(readFileSync(running, 'utf8')))).toBe(false);
      expect(readdirSync(base).sort()).toEqual(['config', 'running']);
    } finally {
      delete process.env.GIT_CONFIG_GLOBAL;
    }
  });

  it('are not begun once a stop was asked for', async () => {
    repository.write('run.sh', 'x').commit();
    const given = await findRevisions(experiment({ a: { revision: 'main' }, b: {} }), signal);
    const stopped = AbortSignal.abort(new Error('stop'));
    const request = { experiment: given, experimentId: 'test', signal: stopped, log() {} };
    await expect(makeCheckouts(request)).rejects.toBe(stopped.reason);
    expect(readdirSync(base)).toEqual([]);
  });
});
