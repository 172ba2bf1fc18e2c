// Class: system.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Executor } from '../../../src/executors/executor.ts';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import { listensIn } from '../../../src/executors/services/listeners.ts';
import { EngineLine } from '../../hosts/engine-line.ts';
import { Bench, container, docker, eventually, testImage } from '../bench.ts';

const IMAGE = 'joulediff-test:busybox';
const given = process.env.DOCKER_HOST;

let bench: Bench;
let line: EngineLine;
beforeAll(async () => {
  await testImage(IMAGE);
});
beforeEach(async () => {
  bench = new Bench();
  line = await EngineLine.open(bench.path('docker.sock'));
  process.env.DOCKER_HOST = `unix://${line.path}`;
});
afterEach(async () => {
  line.refuses = () => false;
  await bench.end();
  if (given === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = given;
  await line[Symbol.asyncDispose]();
  await bench.close();
});

const SERVICE = { name: 'server', env: {}, workdir: null, stop: { signal: 'SIGKILL', withinS: 10 } } as const;
const isRunning = async () => (await bench.containers()).some(({ State: state }) => state === 'running');

it('tells of a cleanup that is left out because the container had to end with its run', async () => {
  const executor = await bench.ready(container(IMAGE, { run: 'sleep 300', cleanup: 'true' }));
  const end = new AbortController();
  const run = await executor.prepare({ ...bench.context(), signal: end.signal, stop: bench.stop.signal });
  const running = run.execute({ onEdge() {} }).catch(() => {});
  await eventually(isRunning);
  end.abort(new Error('the meter was lost'));
  await running;
  await run.dispose();
  expect(bench.lines).toContainEqual(
    expect.stringMatching(
      /^The cleanup of variant "container" was not run after run \d+, since its container had to end/,
    ),
  );
});

describe('recovery after an engine went away', () => {
  /** An executor whose run goes on in an engine that was gone for a moment. */
  async function interrupted(): Promise<Executor> {
    const executor = await bench.ready(container(IMAGE, { run: 'sleep 300' }));
    const run = await executor.prepare(bench.context());
    const lost = expect(run.execute({ onEdge() {} })).rejects.toThrow(PlaceLostError);
    await eventually(isRunning);
    line.stop();
    await lost;
    await run.dispose().catch(() => {});
    await line.start();
    return executor;
  }

  it('removes what the run left, although the engine neither lists nor removes anything at first', async () => {
    const executor = await interrupted();
    let lists = 0;
    let removals = 0;
    line.refuses = (request) =>
      (request.startsWith('GET /containers/json') && ++lists === 1) ||
      // Each removal is tried five times.
      (request.startsWith('DELETE /containers/') && ++removals <= 6);
    await executor.recover?.(bench.stop.signal);
    expect(await bench.containers()).toEqual([]);
  });

  it('is not over while something is left', async () => {
    const executor = await interrupted();
    line.refuses = (request) => request.startsWith('DELETE /containers/');
    const recovering = executor.recover?.(bench.stop.signal);
    const refused = expect(recovering).rejects.toBe('the end of the test');
    await sleep(6000);
    bench.stop.abort('the end of the test');
    await refused;
    expect(await bench.containers()).toHaveLength(1);
  });

  it('leaves a service alone that lasts as long as the experiment', async () => {
    const executor = await bench.ready(container(IMAGE, {}));
    const context = { ...bench.context(), joins: null, runId: 0 };
    const service = await executor.makeService({ ...SERVICE, run: 'sleep 300' }, context);
    await service.start();
    await executor.recover?.(bench.stop.signal);
    expect(await isRunning()).toBe(true);
    await service.stop(10);
    expect(await bench.containers()).toEqual([]);
  });
});

it('an end from outside is known by an event that comes in pieces', async () => {
  line.isSlow = true;
  await line.start();
  const executor = await bench.ready(container(IMAGE, { run: 'trap "sleep 1; exit 3" TERM; sleep 300 & wait' }));
  const run = await executor.prepare(bench.context());
  const refused = expect(run.execute({ onEdge() {} })).rejects.toThrow(PlaceLostError);
  await eventually(isRunning);
  const [{ Id: id = '' } = {}] = await bench.containers();
  await docker.getContainer(id).kill({ signal: 'SIGTERM' });
  await refused;
  await run.dispose().catch(() => {});
});

it('a container that the engine can’t end at its time limit is removed, and the run is over', async () => {
  const executor = await bench.ready(container(IMAGE, { run: 'sleep 300', timeoutS: 0.5 }));
  line.refuses = (request) => /^POST \/containers\/\w+\/kill/.test(request);
  const run = await executor.prepare(bench.context());
  expect(await run.execute({ onEdge() {} })).toMatchObject({ timedOut: true });
  await run.dispose();
  expect(await bench.containers()).toEqual([]);
});

it('a container whose events can’t be followed is removed', async () => {
  const executor = await bench.ready(container(IMAGE, {}));
  line.refuses = (request) => request.startsWith('GET /events');
  await expect(executor.prepare(bench.context())).rejects.toThrow('busy');
  const made = executor.makeService({ ...SERVICE, run: 'true' }, { ...bench.context(), joins: null });
  await expect(made).rejects.toThrow('busy');
  expect(await bench.containers()).toEqual([]);
});

it('a process with the number of a container’s first one, as in an engine elsewhere, does not answer for it', async () => {
  const executor = await bench.ready(container(IMAGE, {}));
  const run = 'exec httpd -f -p 8080';
  const service = await executor.makeService({ ...SERVICE, run }, { ...bench.context(), joins: null });
  const here = createServer().listen(0, '127.0.0.1');
  await once(here, 'listening');
  const { port } = here.address() as AddressInfo;
  try {
    await service.start();
    await eventually(() => service.listens(8080));
    const [{ Id: id = '' } = {}] = await bench.containers();
    const { Pid: pid } = (await docker.getContainer(id).inspect()).State;
    expect(listensIn(id, pid, 8080)).toBe(true);
    expect(listensIn(id, pid, port)).toBe(false);
    expect(listensIn(id, process.pid, port)).toBe(false);
  } finally {
    here.close();
    await service.stop(10);
  }
});
