// Class: system.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { reap } from '../../../src/executors/leftovers/reaper.ts';
import { makeCheckoutFolder } from '../../../src/measure/checkout/folder.ts';
import { removeLeftFolders } from '../../../src/processes/left-folders.ts';
import { itAsRoot } from '../../setup/as-root.ts';
import { TestRepository } from './repository-folder.ts';

let base: string;
const { TMPDIR, RUNNER_TEMP } = process.env;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-base-'));
  process.env.TMPDIR = base;
  delete process.env.RUNNER_TEMP;
});
afterEach(() => {
  Object.assign(process.env, { TMPDIR, RUNNER_TEMP });
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  if (RUNNER_TEMP === undefined) delete process.env.RUNNER_TEMP;
  rmSync(base, { recursive: true, force: true });
});

describe('a folder for checkouts', () => {
  it('is made in the next place where one can’t be', () => {
    process.env.RUNNER_TEMP = join(base, 'missing');
    const made = makeCheckoutFolder('some experiment');
    expect(dirname(made.path)).toBe(base);
    expect(made.remove()).toBeNull();
  });

  itAsRoot('is made where programs can be started', () => {
    const noexec = join(base, 'noexec');
    mkdirSync(noexec);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'noexec', 'tmpfs', noexec]).status === 0;
    if (!mounted) return;
    try {
      process.env.RUNNER_TEMP = noexec;
      const made = makeCheckoutFolder('some experiment');
      expect(dirname(made.path)).toBe(base);
      expect(readdirSync(noexec)).toEqual([]);
      made.remove();
    } finally {
      spawnSync('umount', [noexec]);
    }
  });
});

describe('checkouts that were left', () => {
  it('are removed by the next start when their process was killed, and not before', async () => {
    const repository = TestRepository.create();
    const file = join(repository.path, 'joulediff.yml');
    repository.write('joulediff.yml', '{ workload: { run: x }, variants: { a: { revision: main }, b: {} } }').commit();
    const owner = spawn(process.execPath, [join(import.meta.dirname, 'killed-checkout.ts'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [reported] = (await once(owner.stdout, 'data')) as [Buffer];
      const checkout = reported.toString().trim();
      expect(readdirSync(checkout)).toContain('joulediff.yml');
      await reap();
      expect(readdirSync(checkout)).toContain('joulediff.yml');
      owner.kill('SIGKILL');
      await once(owner, 'exit');
      expect(await reap()).toContain(`Removed the checkouts in ${dirname(checkout)} that an earlier experiment left.`);
      expect(readdirSync(base)).toEqual([]);
      expect(existsSync(file)).toBe(true);
    } finally {
      owner.kill('SIGKILL');
      repository.remove();
    }
  });

  it('are only those with the mark, in private folders of this user', () => {
    const ours = makeCheckoutFolder('some experiment');
    const mark = '{"owner":"x","experiment":"some experiment"}';
    const make = (name: string, mode: number, text: string | null): string => {
      const path = join(base, `joulediff-checkout-${name}`);
      mkdirSync(path, { mode: 0o700 });
      if (text !== null) writeFileSync(join(path, 'joulediff-owner.json'), text);
      chmodSync(path, mode);
      return path;
    };
    const kept = [
      make('open', 0o755, mark),
      make('unmarked', 0o700, null),
      make('garbled', 0o700, '{"owner": 3'),
      make('elsewhere', 0o700, mark),
      // Nobody but this user can make the seal that it lacks.
      make('forged', 0o700, '{"owner":"y","experiment":"some experiment"}'),
    ];
    const link = join(base, 'joulediff-checkout-link');
    symlinkSync(ours.path, link);
    const lines = removeLeftFolders(({ owner, experiment }) => owner !== 'x' && experiment === 'some experiment');
    expect(lines).toEqual([`Removed the checkouts in ${ours.path} that an earlier experiment left.`]);
    expect(kept.every((path) => existsSync(path))).toBe(true);
    expect(readdirSync(base)).toContain('joulediff-checkout-link');
  });
});
