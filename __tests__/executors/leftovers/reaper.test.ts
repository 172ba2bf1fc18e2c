// Class: system, alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { otherContainers } from '../../../src/executors/container/running.ts';
import { reap } from '../../../src/executors/leftovers/reaper.ts';
import { labelsOf, machineMark, named } from '../../../src/processes/labels.ts';
import { ownerToken } from '../../../src/processes/owner.ts';
import { RunGroup } from '../../../src/processes/run-group.ts';
import { Bench, container, docker, isRunning, pidIn, testImage } from '../bench.ts';

const IMAGE = 'joulediff-test:busybox';
const probe = new RunGroup('test', { pids: 100, memoryBytes: null });
const hasGroups = probe.held().pids !== null;
probe.remove();

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  await bench.close();
  await docker
    .getNetwork(bench.experimentId)
    .remove()
    .catch(() => {});
  await docker
    .getVolume(bench.experimentId)
    .remove()
    .catch(() => {});
});

async function created(labels: Record<string, string>, cmd = ['true']): Promise<string> {
  const made = await docker.createContainer({
    Image: IMAGE,
    Cmd: cmd,
    ...named(labels),
    HostConfig: { NetworkMode: 'none' },
  });
  return made.id;
}

async function exists(id: string): Promise<boolean> {
  return docker
    .getContainer(id)
    .inspect()
    .then(
      () => true,
      () => false,
    );
}

