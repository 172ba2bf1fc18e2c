// Class: system.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Docker from 'dockerode';
import type { PlaceFacts } from '../../../src/contracts/variant.ts';
import { MeasureError } from '../../../src/errors.ts';
import { findImage } from '../../../src/executors/container/image.ts';
import type { ContainerVariant } from '../../../src/executors/container/variant.ts';
import { makeExecutor } from '../../../src/executors/registry.ts';
import { Bench, container, docker, testImage } from '../bench.ts';
import { type ImageRegistry, serveImage } from './registry-server.ts';

const IMAGE = 'joulediff-test:image';

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

async function setup(variant: ContainerVariant): Promise<PlaceFacts> {
  const executor = await makeExecutor(variant, bench.environment());
  return executor.setup(bench.stop.signal);
}

describe('an image that is on the machine', () => {
  it('is used as it is, and its id recorded', async () => {
    const { Id } = await docker.getImage(IMAGE).inspect();
    expect(await setup(container(IMAGE, {}, { pull: 'missing' }))).toMatchObject({
      image: IMAGE,
      image_id: Id,
      image_digest: null,
    });
    expect(bench.lines).toEqual([]);
    expect(await setup(container(Id, {}))).toMatchObject({ image_id: Id });
  });
});

describe('an image that is not on the machine', () => {
  let registry: ImageRegistry;
  beforeEach(async () => {
    registry = await serveImage('a program');
  });
  afterEach(async () => {
    await docker
      .getImage(registry.repository)
      .remove({ force: true })
      .catch(() => {});
    await registry.close();
  });

  it('is pulled, only the tag that is meant, and its digest recorded', async () => {
    const facts = await setup(container(registry.repository, { run: ['/text'] }, { pull: 'missing' }));
    expect(facts.image_digest).toBe(`${registry.repository}@${registry.digest}`);
    expect(registry.asked).toContain('latest');
    expect(bench.lines[0]).toBe(`Pulling image ${registry.repository}:latest`);
  });

  it('is pulled by its digest', async () => {
    const reference = `${registry.repository}@${registry.digest}`;
    const facts = await setup(container(reference, { run: ['/text'] }, { pull: 'missing' }));
    expect(facts.image_digest).toBe(reference);
    await docker.getImage(String(facts.image_id)).remove({ force: true });
  });

  it('is pulled again where that is asked for, and once where it is not', async () => {
    const pulls = () => registry.asked.filter((tag) => tag === 'latest').length;
    await setup(container(registry.repository, { run: ['/text'] }, { pull: 'missing' }));
    const first = pulls();
    await setup(container(registry.repository, { run: ['/text'] }, { pull: 'missing' }));
    expect(pulls()).toBe(first);
    await setup(container(registry.repository, { run: ['/text'] }, { pull: 'always' }));
    expect(pulls()).toBeGreaterThan(first);
  });

  it('is an error with the reason: not in the registry, no registry, not to be pulled', async () => {
    const missing = setup(container(`${registry.repository}:nowhere`, {}, { pull: 'missing' }));
    await expect(missing).rejects.toThrow(MeasureError);
    await expect(missing).rejects.toThrow(/nowhere" isn't on this machine and could not be pulled: .*manifest/);
    const nobody = setup(container('localhost:1/nothing', {}, { pull: 'always' }));
    await expect(nobody).rejects.toThrow(/could not be pulled: .*refused/);
    const never = setup(container('joulediff-test:nowhere', {}, { pull: 'never' }));
    await expect(never).rejects.toThrow(
      'The image "joulediff-test:nowhere" isn\'t on this machine, and pull is never.',
    );
  });

  it('and takes longer to pull than it may is given up, and told as that', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    try {
      await once(silent, 'listening');
      const reference = `localhost:${(silent.address() as AddressInfo).port}/slow:1`;
      const attempt = setup(container(reference, {}, { pull: 'missing', imageTimeoutS: 0.5004 }));
      await expect(attempt).rejects.toThrow(`The image "${reference}" was not pulled within 0.5 s.`);
    } finally {
      silent.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it('with a name that can not be one is an error too', async () => {
    await expect(setup(container('Not A Name', {}, { pull: 'missing' }))).rejects.toThrow(MeasureError);
  });
});

// A stand-in: the tests' engine keeps one platform of an image. Here the machine's own comes first, as in containerd's store.
describe.each([true, false])('an image for several platforms, in a store that keeps several: %s', (keepsSeveral) => {
  const held = new Set<string>();
  const pulled: (string | null)[] = [];
  const server = createHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine');
    const asked = searchParams.get('platform');
    if (pathname === '/images/create') {
      pulled.push(asked);
      held.add('arm64');
      return response.end('{}');
    }
    const { architecture = 'amd64' } = JSON.parse(asked ?? '{}') as { architecture?: string };
    const image = { Id: 'sha256:1', Os: 'linux', Architecture: architecture, ...(keepsSeveral && { Descriptor: {} }) };
    response.writeHead(held.has(architecture) ? 200 : 404, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(held.has(architecture) ? image : { message: 'not for this platform' }));
  });
  beforeEach(async () => {
    pulled.length = 0;
    held.clear();
    held.add('amd64');
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(() => new Promise((done) => server.close(done)));
  const find = async (more: Partial<ContainerVariant>) => {
    const engine = new Docker({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    return findImage(engine, container('x', {}, more), () => {}, bench.stop.signal);
  };

  it('is pulled for one that is missing, but only where that takes its tag from no other', async () => {
    expect((await find({ platform: 'linux/x86_64', pull: 'missing' })).platform).toBe('linux/amd64');
    for (const _time of ['first', 'second']) {
      const { platform } = await find({ platform: 'linux/arm64/v8', pull: 'missing' });
      expect(platform).toBe(keepsSeveral ? 'linux/arm64' : 'linux/amd64');
    }
    expect(pulled).toEqual(keepsSeveral ? ['linux/arm64/v8'] : []);
  });

  it('is an error where it may not be pulled for one that is missing', async () => {
    const never = find({ platform: 'linux/arm64', pull: 'never' });
    if (!keepsSeveral) expect((await never).platform).toBe('linux/amd64');
    else await expect(never).rejects.toThrow(`The image "x" for linux/arm64 isn't on this machine, and pull is never.`);
  });
});
