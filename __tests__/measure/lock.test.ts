// Class: system, alone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lockMachine } from '../../src/measure/lock.ts';
import { itAsRoot } from '../setup/as-root.ts';

const NAME = `test.${process.pid}`;
const FILE = `joulediff-${NAME}.lock`;

/** Locks in a process of its own, started by `words`, and gives what it said. */
function elsewhere(words: readonly string[], more = ''): { stdout: string; signal: string | null } {
  const script = `import { lockMachine } from './src/measure/lock.ts';
    try { const lock = lockMachine('the experiment "other"', '${NAME}'); process.stdout.write('locked'); ${more} }
    catch (error) { process.stdout.write(error.message); }`;
  const [program = '', ...args] = [...words, process.execPath, '--input-type=module', '-e', script];
  const { stdout, signal, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return { stdout, signal };
}

const TAKEN = new RegExp(
  `^Another experiment is being measured on this machine; .* It is the experiment "sort", process ${process.pid} of ${userInfo().username}, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\.$`,
);

describe('lockMachine', () => {
  it('tells nothing in a job but since when the machine is busy', () => {
    using _lock = lockMachine('the experiment "sort"', NAME);
    expect(elsewhere(['env', 'GITHUB_ACTIONS=true']).stdout).toMatch(
      /^Another experiment is being measured on this machine; two at once would measure each other\. It has been busy since [\d-]+ [\d:]+ UTC\.$/,
    );
  });

  it('lets one experiment in at a time, tells the other who is there, and leaves nothing', () => {
    const lock = lockMachine('the experiment "sort"', NAME);
    expect(() => lockMachine('another', NAME)).toThrow('Another experiment is being measured on this machine');
    expect(elsewhere([]).stdout).toMatch(TAKEN);
    lock[Symbol.dispose]();
    expect(elsewhere([], 'lock[Symbol.dispose]();').stdout).toBe('locked');
    for (const place of ['/run/lock', '/dev/shm', '/tmp']) {
      expect(readdirSync(place).filter((name) => name.startsWith(FILE))).toEqual([]);
    }
  });

  it('goes with a process that is killed', () => {
    expect(elsewhere([], `process.kill(process.pid, 'SIGKILL');`)).toEqual({ stdout: 'locked', signal: 'SIGKILL' });
    const left = readdirSync('/run/lock').filter((name) => name.startsWith(FILE));
    expect(left.sort()).toEqual([FILE, expect.stringMatching(/[.]lock[.]\d+$/)]);
    {
      using _lock = lockMachine('the experiment "sort"', NAME);
      expect(elsewhere([]).stdout).toMatch(TAKEN);
    }
    expect(elsewhere([], `process.kill(process.pid, 'SIGKILL');`)).toMatchObject({ stdout: 'locked' });
    lockMachine('another', `${NAME}.another`)[Symbol.dispose]();
    expect(readdirSync('/run/lock').filter((name) => name.startsWith(`joulediff-${NAME}`))).toEqual([]);
  });

  itAsRoot('holds for other users and in other network namespaces', () => {
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    {
      using _lock = lockMachine('the experiment "sort"', NAME);
      expect(elsewhere(['unshare', '--net']).stdout).toMatch(TAKEN);
      expect(elsewhere(nobody).stdout).toMatch(TAKEN);
    }
    expect(elsewhere([], `process.kill(process.pid, 'SIGKILL');`).stdout).toBe('locked');
    expect(elsewhere(nobody, 'lock[Symbol.dispose]();').stdout).toBe('locked');
    lockMachine('the experiment "sort"', NAME)[Symbol.dispose]();
    // Left by a user who was killed, it is no obstacle for root; and the other way round.
    expect(elsewhere(nobody, `process.kill(process.pid, 'SIGKILL');`).stdout).toBe('locked');
    expect(elsewhere([], `process.kill(process.pid, 'SIGKILL');`).stdout).toBe('locked');
    expect(elsewhere(nobody, 'lock[Symbol.dispose]();').stdout).toBe('locked');
    lockMachine('the experiment "sort"', NAME)[Symbol.dispose]();
  });

  itAsRoot('can be kept for a group, and is then refused to others in a sentence', () => {
    const path = `/run/lock/${FILE}`;
    writeFileSync(path, '', { mode: 0o660 });
    try {
      const { stdout } = elsewhere(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']);
      expect(stdout).toBe(`The machine can't be reserved by its lock ${path}: this user may not write to it.`);
    } finally {
      rmSync(path);
    }
  });

  it('follows no link, and takes no other file for the lock', () => {
    const path = `/run/lock/${FILE}`;
    const folder = mkdtempSync('/tmp/joulediff-lock-');
    try {
      symlinkSync(join(folder, 'made'), path);
      expect(() => lockMachine('x', NAME)).toThrow(`its lock ${path}: it is not an empty file`);
      expect(existsSync(join(folder, 'made'))).toBe(false);
      rmSync(path);
      writeFileSync(path, 'somebody’s notes');
      expect(() => lockMachine('x', NAME)).toThrow(`its lock ${path}: it is not an empty file`);
    } finally {
      rmSync(path, { force: true });
      rmSync(folder, { recursive: true });
    }
  });
});
