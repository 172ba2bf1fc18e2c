// Class: world.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Docker from 'dockerode';
import { MeasureError } from '../../../../src/errors.ts';
import { openEngine } from '../../../../src/executors/container/engines/engine.ts';
import { PodmanService } from '../../../../src/executors/container/engines/podman.ts';
import { noteCopy, rememberUse, removeFromUsed } from '../../../../src/executors/container/engines/used.ts';
import { named } from '../../../../src/processes/labels.ts';
import type { IsAbandoned } from '../../../../src/processes/owner.ts';
import { Bench, docker, testImage } from '../../bench.ts';
import { OwnEngine } from '../own-engine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-used-'));
});
const { TMPDIR: before, XDG_STATE_HOME: stateBefore } = process.env;
afterEach(() => {
  for (const [name, value] of Object.entries({ TMPDIR: before, XDG_STATE_HOME: stateBefore })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('where nothing can be written', () => {
  let file: string;
  beforeEach(() => {
    file = join(folder, 'file');
    writeFileSync(file, '');
  });

  it('an engine is not used: nobody would find what is left there after a kill', async () => {
    process.env.XDG_STATE_HOME = file;
    // A user for whose private folder somebody else was there first; who runs the tests has one. Who started joulediff is a mock.
    jest.spyOn(process, 'getuid').mockReturnValue(process.pid + 70_000);
    const taken = `/var/tmp/joulediff-${process.pid + 70_000}`;
    writeFileSync(taken, '');
    try {
      const using = rememberUse('podman', null, docker, { experimentId: 'x' });
      await expect(using).rejects.toThrow(MeasureError);
      await expect(using).rejects.toThrow(
        `The engine podman is not used: the note that containers are made there, by which they are found if joulediff is killed, could not be written to ${file}/joulediff (The user ${process.pid + 70_000} has no home folder that can be used, and ${taken} is not a private folder of this user).`,
      );
    } finally {
      jest.restoreAllMocks();
      rmSync(taken);
    }
  });

  it('Podman is not started', () => {
    process.env.TMPDIR = file;
    const starting = () => new PodmanService('x', null);
    expect(starting).toThrow(MeasureError);
    expect(starting).toThrow(
      `Podman can't be started for the experiment: the folder of its socket could not be made in ${file} (not a directory).`,
    );
  });
});

it('a copy that could not be removed is told, and stays noted for the next start', async () => {
  process.env.XDG_STATE_HOME = folder;
  const bench = new Bench();
  const gone = new Docker({ socketPath: join(folder, 'nobody.sock') });
  await rememberUse('podman', null, gone, bench.environment());
  const ending = bench.end();
  await expect(ending).rejects.toThrow(MeasureError);
  await expect(ending).rejects.toThrow(
    /^What was copied into the engine podman for this experiment may still be there, since that could not be removed: connect ENOENT .*\. The next start tries again\.$/,
  );
  await bench.close();
  const kept = readdirSync(join(folder, 'joulediff')).filter((name) => name !== 'digest-key');
  expect(kept).toEqual([expect.stringMatching(/^joulediff-used-engine-/)]);
});

describe('after a kill', () => {
  const IMAGE = `joulediff-test:used-${process.pid}`;
  const engine = new OwnEngine();
  let bench: Bench;
  beforeAll(async () => {
    await testImage(IMAGE);
    await engine.start();
  });
  afterAll(async () => {
    await docker.getImage(IMAGE).remove();
    await engine.remove();
  });
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.close());

  it('an image goes that was being copied and had no name yet, and none that somebody has named', async () => {
    process.env.XDG_STATE_HOME = folder;
    const used = { engine: engine.host as `unix://${string}`, runtime: null };
    const isAbandoned = ({ experiment }: { experiment: string | null }) => experiment === bench.experimentId;
    const { Id: id } = await docker.getImage(IMAGE).inspect();
    const load = `docker save ${id} | docker -H ${engine.host} load`;
    const state = async () => (await engine.docker.listImages()).map(({ RepoTags }) => RepoTags ?? []);
    for (const name of [null, 'mine:1']) {
      await rememberUse(used.engine, used.runtime, engine.docker, bench.environment());
      noteCopy(used, bench.experimentId, [id]);
      expect(spawnSync('sh', ['-c', load]).status).toBe(0);
      if (name !== null) await engine.docker.getImage(id).tag({ repo: 'mine', tag: '1' });
      expect(await state()).toHaveLength(1);
      expect(await removeFromUsed(isAbandoned)).toEqual(
        name === null ? [`Removed an image that an earlier experiment copied into ${used.engine}.`] : [],
      );
      // A process that goes on has forgotten what it wrote.
      await bench.end();
    }
    expect(await state()).toEqual([['mine:1']]);
  });

  it('no image goes that another machine copied into the same engine', async () => {
    process.env.XDG_STATE_HOME = folder;
    const used = { engine: engine.host as `unix://${string}`, runtime: null };
    await rememberUse(used.engine, used.runtime, engine.docker, bench.environment());
    const { Id: id } = await docker.getImage(IMAGE).inspect();
    expect(spawnSync('sh', ['-c', `docker save ${id} | docker -H ${engine.host} load`]).status).toBe(0);
    const repo = 'localhost/joulediff-copied';
    const tagBy = (experiment: string) => `${'0'.repeat(32)}.1.1.1-${experiment}-${'0'.repeat(12)}`;
    for (const tag of [bench.experimentId, 'theirs'].map(tagBy)) await engine.docker.getImage(id).tag({ repo, tag });
    const isOwn = ({ experiment }: { experiment: string | null }) => experiment === bench.experimentId;
    const asAfterBoot: IsAbandoned = (mark) =>
      isOwn(mark) || (mark.owner?.startsWith('0') === true && !mark.mayBeElsewhere);
    try {
      expect(await removeFromUsed(asAfterBoot)).toEqual([
        `Removed an image that an earlier experiment copied into ${used.engine}.`,
      ]);
      const left = (await engine.docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
      expect(left.filter((name) => name.startsWith(repo))).toEqual([`${repo}:${tagBy('theirs')}`]);
    } finally {
      await engine.docker.getImage(id).remove({ force: true });
      await bench.end();
    }
  });

  it.each([
    ['of a user is found', 'rootless', 'XDG_RUNTIME_DIR', () => folder],
    ['of DOCKER_HOST is found', undefined, 'DOCKER_HOST', () => engine.host],
  ] as const)('what is left in an engine %s by a start in another environment', async (_, name, variable, value) => {
    process.env.XDG_STATE_HOME = folder;
    symlinkSync(engine.host.slice('unix://'.length), join(folder, 'docker.sock'));
    const isAbandoned = ({ experiment }: { experiment: string | null }) => experiment === bench.experimentId;
    const before = process.env[variable];
    process.env[variable] = value();
    // An engine with root's rights stands in for a user's: which of the two it is decides nothing here.
    if (name === undefined) await openEngine({ name: 'container', runtime: null }, bench.environment());
    else await rememberUse(name, null, engine.docker, bench.environment());
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
    const { Id: image } = await docker.getImage(IMAGE).inspect();
    expect(spawnSync('sh', ['-c', `docker save ${image} | docker -H ${engine.host} load`]).status).toBe(0);
    const labels = { 'joulediff.experiment': bench.experimentId };
    const { id } = await engine.docker.createContainer({ Image: image, Cmd: ['true'], ...named(labels) });
    expect(await removeFromUsed(isAbandoned)).toEqual([
      `Removed the container ${id.slice(0, 12)} that an earlier experiment left.`,
    ]);
    expect(await engine.docker.listContainers({ all: true })).toEqual([]);
  });
});
