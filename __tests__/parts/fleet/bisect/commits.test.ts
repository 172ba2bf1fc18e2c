// Class: unit.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitRange } from '../../../../src/parts/fleet/bisect/commits.ts';

const { signal } = new AbortController();
let directory: string;
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: directory, encoding: 'utf8' });
const commit = (message: string): void => void git('commit', '--quiet', '--allow-empty', '-m', message);
const range = (good: string, bad: string, firstParent = false) =>
  commitRange({ directory, good, bad, firstParent, signal });

// start ─ one ─ two ─ merge ─ end; side forks at one, old forks before start.
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bisect-commits-'));
  git('init', '--quiet', '--initial-branch=main');
  commit('root');
  git('branch', 'old');
  commit('start');
  git('tag', 'start');
  commit('one\twith a tab');
  git('checkout', '--quiet', '-b', 'side');
  commit('side');
  git('checkout', '--quiet', 'main');
  commit('two');
  git('merge', '--quiet', '--no-ff', '-m', 'merge', 'side');
  git('checkout', '--quiet', 'old');
  commit('old');
  git('tag', 'old-end');
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--no-ff', '-m', 'merge old', 'old');
  commit('end');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the commits of a bisection', () => {
  it('are those that lead from the good end to the bad one, and know from whom they descend', async () => {
    const { commits, has } = await range('start', 'main');
    const subjects = commits.map(({ subject }) => subject);
    expect(subjects[0]).toBe('start');
    // They were made within a second, or nearly so.
    const times = commits.map(({ committedAt }) => committedAt);
    expect(times.toSorted()).toEqual(times);
    expect(new Set(times).size).toBe(times.length);
    expect(subjects.at(-1)).toBe('end');
    expect(subjects.toSorted()).toEqual(['end', 'merge', 'merge old', 'one\twith a tab', 'side', 'start', 'two']);
    const at = (subject: string): number => subjects.indexOf(subject);
    const descends = (of: string, from: string) => has[at(of)]?.[at(from)];
    expect(descends('side', 'one\twith a tab')).toBe(1);
    expect(descends('side', 'two')).toBe(0);
    expect(descends('two', 'side')).toBe(0);
    expect(descends('merge', 'side')).toBe(1);
    expect(descends('end', 'start')).toBe(0);
  });

  it('are those of the branch alone with --first-parent', async () => {
    const { commits } = await range('start', 'main', true);
    expect(commits.map(({ subject }) => subject)).toEqual([
      'start',
      'one\twith a tab',
      'two',
      'merge',
      'merge old',
      'end',
    ]);
    await expect(range('side', 'main', true)).rejects.toThrow(
      'side is not a first parent of main: it came in with a merge.',
    );
  });

  it('are the same where the user has git show signatures', async () => {
    const plain = await range('start', 'main');
    // Signs and verifies anything.
    const gpg = `${directory}-gpg`;
    const script = `#!/bin/sh
cat >/dev/null
case "$*" in
*--verify*) echo "gpg: Good signature" >&2; echo "[GNUPG:] GOODSIG 0 a" ;;
*) echo "[GNUPG:] SIG_CREATED " >&2; echo "-----BEGIN PGP SIGNATURE-----" ;;
esac
`;
    writeFileSync(gpg, script, { mode: 0o755 });
    try {
      git('config', 'gpg.program', gpg);
      git('config', 'log.showSignature', 'true');
      git('commit', '--quiet', '--allow-empty', '-S', '-m', 'signed');
      expect(git('log', '-1', '--format=%s')).toContain('Good signature');
      const { commits } = await range('start', 'HEAD');
      expect(commits.map(({ subject }) => subject)).toEqual([...plain.commits.map(({ subject }) => subject), 'signed']);
    } finally {
      git('reset', '--quiet', '--hard', 'HEAD~1');
      rmSync(gpg);
    }
  });

  it('need an older and a newer end', async () => {
    await expect(range('main', 'start')).rejects.toMatchObject({
      message: expect.stringContaining('start came before main'),
      advice: expect.stringContaining('joulediff bisect start main'),
    });
    await expect(range('start', 'old-end')).rejects.toThrow('start is no ancestor of old-end');
    await expect(range('main', 'HEAD')).rejects.toThrow('are the same commit');
    await expect(range('--output=/tmp/x', 'HEAD')).rejects.toThrow('is not a commit');
  });
});
