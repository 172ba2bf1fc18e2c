// Class: world.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseExperiment } from '../../src/experiment/read.ts';
import { setUpPlaces } from '../../src/measure/places.ts';
import { Bench, docker, testImage } from '../executors/bench.ts';

const IMAGE = `joulediff-test/podman-services-${process.pid}`;
const hasPodman = spawnSync('podman', ['--version']).status === 0;
/** Podman's own default, crun, refuses machines with control groups of both versions. */
const RUNTIME = existsSync('/sys/fs/cgroup/unified') ? { runtime: 'runc' } : {};

/** Below those that the kernel gives to whoever asks for any. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(15_000 * Math.random());
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, () => done(true));
    });
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}

// Podman is real, with its own bridge (netavark and iptables).
(hasPodman ? describe : describe.skip)('a service in a container of Podman (Debian package podman)', () => {
  const bench = new Bench();
  beforeAll(() => testImage(IMAGE, [`LABEL of=${IMAGE}`, 'RUN ["/bin/busybox", "mkdir", "/tmp"]']));
  afterAll(async () => {
    await bench.close();
    await docker.getImage(IMAGE).remove({ force: true });
  });

  it.each([
    ['on the host, by a port that is published', 'host', true, '127.0.0.1'],
    ['on the host, by its address', 'host', false, '$JOULEDIFF_SERVICE_HOST'],
    ['beside it, in its network', 'variant', false, '127.0.0.1'],
  ])('is reached by a client %s', async (_, place, isPublished, host) => {
    const port = await freePort();
    const inside = isPublished ? 8080 : port;
    const network = { network: 'bridge', ...(isPublished && { ports: [`127.0.0.1:${port}:8080`] }) };
    const text = JSON.stringify({
      rest: 0,
      guard: 0,
      window: 'workload',
      variants: { native: {}, podman: { image: IMAGE, pull: 'never', engine: 'podman', ...RUNTIME, ...network } },
      workload: { run: `busybox wget -q -O - "http://${host}:${port}/page"`, place },
      services: {
        server: {
          run: `cd /tmp; echo from podman > page; exec busybox httpd -f -p ${inside}`,
          ready: { tcp: inside },
          stop: { signal: 'SIGKILL' },
        },
      },
    });
    const experiment = parseExperiment(text, { file: 'joulediff.yml', directory: bench.folder });
    const { signal } = bench.stop;
    await using places = await setUpPlaces(bench.experimentId, {
      experiment: { ...experiment, variants: experiment.variants.filter(({ name }) => name === 'podman') },
      progress: { note() {}, warn() {}, status() {}, end() {} },
      folder: bench.folder,
      recorded: null,
      signal,
    });
    const run = await places.executors.get('podman')?.prepare(bench.context());
    await run?.execute({ onEdge() {} });
    await run?.dispose();
    expect(readFileSync(bench.logFile, 'utf8').trim().split('\n').at(-1)).toBe('from podman');
    const label = `label=joulediff.experiment=${bench.experimentId}`;
    expect(spawnSync('podman', ['ps', '--all', '--quiet', '--filter', label], { encoding: 'utf8' }).stdout).toBe('');
  });
});
