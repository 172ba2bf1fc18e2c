// Class: world.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bench, container, docker, testImage } from '../../bench.ts';

const IMAGE = `joulediff-test:same-${process.pid}`;
const hasPodman = spawnSync('podman', ['--version']).status === 0;
/** Podman's own default, crun, refuses machines with control groups of both versions. */
const RUNTIME = existsSync('/sys/fs/cgroup/unified') ? 'runc' : null;
const MANIFEST = `sha256:${'5e'.repeat(32)}`;

/**
 * The real engine, as one that calls this image by the digest of its manifest, which only later versions do than the tests install: what it says of itself and
 * of the image is changed on the way, and the archive is what it really makes.
 */
function byManifest(socketPath: string, id: string): Server {
  return createServer((asked, answer) => {
    const path = asked.url?.replaceAll(MANIFEST, id);
    const changed = /^(?:\/v[\d.]+)?\/(?:info|images\/.+\/json)$/.test(path ?? '');
    const { host: _, ...headers } = asked.headers;
    const passed = request({ socketPath, path, method: asked.method, headers }, async (reported) => {
      const { statusCode = 500, headers: given } = reported;
      if (!changed) return void reported.pipe(answer.writeHead(statusCode, given));
      const status = { DriverStatus: [['driver-type', 'io.containerd.snapshotter.v1']] };
      const body = JSON.parse((await text(reported)).replaceAll(id, MANIFEST));
      answer.writeHead(statusCode, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(path?.endsWith('/info') ? { ...body, ...status } : body));
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
}

const podman = (...words: string[]): string => spawnSync('podman', words, { encoding: 'utf8' }).stdout.trim();

(hasPodman ? describe : describe.skip)(
  'an image that Docker’s engine calls by its manifest (Debian package podman)',
  () => {
    const { DOCKER_HOST: before } = process.env;
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-manifest-'));
    const socket = join(folder, 'docker.sock');
    const bench = new Bench();
    let server: Server;
    let id: string;
    beforeAll(async () => {
      // One of its own: other tests have copies in Podman, too.
      await testImage(IMAGE, [`LABEL of=${IMAGE}`]);
      ({ Id: id } = await docker.getImage(IMAGE).inspect());
      const usual = before?.startsWith('unix://') ? before.slice('unix://'.length) : '/var/run/docker.sock';
      server = byManifest(usual, id);
      await new Promise<void>((done) => server.listen(socket, done));
      process.env.DOCKER_HOST = `unix://${socket}`;
    });
    afterAll(async () => {
      if (before === undefined) delete process.env.DOCKER_HOST;
      else process.env.DOCKER_HOST = before;
      await bench.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await docker.getImage(IMAGE).remove();
      rmSync(folder, { recursive: true });
    });

    it('is the one in Podman that its archive names, at first and when the experiment goes on', async () => {
      const variant = container(IMAGE, { run: 'echo the same' }, { engine: 'podman', runtime: RUNTIME });
      const executor = await bench.ready(variant);
      expect(podman('images', '--quiet', '--no-trunc')).toContain(id);
      const facts = await executor.setup(bench.stop.signal);
      expect(facts).toMatchObject({ engine: 'podman', image_id: MANIFEST });
      await bench.end();
      expect(podman('images', '--quiet', '--no-trunc')).not.toContain(id);
      expect(await executor.setup(bench.stop.signal, facts)).toMatchObject({ image_id: MANIFEST });
      expect(await bench.once(variant)).toMatchObject({ exitCode: 0 });
      expect(bench.log()).toBe('the same\n');
      await bench.end();
      expect(podman('images', '--quiet', '--no-trunc')).not.toContain(id);
    });
  },
);
