// Class: system.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import type { Executor } from '../../src/executors/executor.ts';
import type { ServiceContext, ServiceRunner } from '../../src/executors/service.ts';
import { experimentFrom } from '../../src/experiment/read.ts';
import { ServicePlaces } from '../../src/measure/service-places.ts';

/** A server at a port of the loopback address, and that port; 0: any. */
async function listenAt(port: number): Promise<[Server, number]> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return [server, (server.address() as AddressInfo).port];
}

// The first service of a container's or a guest's place takes the ports of the later ones, too.
const lifetimes = ['experiment', 'run'] as const;
it.each(lifetimes)('a later service with lifetime: %s may share the ports of its place', async (lifetime) => {
  const [holder, port] = await listenAt(0);
  await new Promise((done) => holder.close(done));
  const experiment = experimentFrom(
    {
      workload: { run: ':' },
      services: { db: { run: ':', lifetime: 'experiment' }, cache: { run: ':', lifetime } },
      variants: { native: {}, inside: { image: 'x', ports: [`127.0.0.1:${port}:6379`] } },
    },
    { where: 'test', directory: '/' },
  );
  const servers: Server[] = [];
  const joined: (string | null)[] = [];
  const runner = {
    setup: async () => ({}),
    async makeService(_: unknown, { joins }: ServiceContext) {
      joined.push(joins);
      return {
        ended: new Promise(() => {}),
        network: 'container:db',
        start: async () => void (joins === null && servers.push((await listenAt(port))[0])),
        stop: async () => ({ killed: false, left: [] }),
      };
    },
  };
  const place = { ...runner, prepare: async () => ({ dispose: async () => {} }) } as unknown as Executor;
  const { signal } = new AbortController();
  const places = new ServicePlaces({
    experiment,
    experimentId: 'test',
    folder: '/nowhere',
    signal,
    make: () => Promise.reject(new Error('no client elsewhere')),
    makeRunner: async () => runner as unknown as ServiceRunner,
    serviceHosts: new Map(),
    log() {},
  });
  const [, variant] = experiment.variants;
  const executor = await places.around(variant!, variant!.workload, place);
  try {
    await places.begin();
    const run = await executor.prepare({ experimentId: 'test', runId: 1, logFile: '', signal } as never);
    await run.dispose();
    expect(joined).toEqual([null, 'container:db']);
  } finally {
    await places.end();
    for (const server of servers) server.close();
  }
});