/** Names of the experiment's networks and volumes. */
async function left(): Promise<string[]> {
  const filters = { label: [`joulediff.experiment=${bench.experimentId}`] };
  const [networks, { Volumes }] = await Promise.all([
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return [...networks, ...(Volumes ?? [])].map(({ Name }) => Name);
}

function foreign(field: 0 | 1): Record<string, string> {
  const fields = ownerToken().split(':');
  fields[field] = field === 0 ? '00000000-0000-0000-0000-000000000000' : '1';
  return { ...labelsOf(bench.experimentId, 1), 'joulediff.owner': fields.join(':') };
}

describe('reap', () => {
  it('removes the running container, the network, the volume, the daemon and the service of an experiment that was killed, and not before', async () => {
    const owner = spawn(
      process.execPath,
      [join(import.meta.dirname, 'killed-owner.ts'), bench.experimentId, IMAGE, bench.folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    try {
      await Promise.race([
        once(owner.stdout, 'data'),
        once(owner, 'exit').then(() => Promise.reject(new Error('it ended'))),
      ]);
      const daemon = await pidIn(bench.path('daemon'));
      const server = await pidIn(bench.path('server'));
      await reap();
      expect((await bench.containers()).map(({ State }) => State)).toEqual(['running']);
      expect(await left()).toHaveLength(2);
      expect([daemon, server].map(isRunning)).toEqual([true, true]);
      owner.kill('SIGKILL');
      await once(owner, 'exit');
      await reap();
      expect(await bench.containers()).toEqual([]);
      expect(await left()).toEqual([]);
      expect([daemon, server].map(isRunning)).toEqual([false, false]);
    } finally {
      owner.kill('SIGKILL');
    }
  });

  it('tells what it removed', async () => {
    const id = await created({ ...labelsOf(bench.experimentId, 1), 'joulediff.owner': 'no token' });
    expect(await reap({ experimentId: bench.experimentId })).toContain(
      `Removed the container ${id.slice(0, 12)} that an earlier experiment left.`,
    );
  });

  it('removes the volumes that an image declares, whether their container is still there or not', async () => {
    const labels = { ...labelsOf(bench.experimentId, 1), 'joulediff.owner': 'no token' };
    const volume = { Type: 'volume', Target: '/declared', VolumeOptions: { Labels: labels } };
    const options = {
      Image: IMAGE,
      Cmd: ['true'],
      HostConfig: { NetworkMode: 'none', Mounts: [volume as never] },
    };
    const gone = await docker.createContainer({ ...options, ...named(labels) });
    const there = await docker.createContainer({ ...options, ...named(labels) });
    await gone.remove({ force: true });
    expect(await left()).toHaveLength(2);
    const lines = await reap({ experimentId: bench.experimentId });
    expect(lines.filter((line) => line.includes(there.id.slice(0, 12)) || /could not/.test(line))).toEqual([
      `Removed the container ${there.id.slice(0, 12)} that an earlier experiment left.`,
    ]);
    expect(await left()).toEqual([]);
  });

  it('leaves alone, with its volumes, what somebody made from the image of a container that was left', async () => {
    const left = docker.getContainer(
      await created({ ...labelsOf(bench.experimentId, 1), 'joulediff.owner': 'no token' }),
    );
    const repo = `joulediff-test-${bench.experimentId}`;
    await left.commit({ repo, tag: 'theirs' });
    const VOLUMES = { '/data': {} };
    const theirs = await docker.createContainer({ Image: `${repo}:theirs`, Cmd: ['sleep', '60'], Volumes: VOLUMES });
    try {
      await theirs.start();
      expect((await theirs.inspect()).Config.Labels).toMatchObject({ 'joulediff.experiment': bench.experimentId });
      await reap({ experimentId: bench.experimentId });
      expect(await Promise.all([left.id, theirs.id].map(exists))).toEqual([false, true]);
      expect((await otherContainers())?.map(({ id }) => id)).toContain(theirs.id);
    } finally {
      await theirs.remove({ force: true, v: true });
      await docker.getImage(`${repo}:theirs`).remove({ force: true });
    }
  });

  it('leaves alone what is alive, what is not labeled, and what it can not judge', async () => {
    const executor = await bench.ready(container(IMAGE, { run: 'true' }));
    const run = await executor.prepare(bench.context());
    const others = [await created({}), await created({ 'joulediff.other': 'x' })];
    const unjudged = [
      await created(foreign(1)),
      await created({ 'joulediff.experiment': bench.experimentId }),
      await created({ ...labelsOf(bench.experimentId, 1), 'joulediff.owner': 'no token' }),
    ];
    try {
      await reap();
      expect(await Promise.all([...others, ...unjudged].map(exists))).toEqual([true, true, true, true, true]);
      expect((await run.execute({ onEdge() {} })).exitCode).toBe(0);
      await reap({ experimentId: bench.experimentId });
      expect(await Promise.all(others.map(exists))).toEqual([true, true]);
      expect(await Promise.all(unjudged.map(exists))).toEqual([false, false, false]);
      expect(await bench.containers()).toHaveLength(1);
    } finally {
      await run.dispose();
      for (const id of others) await docker.getContainer(id).remove({ force: true });
    }
  });

  it('leaves what another boot made to the machine that it is of, where several share an engine', async () => {
    const labels = { ...foreign(0), 'joulediff.machine': 'another' };
    const { 'joulediff.machine': _, ...unnamed } = labels;
    const resting = [
      await created(labels),
      await created({ ...labels, 'joulediff.machine': '' }),
      await created(unnamed),
    ];
    await docker.createNetwork({ Name: bench.experimentId, Labels: labels });
    await docker.createVolume({ Name: bench.experimentId, Labels: labels });
    await reap();
    expect(await Promise.all(resting.map(exists))).toEqual([true, true, true]);
    expect(await left()).toHaveLength(2);
    await reap({ experimentId: bench.experimentId });
    expect(await Promise.all(resting.map(exists))).toEqual([false, false, false]);
    expect(await left()).toEqual([]);
  });

  const itNamed = machineMark() === '' ? it.skip : it;
  itNamed('removes what an earlier boot of this machine left, unless it runs', async () => {
    const stopped = await created(foreign(0));
    const running = await created(foreign(0), ['sleep', '300']);
    await docker.getContainer(running).start();
    await docker.createNetwork({ Name: bench.experimentId, Labels: foreign(0) });
    await reap();
    expect(await exists(stopped)).toBe(false);
    expect(await exists(running)).toBe(true);
    expect(await left()).toEqual([]);
  });

  it('ends processes of a dead owner, and no others, where there is no engine', async () => {
    const dead = ownerToken().replace(/:\d+$/, ':1');
    const start = (marks: Record<string, string>) =>
      spawn('sleep', ['300'], { stdio: 'ignore', env: { ...process.env, ...marks } });
    const children = [
      start({ JOULEDIFF_OWNER: dead, JOULEDIFF_EXPERIMENT: 'x' }),
      start({ JOULEDIFF_OWNER: ownerToken(), JOULEDIFF_EXPERIMENT: bench.experimentId }),
      start({ JOULEDIFF_OWNER: 'no token', JOULEDIFF_EXPERIMENT: 'x' }),
      start({ NOT_JOULEDIFF_OWNER: dead }),
    ];
    const given = process.env.DOCKER_HOST;
    process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock';
    try {
      await Promise.all(children.map((child) => once(child, 'spawn')));
      await reap({ experimentId: bench.experimentId });
      expect(children.map((child) => isRunning(child.pid!))).toEqual([false, true, true, true]);
    } finally {
      if (given === undefined) delete process.env.DOCKER_HOST;
      else process.env.DOCKER_HOST = given;
      for (const child of children) child.kill('SIGKILL');
    }
  });

  (hasGroups ? it : it.skip)('ends what hides in the control group of a process that was killed', async () => {
    const pidFile = bench.path('pid');
    const hidden = `env -i setsid sh -c 'echo $$ > ${pidFile}; exec sleep 300' &`;
    const script = `
      const { RunGroup } = await import(${JSON.stringify(new URL('../../../src/processes/run-group.ts', import.meta.url).href)});
      const group = new RunGroup('7', { pids: 50, memoryBytes: null });
      group.enter();
      (await import('node:child_process')).spawn('sh', ['-c', ${JSON.stringify(hidden)}], { stdio: 'ignore' });
      group.leave();
      const { existsSync } = await import('node:fs');
      while (!existsSync(${JSON.stringify(pidFile)})) await new Promise((resolve) => setTimeout(resolve, 10));
      process.kill(process.pid, 'SIGKILL');
    `;
    await once(spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }), 'exit');
    const pid = await pidIn(pidFile);
    const group = readFileSync(`/proc/${pid}/cgroup`, 'latin1');
    try {
      expect(group).toMatch(/joulediff-\d+-\d+-\d+-7$/m);
      expect(await reap()).toContain('Ended the process sleep that an earlier experiment left.');
      expect(isRunning(pid)).toBe(false);
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    }
    const paths = group.match(/(?<=:)(?:memory|pids):.*-7$/gm) ?? [];
    expect(paths.filter((path) => existsSync(`/sys/fs/cgroup/${path.replace(':', '')}`))).toEqual([]);
  });

  it('ends the program of a meter that outlives the process that read it', async () => {
    const pidFile = bench.path('pid');
    const meter = `command:trap '' TERM PIPE; echo $$ > ${pidFile}; while :; do echo '{"power_w": 5}'; sleep 0.1; done 2> /dev/null`;
    const registry = new URL('../../../src/meters/registry.ts', import.meta.url).href;
    const script = `
      const { openMeters } = await import(${JSON.stringify(registry)});
      await openMeters([${JSON.stringify(meter)}]);
      process.kill(process.pid, 'SIGKILL');
    `;
    await once(spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }), 'exit');
    const pid = await pidIn(pidFile);
    try {
      expect(isRunning(pid)).toBe(true);
      await reap();
      expect(isRunning(pid)).toBe(false);
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    }
  });
});
