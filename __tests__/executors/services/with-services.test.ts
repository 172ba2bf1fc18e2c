// Class: system.
import { expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import type { Executor, RunContext } from '../../../src/executors/executor.ts';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import type { MadeService, Service, ServiceEnd, ServiceRunner } from '../../../src/executors/service.ts';
import { withServices } from '../../../src/executors/services/with-services.ts';

const SERVICE: Service = {
  name: 'server',
  run: 'true',
  env: {},
  workdir: null,
  place: 'host',
  lifetime: 'run',
  ready: null,
  readyWithinS: 1,
  stop: { signal: 'SIGTERM', withinS: 1 },
};

/** What a run is refused with whose client can't be prepared; `made`: what is made of each service. */
async function refusalOf(services: readonly Service[], made: (service: Service) => Partial<MadeService>) {
  const place = { prepare: () => Promise.reject(new MeasureError('There is no client.')) } as unknown as Executor;
  const executor = withServices({
    services,
    place,
    client: place,
    host: { makeService: async (service: Service) => made(service) } as unknown as ServiceRunner,
    machines: new Map(),
    serviceHost: '127.0.0.1',
    restart: async () => {},
    window: 'workload',
    hostPorts: () => [],
    logFor: () => '',
    lasting: { values: () => [] },
    log() {},
  });
  const { signal } = new AbortController();
  const context = { experimentId: 'test', runId: 1, logFile: '', signal } as RunContext;
  return executor.prepare(context).catch((thrown: unknown) => thrown);
}

/** The same where its service can't be stopped for this reason. */
const refusal = (atStop: Error): Promise<unknown> =>
  refusalOf([SERVICE], () => ({
    ended: new Promise(() => {}),
    network: null,
    start: async () => {},
    stop: () => Promise.reject(atStop),
  }));

it('a service that ends while another is not ready yet is told, and not the time limit of the other', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<ServiceEnd>();
  const isReady = { kind: 'command', command: 'true' } as const;
  const db = { ...SERVICE, name: 'db' };
  const thrown = await refusalOf([db, { ...SERVICE, ready: isReady }], ({ name }) => ({
    ended: name === 'db' ? ended : new Promise(() => {}),
    network: null,
    start: async () => {},
    async succeeds() {
      end({ exitCode: 1, signal: null, limit: null });
      return false;
    },
    output: () => '',
    left: () => [],
    stop: async () => ({ killed: false, left: [] }),
  }));
  expect((thrown as Error).message).toBe('The service "db" ended with exit code 1 while it was needed.');
});

it('a run whose place is lost while its services are stopped tells that, since a service may still be there', async () => {
  const thrown = (await refusal(new PlaceLostError('The engine went away.'))) as Error;
  expect(thrown).toBeInstanceOf(PlaceLostError);
  expect(thrown.message).toBe('The engine went away.');
  expect((thrown.cause as Error).message).toBe('There is no client.');
});

it('a service that could not be stopped after a failed start of its client is told with the reason', async () => {
  const thrown = (await refusal(new MeasureError('It is still there.'))) as Error;
  expect(thrown).not.toBeInstanceOf(PlaceLostError);
  expect(thrown.message).toBe('There is no client. It is still there.');
});
