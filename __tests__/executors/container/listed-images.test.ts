// Class: system.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Docker from 'dockerode';
import { listedImages } from '../../../src/executors/container/listed-images.ts';
import { eventually } from '../bench.ts';

const hasPodman = spawnSync('podman', ['--version']).status === 0;
const LISTS = 60;

(hasPodman ? describe : describe.skip)('the images of Podman (Debian package podman)', () => {
  let folder: string;
  let podman: string[];
  const programs: ChildProcess[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-listed-'));
    const at = (name: string): string => join(folder, name);
    // A storage of its own: what comes and goes here is no other test's business.
    podman = ['podman', '--root', at('root'), '--runroot', at('run'), '--tmpdir', at('tmp'), '--storage-driver', 'vfs'];
    for (const name of ['stays', 'a', 'b', 'c']) {
      mkdirSync(at(name));
      writeFileSync(join(at(name), 'file'), name);
      const packed = spawnSync('sh', ['-c', `tar -C ${at(name)} -c file | ${podman.join(' ')} import - ${name}`]);
      expect(packed.status).toBe(0);
      const saved = spawnSync(podman[0] as string, [...podman.slice(1), 'save', '-o', at(`${name}.tar`), name]);
      expect(saved.status).toBe(0);
    }
  });
  afterAll(async () => {
    const ended = programs.map((program) => new Promise((done) => program.once('exit', done)));
    for (const { pid } of programs) process.kill(-(pid as number), 'SIGTERM');
    await Promise.all(ended);
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (words: readonly string[]): void => {
    programs.push(spawn(words[0] as string, words.slice(1), { stdio: 'ignore', detached: true }));
  };

  it('are told while others come and go', async () => {
    const socketPath = join(folder, 'podman.sock');
    start([...podman, 'system', 'service', '--time=0', `unix://${socketPath}`]);
    const docker = new Docker({ socketPath });
    await eventually(() =>
      docker.ping().then(
        () => true,
        () => false,
      ),
    );
    for (const name of ['a', 'b', 'c']) {
      const call = podman.join(' ');
      start(['sh', '-c', `while :; do ${call} load -q -i ${join(folder, name)}.tar; ${call} rmi -f ${name}; done`]);
    }
    const held = new Set<number>();
    for (let list = 0; list < LISTS; list++) {
      const names = (await listedImages(docker, {})).flatMap(({ RepoTags }) => RepoTags ?? []);
      expect(names).toContain('localhost/stays:latest');
      held.add(names.length);
    }
    // Or nothing came and went.
    expect(held.size).toBeGreaterThan(1);
  });
});
