// Class: world, long.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Execution } from '../../src/contracts/execution.ts';
import { Stopped } from '../../src/errors.ts';
import type { PreparedRun } from '../../src/executors/executor.ts';
import type { ServiceError } from '../../src/executors/services/failures.ts';
import { parseExperiment } from '../../src/experiment/read.ts';
import type { Counted, Counter } from '../../src/findings/resources.ts';
import { setUpPlaces } from '../../src/measure/places.ts';
import { RunGroup } from '../../src/processes/run-group.ts';
import { serviceLog } from '../../src/system/result-files.ts';
import { Bench, docker, eventually, testImage } from '../executors/bench.ts';

const IMAGE = `joulediff-test/services-${process.pid}`;
const bench = new Bench();

beforeAll(async () => {
  await testImage(IMAGE, ['RUN ["/bin/busybox", "mkdir", "/tmp"]']);
  await bench.file('www/index.html', 'a page');
});
afterAll(async () => {
  await bench.close();
  await docker.getImage(IMAGE).remove({ force: true });
});

async function listening(): Promise<Server> {
  const server = createServer((_, answer) => answer.end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

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

interface Ran {
  readonly execution: Execution | null;
  readonly thrown: (Error & Partial<Pick<ServiceError, 'problem' | 'advice'>>) | null;
  readonly services: PreparedRun['services'];
  readonly printed: string;
  /** What was counted, by name. */
  readonly used: Readonly<Partial<Record<Counter, Counted>>>;
  readonly notes: readonly string[];
  serviceLog(name: string): string;
}

let runs = 0;

/** One run of a variant, from its services' start to their end. */
async function runOnce(
  file: object,
  variant = 'native',
  during?: (run: PreparedRun) => Promise<void>,
  signal = bench.stop.signal,
): Promise<Ran> {
  const text = JSON.stringify({ rest: 0, guard: 0, variants: { native: {}, other: { run: 'true' } }, ...file });
  const experiment = parseExperiment(text, { file: 'joulediff.yml', directory: bench.folder });
  const notes: string[] = [];
  const note = (line: string): void => void notes.push(line);
  const logFile = bench.path(`${++runs}.log`);
  let execution: Execution | null = null;
  let run: PreparedRun | null = null;
  let thrown: Ran['thrown'] = null;
  let used: Ran['used'] = {};
  try {
    await using places = await setUpPlaces(bench.experimentId, {
      experiment: { ...experiment, variants: experiment.variants.filter(({ name }) => name === variant) },
      progress: { note, warn: note, status() {}, end() {} },
      folder: bench.folder,
      recorded: null,
      signal,
    });
    const executor = places.executors.get(variant);
    if (executor === undefined) throw new Error('no such variant');
    run = await executor.prepare({ ...bench.context(), logFile, signal });
    try {
      await during?.(run);
      execution = await run.execute({ onEdge() {} });
      const { counters = [] } = (await run.telemetry?.())?.usage ?? {};
      used = Object.fromEntries(counters.map((one) => [one.counter, one]));
    } finally {
      await run.dispose();
    }
  } catch (error) {
    thrown = error as Ran['thrown'];
  }
  const read = (path: string): string => readFileSync(path, 'utf8');
  return {
    execution,
    thrown,
    notes,
    used,
    services: run?.services,
    printed: execution === null ? '' : read(logFile),
    serviceLog: (name) => read(serviceLog(logFile, name)),
  };
}

/** In a container, the first process is not ended by a signal that it has no handler for. */
const KILL = { signal: 'SIGKILL' };
const httpd = (port: number) => `echo begun; exec busybox httpd -f -p ${port} -h "$WWW"`;
const get = (port: number) => `busybox wget -q -O - http://127.0.0.1:${port}/`;

describe('a service', () => {
  const containers = { container: { image: IMAGE, pull: 'never', env: { WWW: '/www' }, volumes: ['./www:/www'] } };
  const variants = { native: { env: { WWW: './www' } }, ...containers };

  it.each([
    ['native', { tcp: true }],
    ['container', { tcp: true }],
    ['native', { http: true }],
    ['container', { http: true }],
    ['native', { log: 'begun' }],
    ['container', { log: 'begun' }],
    ['native', { command: true }],
    ['container', { command: true }],
  ])('in the place of %s, ready by %j, is loaded by a client there, and nothing of it stays', async (name, by) => {
    const port = await freePort();
    const ready = {
      ...by,
      ...('tcp' in by && { tcp: port }),
      ...('http' in by && { http: `http://localhost:${port}/` }),
      ...('command' in by && { command: get(port) }),
    };
    // What is only printed before the server listens says nothing of that: the client asks until it is there.
    const run = 'log' in by ? `until ${get(port)}; do sleep 0.1; done` : get(port);
    const { execution, printed, services, thrown, serviceLog } = await runOnce(
      { variants, workload: { run }, services: { server: { run: httpd(port), ready, stop: KILL } } },
      name,
    );
    expect(thrown).toBeNull();
    expect(execution).toMatchObject({ exitCode: 0, timedOut: false });
    expect(printed).toContain('a page');
    expect(services).toEqual([
      { service: 'server', readyS: expect.any(Number), stopS: expect.any(Number), ended: 'stopped' },
    ]);
    expect(serviceLog('server')).toContain('begun');
    expect(bench.hasProcesses()).toBe(false);
    expect(await bench.containers()).toEqual([]);
  });
});

/** Some tenths of a second of a processor. */
const WORK = 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done';

const MIB = 2 ** 20;

/** Others than root may not look everywhere; what they can't see has a reason. */
function expectKnown(one: Counted | undefined, least: number): void {
  if (process.getuid?.() !== 0 && one?.value === null) expect(one.missing).toMatch(/^(not-allowed|no-memory-group)$/);
  else expect(one?.value).toBeGreaterThan(least);
}

describe('the resources of services', () => {
  const containers = {
    container: { image: IMAGE, pull: 'never', volumes: ['./shared:/shared'], env: { AT: '/shared' } },
  };
  const variants = { native: { env: { AT: './shared' } }, ...containers };
  const given = (server: string, run: string, more: object = {}) => ({
    variants,
    workload: { run },
    ...more,
    services: { server: { run: server, ready: { log: 'begun' }, stop: KILL } },
  });
  // A child that is waited for works, and so does the service itself.
  const asked = `echo begun; until [ -e $AT/go ]; do sleep 0.05; done; (${WORK}); ${WORK}; touch $AT/done; exec sleep 1000`;
  const ask = 'touch $AT/go; until [ -e $AT/done ]; do sleep 0.05; done; rm $AT/go $AT/done';

  it.each([
    'native',
    'container',
  ])('in the place of %s is what they used in the window, and not before it', async (name) => {
    await bench.file('shared/here', '');
    const before = await runOnce(given(`${WORK}; echo begun; exec sleep 1000`, 'true'), name);
    expect(before.thrown).toBeNull();
    const during = await runOnce(given(asked, ask), name);
    expect(during.thrown).toBeNull();
    const whole = await runOnce(given(`${WORK}; echo begun; exec sleep 1000`, 'true', { window: 'service' }), name);
    expect(whole.thrown).toBeNull();
    const cpuS = ({ used }: Ran) => used.services_cpu_s?.value ?? Number.NaN;
    const halfS = cpuS(whole) / 2;
    expect(halfS).toBeGreaterThan(0);
    expect(cpuS(before)).toBeGreaterThanOrEqual(0);
    expect(cpuS(before)).toBeLessThan(halfS);
    expect(cpuS(during)).toBeGreaterThan(halfS);
  });

  it.each([
    ['native', 'shared-network'],
    ['container', 'client-network'],
  ])('in the place of %s are their memory and bytes too, which are none of the client’s', async (name, network) => {
    await bench.file('shared/here', '');
    const fill = 'busybox dd if=/dev/zero of=$AT/filled bs=32M count=1 2> /dev/null';
    const server = `echo begun; until [ -e $AT/go ]; do sleep 0.05; done; ${fill}; touch $AT/done; exec sleep 1000`;
    const { thrown, used } = await runOnce(given(server, ask), name);
    expect(thrown).toBeNull();
    expectKnown(used.services_peak_memory_bytes, 32 * MIB);
    expectKnown(used.services_written_bytes, 32 * MIB - 1);
    expectKnown(used.services_read_bytes, -1);
    expect(used.services_sent_bytes).toEqual({ counter: 'services_sent_bytes', value: null, missing: network });
  });

  it('is nothing where there are none', async () => {
    const { thrown, used } = await runOnce({ workload: { run: 'true' } });
    expect(thrown).toBeNull();
    expect(Object.keys(used).filter((name) => name.startsWith('services_'))).toEqual([]);
  });
});

describe('a service on the host', () => {
  it('is reached by a client on the host through the port that a container publishes', async () => {
    const port = await freePort();
    const variants = {
      native: {},
      bridge: { image: IMAGE, pull: 'never', network: 'bridge', ports: [`127.0.0.1:${port}:8080`], workdir: '/bin' },
    };
    await bench.file('clients/word', 'in the folder of the client\n');
    const run = 'echo in $PWD > page; exec busybox httpd -f -p 8080';
    const { printed, thrown } = await runOnce(
      {
        variants,
        workload: {
          run: `cat word; busybox wget -q -O - http://127.0.0.1:${port}/page`,
          place: 'host',
          workdir: 'clients',
        },
        services: { server: { run, ready: { tcp: 8080 }, stop: KILL } },
      },
      'bridge',
    );
    expect(thrown).toBeNull();
    expect(printed).toBe('in the folder of the client\nin /bin\n');
  });

  it.each([
    ['native', 'host', 'workload'],
    ['host-network', 'host', 'workload'],
    ['bridge', 'host', 'workload'],
    ['bridge', 'host', 'service'],
    ['bridge', 'variant', 'workload'],
  ])('of %s tells a client in the place of the %s its address, with window: %s', async (name, place, window) => {
    const port = await freePort();
    const variants = {
      native: {},
      'host-network': { image: IMAGE, pull: 'never', network: 'host' },
      bridge: { image: IMAGE, pull: 'never', network: 'bridge' },
    };
    const server = `echo inside > page-${name}; exec busybox httpd -f -p ${port}`;
    const { printed, thrown } = await runOnce(
      {
        variants,
        window,
        workload: { run: `busybox wget -q -O - "http://$JOULEDIFF_SERVICE_HOST:${port}/page-${name}"`, place },
        services: { server: { run: server, ready: { tcp: port }, stop: KILL } },
      },
      name,
    );
    expect(thrown).toBeNull();
    expect(printed).toBe('inside\n');
  });

  it('serves a client in a container of the network of the host', async () => {
    const port = await freePort();
    const { printed, thrown } = await runOnce(
      {
        variants: { native: {}, inside: { image: IMAGE, pull: 'never', network: 'host' } },
        workload: { run: get(port) },
        services: { server: { run: `busybox httpd -f -p ${port} -h www`, place: 'host', ready: { tcp: port } } },
      },
      'inside',
    );
    expect(thrown).toBeNull();
    expect(printed).toBe('a page');
  });

  it('that lasts as long as the experiment is there for every run, and ended with it', async () => {
    const port = await freePort();
    const server = { run: `echo once >> starts; exec busybox httpd -f -p ${port} -h www`, ready: { tcp: port } };
    const { printed, thrown, services } = await runOnce(
      { workload: { run: get(port) }, services: { server: { ...server, place: 'host', lifetime: 'experiment' } } },
      'native',
      async () => expect(bench.hasProcesses()).toBe(true),
    );
    expect(thrown).toBeNull();
    expect(printed).toBe('a page');
    expect(services).toEqual([]);
    expect(readFileSync(bench.path('starts'), 'utf8')).toBe('once\n');
    expect(bench.hasProcesses()).toBe(false);
  });
});

describe('several services', () => {
  it('start in the order of the file and end in reverse', async () => {
    const service = (name: string) => ({
      run: `echo ${name} begins >> order; trap 'echo ${name} ends >> order; exit' TERM; echo ready; while :; do sleep 0.05; done`,
      ready: { log: '^ready$' },
    });
    const { thrown } = await runOnce({
      workload: { run: 'echo client >> order' },
      services: { zebra: service('zebra'), antelope: service('antelope') },
    });
    expect(thrown).toBeNull();
    const order = readFileSync(bench.path('order'), 'utf8').trim().split('\n');
    expect(order).toEqual(['zebra begins', 'antelope begins', 'client', 'antelope ends', 'zebra ends']);
  });

  it('are each ended by their own signal, and not by the end of another', async () => {
    const database =
      "trap 'echo TERM > ended' TERM; trap 'echo INT > ended; exit' INT; echo ready; while :; do sleep 0.05; done";
    const { thrown, services } = await runOnce({
      workload: { run: ':' },
      services: {
        database: { run: database, ready: { log: '^ready$' }, stop: { signal: 'SIGINT' } },
        server: { run: 'exec sleep 300' },
      },
    });
    expect(thrown).toBeNull();
    expect(services).toMatchObject([{ ended: 'stopped' }, { ended: 'stopped' }]);
    expect(readFileSync(bench.path('ended'), 'utf8')).toBe('INT\n');
  });

  it('that wait for each other are told to do so', async () => {
    const waiting = (mine: number, other: number) => ({
      run: `until ${get(other)} 2>/dev/null; do sleep 0.1; done; exec busybox httpd -f -p ${mine}`,
      ready: { tcp: mine, within: 0.5 },
    });
    const [a, b] = [await freePort(), await freePort()];
    const { thrown } = await runOnce({ workload: { run: ':' }, services: { a: waiting(a, b), b: waiting(b, a) } });
    expect(thrown?.problem).toBe('service-not-ready');
    expect(thrown?.message).toBe(`The service "a" was not ready within 0.5 s: nothing listens on port ${a}.`);
    expect(thrown?.advice).toContain('It starts before "b"');
    expect(bench.hasProcesses()).toBe(false);
  });
});

const probe = new RunGroup('services', { pids: null, memoryBytes: 2 ** 30 });
const kindsWithMemory = probe.held().memoryBytes === null ? ['container'] : ['native', 'container'];
probe.remove();

describe('a service that is not there', () => {
  const failing = (server: object, run = 'sleep 300') => runOnce({ workload: { run }, services: { server } });

  it('is told with the end of its output when it never becomes ready', async () => {
    const { thrown } = await failing({
      run: 'echo waiting for nothing; sleep 300',
      ready: { log: 'ready', within: 1.0015 },
    });
    expect(thrown?.problem).toBe('service-not-ready');
    expect(thrown?.message).toContain('"server" was not ready within 1.0015 s: it did not print "ready".');
    expect(thrown?.message).toContain('waiting for nothing');
    expect(bench.hasProcesses()).toBe(false);
  });

  it('is told with the status that it answered', async () => {
    const port = await freePort();
    const ready = { http: `http://127.0.0.1:${port}/none`, within: 2 };
    const { thrown } = await failing({ run: `busybox httpd -f -p ${port} -h www`, ready });
    expect(thrown?.message).toContain(`http://127.0.0.1:${port}/none answered with status 404, not 200`);
  });

  it('ends a client that would wait for it, when it dies in the window', async () => {
    const { thrown, services, execution } = await failing(
      { run: 'echo dying; until [ -e in-window ]; do sleep 0.02; done; exit 7' },
      'touch in-window; sleep 300',
    );
    expect(execution).toBeNull();
    expect(thrown?.problem).toBe('service-died');
    expect(thrown?.message).toBe(
      'The service "server" ended with exit code 7 while it was needed.\nIts last output:\n  dying',
    );
    expect(services).toMatchObject([{ service: 'server', stopS: null, ended: 'died' }]);
    expect(bench.hasProcesses()).toBe(false);
  });

  it.each(kindsWithMemory)('tells that it met its limit of memory, %s', async (variant) => {
    const limited = { native: { memory: '32m' }, container: { image: IMAGE, pull: 'never', memory: '32m' } };
    const variants = variant === 'native' ? limited : { ...limited, native: {} };
    const services = { server: { run: ['tail', '/dev/zero'] } };
    const { thrown } = await runOnce({ variants, workload: { run: 'sleep 300' }, services }, variant);
    expect(thrown?.message).toMatch(
      /"server" ended .*: (one of its processes was ended because|it was killed, perhaps because) memory ran out: .*see the key memory/,
    );
  });

  it('is why its client fails, and not what the client makes of it', async () => {
    const { thrown } = await failing(
      { run: 'echo $$ > pid; echo ready; until [ -e go ]; do sleep 0.02; done; kill -9 $$', ready: { log: 'ready' } },
      'touch go; while kill -0 $(cat pid); do sleep 0.02; done; exit 1',
    );
    expect(thrown?.message).toContain('"server" ended by signal SIGKILL while it was needed');
  });

  it('dies in a container as well', async () => {
    const { thrown } = await runOnce(
      {
        variants: { native: {}, container: { image: IMAGE, pull: 'never', network: 'none' } },
        workload: { run: 'sleep 300' },
        services: { server: { run: 'echo dying; sleep 0.5; exit 7' } },
      },
      'container',
    );
    expect(thrown?.message).toContain(
      '"server" ended with exit code 7 while it was needed.\nIts last output:\n  dying',
    );
    expect(await bench.containers()).toEqual([]);
  });

  it('is told when its program is not there', async () => {
    const { thrown } = await failing({ run: ['no-such-server'] });
    expect(thrown?.message).toContain('The service "server" could not be started: "no-such-server" was not found');
  });

  it('is told to stay in the foreground when it forks away, and what it left is ended', async () => {
    const port = await freePort();
    const { thrown } = await failing({ run: ['busybox', 'httpd', '-p', String(port)], ready: { tcp: port } });
    expect(thrown?.message).toContain(
      'put itself into the background: it ended with exit code 0 and left busybox running',
    );
    expect(bench.hasProcesses()).toBe(false);
  });

  it('is not started where somebody listens on its port already, who is named', async () => {
    const server = await listening();
    const { port } = server.address() as AddressInfo;
    const { thrown } = await failing({ run: `busybox httpd -f -p ${port}`, ready: { tcp: port } });
    server.close();
    expect(thrown?.problem).toBe('port-taken');
    expect(thrown?.message).toContain(`"server" was not started: port ${port} is taken already: `);
    expect(thrown?.message).toContain(`, process ${process.pid}, listens there.`);
  });
});

describe('a service in a container that is not there', () => {
  const inside = (services: object, more: object = {}) =>
    runOnce(
      {
        variants: { native: {}, container: { image: IMAGE, pull: 'never', network: 'none', ...more } },
        workload: { run: 'sleep 300' },
        services,
      },
      'container',
    );

  it('is told with the end of its output when it never becomes ready', async () => {
    const { thrown } = await inside({
      server: { run: 'echo waiting; sleep 300', ready: { log: 'ready', within: 2 }, stop: KILL },
    });
    expect(thrown?.problem).toBe('service-not-ready');
    expect(thrown?.message).toBe(
      'The service "server" was not ready within 2 s: it did not print "ready".\nIts last output:\n  waiting',
    );
    expect(await bench.containers()).toEqual([]);
  });

  it('is told to stay in the foreground when it forks away', async () => {
    const { thrown } = await inside({ server: { run: ['busybox', 'httpd', '-p', '8080'], ready: { log: 'never' } } });
    expect(thrown?.message).toContain('"server" ended with exit code 0 before it was ready');
    expect(thrown?.advice).toContain('A service stays in the foreground until it is stopped');
    expect(await bench.containers()).toEqual([]);
  });

  it('is told to be waited for by one that it waits for itself', async () => {
    const waiting = (mine: number, other: number) => ({
      run: `until ${get(other)} 2> /dev/null; do sleep 0.1; done; exec busybox httpd -f -p ${mine}`,
      ready: { tcp: mine, within: 1 },
      stop: KILL,
    });
    const { thrown } = await inside({ a: waiting(8081, 8082), b: waiting(8082, 8081) });
    expect(thrown?.message).toContain('The service "a" was not ready within 1 s: nothing listens on port 8081.');
    expect(thrown?.advice).toContain('It starts before "b"');
    expect(await bench.containers()).toEqual([]);
  });

  it('is not started where somebody listens on the port that it would publish, who is named', async () => {
    const server = await listening();
    const { port } = server.address() as AddressInfo;
    const more = { network: 'bridge', ports: [`127.0.0.1:${port}:8080`] };
    const { thrown } = await inside({ server: { run: 'busybox httpd -f -p 8080', ready: { tcp: 8080 } } }, more);
    server.close();
    expect(thrown?.problem).toBe('port-taken');
    expect(thrown?.message).toContain(`, process ${process.pid}, listens there.`);
    expect(await bench.containers()).toEqual([]);
  });
});

describe('a service that ends', () => {
  it('and leaves a child is told of it, and the child is ended', async () => {
    const { thrown, notes } = await runOnce({
      workload: { run: ':' },
      services: {
        server: {
          run: 'setsid sleep 300 & trap exit TERM; echo ready; while :; do sleep 0.05; done',
          ready: { log: 'ready' },
        },
      },
    });
    expect(thrown).toBeNull();
    expect(notes.join()).toMatch(/The service "server" ended and left (?:sleep|setsid|sh) running, which was ended\./);
    expect(bench.hasProcesses()).toBe(false);
  });

  it('after the shell that started it has the time to do so', async () => {
    await bench.file(
      'slow.sh',
      "trap 'sleep 0.5; echo written > written; exit' TERM; echo ready; while :; do sleep 0.05; done",
    );
    const { thrown, services, notes } = await runOnce({
      workload: { run: ':' },
      services: { server: { run: 'sh slow.sh; true', ready: { log: 'ready' } } },
    });
    expect(thrown).toBeNull();
    expect(services).toMatchObject([{ ended: 'stopped' }]);
    expect(readFileSync(bench.path('written'), 'utf8')).toBe('written\n');
    expect(notes.filter((note) => note.includes('server'))).toEqual([]);
  });

  it('not in time is killed, and that is told', async () => {
    const { services, notes } = await runOnce({
      workload: { run: ':' },
      services: {
        server: {
          run: "trap '' TERM; echo ready; while :; do sleep 0.05; done",
          ready: { log: 'ready' },
          stop: { within: 0.2 },
        },
      },
    });
    expect(services).toMatchObject([{ ended: 'killed' }]);
    expect(notes.join()).toContain('"server" did not end within 0.2 s of SIGTERM and was killed');
  });
});

it.each(['native', 'container'])('a stop of the program ends client and services in the place of %s', async (name) => {
  const stop = new AbortController();
  const server = { run: 'trap "" TERM; while :; do sleep 0.05; done', stop: { within: 60 } };
  await bench.file('shared/there', '');
  const running = runOnce(
    {
      variants: {
        native: {},
        container: { image: IMAGE, pull: 'never', network: 'none', workdir: '/', volumes: ['./shared:/shared'] },
      },
      workload: { run: `touch shared/${name}; sleep 300` },
      services: { server, other: server },
    },
    name,
    undefined,
    stop.signal,
  );
  await eventually(() => existsSync(bench.path(`shared/${name}`)));
  stop.abort(new Stopped('SIGTERM'));
  await running;
  expect(bench.hasProcesses()).toBe(false);
  expect(await bench.containers()).toEqual([]);
});

it('with window: service, the window holds their start and their end', async () => {
  const run = "trap 'sleep 0.3; exit' TERM; sleep 0.4; echo ready; while :; do sleep 0.01; done";
  const { execution, services } = await runOnce({
    window: 'service',
    workload: { run: ':' },
    services: { server: { run, ready: { log: 'ready' } } },
  });
  const { readyS = 0, stopS = 0 } = (services?.[0] ?? {}) as { readyS?: number; stopS?: number };
  const windowS = Number(execution!.endNs - execution!.startNs) / 1e9;
  expect(readyS).toBeGreaterThan(0.4);
  expect(stopS).toBeGreaterThan(0.3);
  expect(windowS).toBeGreaterThan(readyS + stopS);
});

describe('what services cannot be', () => {
  const inside = { native: {}, inside: { image: 'x' } };
  it.each([
    [
      { services: { a: { run: ':', ready: {} } } },
      'services.a.ready: it takes one of tcp, http, log, command, and none of them was given',
    ],
    [
      { services: { a: { run: ':', ready: { tcp: 1, log: 'x' } } } },
      'services.a.ready: it takes one of tcp, http, log, command, and tcp and log were given',
    ],
    [
      { services: { a: { run: ':', ready: { tcp: 1, status: 200 } } } },
      'services.a.ready.status: it is the status of an answer to http, which was not given',
    ],
    [{ window: 'service' }, 'window: "service" was given, and no service is started in a run'],
    [
      { window: 'service', services: { a: { run: ':' } }, workload: { run: ':', prepare: ':' } },
      "prepare can't be run outside of it while they are there; leave prepare out",
    ],
    [
      { workload: { run: ':', place: 'host' }, variants: inside },
      'workload.place: "host" was given, and nothing would run in "inside": there is no service with place: variant',
    ],
    [
      { variants: { native: {}, inside: { image: 'x', network: 'host', ports: ['80:80'] } } },
      'variants.inside.ports: ports are published from a network of the container\'s own, and network is "host"; leave one of them out',
    ],
    [
      { services: { a: { run: ':', place: 'elsewhere' } } },
      'services.a.place: "elsewhere" was given; it must be "variant", "host", or another machine as ssh knows it',
    ],
    [
      { metrics: { a: { line: 'no number', unit: 's' } } },
      'metrics.a.line: "no number" was given; it must be a line of the output with one *',
    ],
    [
      { metrics: { a: { line: 'n *', unit: 's' } }, batch: 5 },
      'batch: metrics are what one execution prints, and a window would hold several; leave batch or metrics out',
    ],
  ])('%j is refused', (file, sentence) => {
    const text = JSON.stringify({ workload: { run: ':' }, variants: { a: {}, b: {} }, ...file });
    expect(() => parseExperiment(text, { file: 'joulediff.yml', directory: '/' })).toThrow(sentence);
  });
});
