// Class: world.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wantedOf } from '../../../../src/parts/fleet/history/backfill.ts';
import { sqliteStore } from '../../../../src/parts/fleet/history/stores/sqlite.ts';
import { withStore } from '../../../../src/store/reader.ts';
import { SSHD, secondMachine } from '../../../hosts/sshd.ts';
import { line } from '../../../simulate/bisect.ts';
import { start } from '../../../terminal/program.ts';

let root: string;
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: root, encoding: 'utf8' });

// A sleep takes the energy of an idle machine, by the model of this one; commit 3 fails.
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'backfill-'));
  git('init', '--quiet', '.');
  git('remote', 'add', 'origin', 'https://mona:secret@github.com/octo/demo.git');
  for (let i = 0; i <= 4; i++) {
    writeFileSync(join(root, 'work.sh'), `# ${i}\n${i === 3 ? 'exit 3' : `sleep ${i < 2 ? 0.2 : 0.6}`}\n`);
    git('add', '.');
    git('commit', '--quiet', '-m', `commit ${i}`);
    git('tag', `c${i}`);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const QUICK = ['repetitions=2', 'warmup.runs=0', 'rest=50ms', 'guard=20ms', 'batch=1'];
function program(...words: string[]) {
  const unless = (option: string, ...rest: string[]) => (words.includes(option) ? [] : [option, ...rest]);
  const given = [...words, ...unless('--meter', 'estimate'), ...unless('--file', 'history.db')];
  const settings = QUICK.filter((set) => !words.some((word) => word.startsWith(set.replace(/=.*/, '='))));
  return start(
    ['backfill', ...given, ...settings.flatMap((set) => ['--set', set]), '--json', '--', 'sh', 'work.sh'],
    { JOULEDIFF_LOCK: `joulediff.test.${process.pid}` },
    root,
  );
}
const backfill = (...words: string[]) => program(...words).ended;
const sha = (tag: string): string => git('rev-parse', tag).trim();

describe('joulediff backfill', () => {
  it('measures what the history has not, each against the same base, and skips what fails', async () => {
    // The newest commit alone, as if an earlier call had been stopped.
    const first = await backfill('c0..c4', '--every', '4', '--order', 'steps');
    expect(JSON.parse(first.stdout)).toMatchObject({ command: 'backfill', added: [sha('c4')], skipped: [], left: 0 });

    const second = await backfill('c0..c4');
    expect(second.code).toBe(0);
    const { added, skipped, left } = JSON.parse(second.stdout);
    expect(added).toEqual([sha('c1'), sha('c2')]);
    expect(skipped).toMatchObject([{ commit: sha('c3'), reason: expect.stringContaining('failed twice') }]);
    expect(left).toBe(0);

    // In the order of the commits, not of measuring.
    const records = await sqliteStore(join(root, 'history.db')).records();
    expect(records.map(({ commit }) => commit)).toEqual(['c1', 'c2', 'c4'].map(sha));
    expect(records.every(({ comparisons }) => comparisons[0]?.baseline === 'c0')).toBe(true);
    expect(records.map(({ comparisons }) => (comparisons[0]?.percent ?? 0) > 80)).toEqual([false, true, true]);
  });

  it('names a base by its commit unless that has a tag, and measures against another beside it', async () => {
    const { stdout, stderr } = await backfill('c4~3..c2');
    expect([JSON.parse(stdout), stderr]).toMatchObject([{ added: [sha('c2')], left: 0 }, expect.any(String)]);
    expect(JSON.parse((await backfill('c4~3..c2')).stdout)).toMatchObject({ added: [], left: 0 });
    const records = await sqliteStore(join(root, 'history.db')).records();
    const bases = records.filter(({ commit }) => commit === sha('c2')).map((one) => one.comparisons[0]?.baseline);
    expect(new Set(bases)).toEqual(new Set(['c0', sha('c1').slice(0, 12)]));
    // As a workflow records it, without what is secret.
    expect(new Set(records.map(({ repository }) => repository))).toEqual(new Set(['https://github.com/octo/demo']));
  });

  it.each([
    ['machine', "'$.machine.hostname', 'bench-02'"],
    ['meter', "'$.meter.type', 'watts-up-pro'"],
    ['repository', "'$.repository', 'https://github.com/octo/other'"],
    ['commit of the same name', `'$.variants[0].revision', '${'1'.repeat(40)}'`],
  ])('measures anew what the history has of another %s', async (what, change) => {
    const db = new DatabaseSync(join(root, 'history.db'));
    db.exec(`UPDATE record SET json = json_set(json, ${change})`);
    db.close();
    const { stdout } = await backfill('c0..c1', '--out', `out-${what}`);
    expect(JSON.parse(stdout)).toMatchObject({ added: [sha('c1')], skipped: [], left: 0 });
  });

  it('goes on with a commit in whose measurement it was killed', async () => {
    const words = ['c0..c1', '--file', 'killed.db', '--out', 'out-killed', '--set', 'repetitions=6'];
    const killed = program(...words);
    await killed.until(({ stderr }) => stderr().includes('Recording to'));
    const [, vault = ''] = /Recording to (.*)\.\n/.exec(killed.stderr()) ?? [];
    // The second run has begun.
    while (readdirSync(join(vault, 'logs')).length < 2) await sleep(50);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(JSON.parse((await backfill(...words)).stdout)).toMatchObject({ added: [sha('c1')] });
    const [result = ''] = readdirSync(join(root, 'out-killed'));
    const database = join(root, 'out-killed', result, 'experiment.db');
    expect(withStore(database, (reader) => reader.sessions().length)).toBe(2);
  });

  (SSHD === null ? it.skip : it)('knows another machine over ssh, and another meter there', async () => {
    using sut = secondMachine({ skewed: false });
    expect((await backfill('c0..c1', '--file', 'ssh.db', '--out', 'out-ssh')).code).toBe(0);
    const change = (path: string, value: string) => {
      const db = new DatabaseSync(join(root, 'ssh.db'));
      db.prepare('UPDATE record SET json = json_set(json, ?, ?)').run(path, value);
      db.close();
    };
    const programs = ['meter.sh', 'other.sh'].map((name) => join(root, name));
    for (const path of programs) {
      writeFileSync(path, `#!/bin/sh\nwhile echo '{"power_w": 40}'; do sleep 0.05; done\n`, { mode: 0o755 });
    }
    const left = async (program = '') => {
      const words = ['--file', 'ssh.db', '--within', '1ms', '--set', `host=${sut.address}`];
      const { stdout, stderr } = await backfill('c0..c1', ...words, '--meter', `command:${program}?period=0.1`);
      return stdout === '' ? stderr : JSON.parse(stdout).left;
    };
    change('$.meter.type', 'command');
    change('$.meter.address', programs[0]!);
    expect([await left(programs[0]), await left(programs[1])]).toEqual([0, 1]);
    change('$.machine.hostname', 'bench-02');
    expect(await left(programs[0])).toBe(1);
  });

  it('says what is no range, no order and no tag', async () => {
    const said = async (...words: string[]) => (await backfill(...words)).stderr;
    expect(await said('c0')).toContain('c0 is no range of commits');
    expect(await said('c0...c4')).toContain('is no range of commits');
    expect(await said('c0..c4', '--order', 'newest')).toContain('neither oldest nor steps');
    expect(await said('c0..c4', '--every', '0')).toContain('--every 0 is not possible');
  });
});

describe('the commits of a backfill', () => {
  it('are all, every nth up to the newest, or those with a tag', () => {
    const range = line(10);
    expect(wantedOf(range, 1, null)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(wantedOf(range, 4, null)).toEqual([2, 6, 10]);
    expect(wantedOf(range, 1, new Set(['3', '7']))).toEqual([3, 7]);
    expect(() => wantedOf(range, 1, new Set())).toThrow('has a tag');
  });
});
