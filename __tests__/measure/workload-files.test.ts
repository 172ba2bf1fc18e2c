// Class: system.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { allChanges, changedFiles, checkSentFiles, readWorkloadFiles } from '../../src/measure/workload-files.ts';
import { container, native } from '../executors/bench.ts';

const SERVICE = {
  name: 'db',
  env: {},
  workdir: null,
  lifetime: 'run',
  ready: null,
  readyWithinS: 10,
  stop: { signal: 'SIGTERM', withinS: 10 },
} as const;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'joulediff-files-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const git = (...words: string[]) =>
  spawnSync('git', ['-C', directory, '-c', 'user.name=x', '-c', 'user.email=x@y', ...words], { encoding: 'utf8' });
const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
const read = (...runs: (string | string[])[]) =>
  readWorkloadFiles({ directory, variants: runs.map((run) => native({ run })) }, new AbortController().signal);

it('are the program and every file that the commands name', async () => {
  write('bench.py', 'print(1)');
  write('data.bin', '0');
  const before = await read('sh bench.py --input=data.bin > out.txt', ['./bench.py', 'nothing']);
  expect(Object.keys(before.named)).toEqual([expect.stringMatching(/^\/.*\/sh$/), 'bench.py', 'data.bin']);
  expect(before).toMatchObject({ commit: null, changes: null });
  write('data.bin', '1');
  expect(changedFiles(before, await read('sh bench.py --input=data.bin > out.txt'))).toEqual(['data.bin']);
});

it('are those that are sent, where another machine runs them; none of them may change before it is sent them again', async () => {
  write('bench.py', 'print(1)');
  const experiment = { directory, variants: [native({ run: 'sh bench.py' })], host: 'ssh://sut' };
  const { signal } = new AbortController();
  const before = await readWorkloadFiles(experiment, signal);
  expect(Object.keys(before.named)).toEqual(['bench.py']);
  await checkSentFiles(experiment, before, signal);
  write('bench.py', 'print(2)');
  await expect(checkSentFiles(experiment, before, signal)).rejects.toThrow('bench.py changed');
});

it('are those of a service on another machine, too, which is sent them again', async () => {
  write('server.py', 'serve(1)');
  const service = { ...SERVICE, run: 'python3 server.py', place: 'ssh://db' as const };
  write('out.txt', 'of a run here, which is not sent');
  const experiment = { directory, variants: [native({ run: ['true', 'out.txt'] })], services: [service] };
  const { signal } = new AbortController();
  const before = await readWorkloadFiles(experiment, signal);
  expect(Object.keys(before.named)).toEqual([expect.stringMatching(/^\/.*\/true$/), 'out.txt', 'server.py']);
  write('out.txt', 'of another run');
  await checkSentFiles(experiment, before, signal);
  const committed = { ...before, commit: 'a'.repeat(40) };
  await expect(checkSentFiles(experiment, committed, signal)).rejects.toThrow(
    'ssh://db is back and needs the workload’s files again, but they are no longer those that were sent first: the commit',
  );
  const logging = { ...experiment, services: [{ ...service, run: 'python3 server.py server.log' }] };
  const unlogged = await readWorkloadFiles(logging, signal);
  write('server.log', 'made by the service');
  await checkSentFiles(logging, unlogged, signal);
  write('server.py', 'serve(2)');
  await expect(checkSentFiles(experiment, before, signal)).rejects.toThrow('server.py changed');
  const here = { ...experiment, services: [{ ...service, place: 'host' as const }] };
  await checkSentFiles(here, before, signal);
});

it('are none of the host for a container and for a variant at a revision', async () => {
  write('work.sh', 'true');
  const variants = [
    container('x', { run: './work.sh' }),
    { ...native({ run: './work.sh' }), revision: { name: 'main', commit: null } },
  ];
  const { named } = await readWorkloadFiles({ directory, variants }, new AbortController().signal);
  expect(named).toEqual({});
});

it('are not those of the working tree where every variant is at a revision', () => {
  const before = { named: {}, commit: 'a'.repeat(40), changes: null };
  const now = { named: {}, commit: 'b'.repeat(40), changes: 'c'.repeat(64) };
  const at = { ...native({ run: 'true' }), revision: { name: 'main', commit: null } };
  expect(allChanges(before, now, { variants: [at, at] })).toEqual([]);
  const both = ['the commit that is checked out', 'files that differ from the commit'];
  expect(allChanges(before, now, { variants: [at, native({ run: 'true' })] })).toEqual(both);
});

it('are those of a commit, and what differs from it, however git is told to show it', async () => {
  git('init', '-q');
  write('work.sh', 'true');
  write('.gitattributes', '*.sh diff=own\n');
  git('config', 'diff.own.textconv', 'echo nothing; :');
  git('config', 'diff.external', 'true');
  git('add', '.');
  git('commit', '-qm', 'one');
  const clean = await read('true');
  expect(clean).toMatchObject({ commit: git('rev-parse', 'HEAD').stdout.trim(), changes: null });
  write('untracked', 'the results, say');
  expect((await read('true')).changes).toBeNull();
  write('work.sh', 'false');
  const { changes } = await read('true');
  expect(changes).toMatch(/^[0-9a-f]{64}$/);
  write('work.sh', 'false || true');
  expect((await read('true')).changes).not.toBe(changes);
});
