// Class: world, alone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findHierarchies } from '../../src/processes/hierarchies.ts';
import { ownPrefix } from '../../src/processes/left-groups.ts';
import { busyboxContext, docker, temporaryFolder } from '../e2e/program.ts';
import { type Belongings, whatIsLeft } from './left.ts';

// What the soak looks for at its end is left here on purpose: a look that could find nothing would show nothing.

const MARKER = String(10_000_000 + process.pid);
const EXPERIMENT = `00000000-0000-4000-8000-0000${MARKER}`;
const image = `joulediff-soak-left-${MARKER}:now`;
const [parent] = findHierarchies().map((at) => at.parent);
const groups = [`${ownPrefix()}soak`, `observed-${EXPERIMENT}`].map((name) => join(parent ?? '', name));
const volumes = `${docker('info', '--format', '{{.DockerRootDir}}')}/volumes`;

let scratch: ReturnType<typeof temporaryFolder>;
let elsewhere: string;
const children: ChildProcess[] = [];
const path = (...names: string[]) => join(scratch.path, ...names);

beforeEach(() => {
  scratch = temporaryFolder();
  for (const name of ['tmp', 'state/joulediff']) mkdirSync(path(name), { recursive: true });
  elsewhere = mkdtempSync('/var/tmp/joulediff-soak-');
  docker('build', '-q', '--network', 'none', '-t', image, busyboxContext(path('image')));
});
afterEach(async () => {
  await removeAll();
  scratch.remove();
});

async function removeAll(): Promise<void> {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  const ids = docker('ps', '-aq', '--filter', `ancestor=${image}`).split('\n').filter(Boolean);
  if (ids.length > 0) docker('rm', '-fv', ...ids);
  const label = `label=joulediff.experiment=${EXPERIMENT}`;
  for (const kind of ['network', 'volume']) {
    const names = docker(kind, 'ls', '-q', '--filter', label).split('\n').filter(Boolean);
    if (names.length > 0) docker(kind, 'rm', ...names);
  }
  for (const group of groups) if (existsSync(group)) rmdirSync(group);
  for (const name of ['tmp/file', 'state/joulediff/strange']) rmSync(path(name), { force: true });
  rmSync(elsewhere, { recursive: true, force: true });
}

const ours = (): Belongings => ({
  mark: ['SOAK_MARK', MARKER],
  marker: MARKER,
  image,
  temporary: path('tmp'),
  state: path('state'),
  known: new Set(),
  programs: new Set([/^joulediff-(\d+-\d+)-/.exec(ownPrefix())?.[1] ?? '']),
  experiments: new Set([EXPERIMENT]),
});

const sleeping = (seconds: string, env: Readonly<Record<string, string>>) =>
  children.push(spawn('sleep', [seconds], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' }));

it('finds everything that can be left, and nothing that is not there', async () => {
  expect(whatIsLeft(ours())).toEqual([]);
  sleeping('301', { SOAK_MARK: MARKER });
  sleeping(`302.${MARKER}`, {});
  sleeping('303', { JOULEDIFF_EXPERIMENT: EXPERIMENT });
  const id = docker('create', '--network', 'none', '-v', '/scratch', image, 'true');
  const volume = docker('inspect', '--format', '{{(index .Mounts 0).Name}}', id);
  writeFileSync(join(volumes, volume, '_data/mark'), `${MARKER}\n`);
  const label = `joulediff.experiment=${EXPERIMENT}`;
  docker('network', 'create', '--label', label, `soak-${MARKER}`);
  docker('volume', 'create', '--label', label, `named-${MARKER}`);
  for (const group of groups) mkdirSync(group);
  for (const name of ['tmp/file', 'state/joulediff/strange']) writeFileSync(path(name), '');
  writeFileSync(join(elsewhere, 'joulediff-owner.json'), JSON.stringify({ experiment: EXPERIMENT }));

  const found = whatIsLeft(ours());
  const kinds = found.map((line) => line.replace(/(?<= )[0-9a-f]{12,64}$/, 'ID').replace(/process \d+/, 'process'));
  expect(kinds.toSorted()).toEqual(
    [
      'process: sleep 301',
      `process: sleep 302.${MARKER}`,
      'process: sleep 303',
      'container ID',
      `network soak-${MARKER} ${EXPERIMENT}`,
      `volume named-${MARKER} ${EXPERIMENT}`,
      'anonymous volume ID',
      ...groups.map((group) => `control group ${group}`),
      `file ${path('tmp/file')}`,
      `file ${path('state/joulediff/strange')}`,
      `folder ${elsewhere}`,
    ].toSorted(),
  );
  await removeAll();
  expect(whatIsLeft(ours())).toEqual([]);
});
