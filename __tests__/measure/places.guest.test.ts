// Class: world, long.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Execution } from '../../src/contracts/execution.ts';
import type { PreparedRun } from '../../src/executors/executor.ts';
import type { ServiceError } from '../../src/executors/services/failures.ts';
import { parseExperiment } from '../../src/experiment/read.ts';
import { setUpPlaces } from '../../src/measure/places.ts';
import { serviceLog } from '../../src/system/result-files.ts';
import { Bench, eventually } from '../executors/bench.ts';
import { GUEST, type GuestSystem, guestSystem } from '../executors/vm/guest-system.ts';

// Real guests, whose processors QEMU emulates: Debian's kernel and a busybox.

interface Ran {
  readonly execution: Execution | null;
  readonly thrown: (Error & Partial<Pick<ServiceError, 'problem' | 'advice'>>) | null;
  readonly services: PreparedRun['services'];
  readonly printed: string;
  readonly counters: ReadonlyMap<string, number | null>;
  readonly notes: readonly string[];
  serviceLog(name: string): string;
}

(GUEST === '' ? describe.skip : describe)('a service in a guest (needs QEMU and Debian’s kernel)', () => {
  const bench = new Bench();
  let folder: string;
  let system: GuestSystem;
  let tmpBefore: string | undefined;
  let runs = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-guest-services-'));
    system = guestSystem(folder);
    tmpBefore = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    await bench.file('www/index.html', 'a page\n');
  });
  afterAll(async () => {
    if (tmpBefore === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = tmpBefore;
    rmSync(folder, { recursive: true, force: true });
    await bench.close();
  });

  async function runOnce(file: object): Promise<Ran> {
    const guest = { vm: { ...system, cpus: 1, memory: '192m', accel: 'tcg', append: 'quiet', within: '5m' } };
    const text = JSON.stringify({ rest: 0, guard: 0, variants: { guest, other: {} }, ...file });
    const experiment = parseExperiment(text, { file: 'joulediff.yml', directory: bench.folder });
    const { signal } = bench.stop;
    const notes: string[] = [];
    const note = (line: string): void => void notes.push(line);
    const logFile = bench.path(`${++runs}.log`);
    let execution: Execution | null = null;
    let run: PreparedRun | null = null;
    let thrown: Ran['thrown'] = null;
    let counters: Ran['counters'] = new Map();
    try {
      await using places = await setUpPlaces(bench.experimentId, {
        experiment: { ...experiment, variants: experiment.variants.filter(({ name }) => name === 'guest') },
        progress: { note, warn: note, status() {}, end() {} },
        folder: bench.folder,
        recorded: null,
        signal,
      });
      run = (await places.executors.get('guest')?.prepare({ ...bench.context(), logFile, signal })) ?? null;
      if (run === null) throw new Error('no such variant');
      try {
        execution = await run.execute({ onEdge() {} });
        execution = (await run.settle?.(execution)) ?? execution;
        const { usage = null } = (await run.telemetry?.()) ?? {};
        counters = new Map((usage?.counters ?? []).map(({ counter, value }) => [counter, value]));
      } finally {
        await run.dispose();
      }
    } catch (error) {
      thrown = error as Ran['thrown'];
    }
    await eventually(() => !bench.hasProcesses());
    expect(readdirSync(folder).filter((name) => name.startsWith('joulediff-guest-'))).toEqual([]);
    const read = (path: string): string => readFileSync(path, 'utf8');
    return {
      execution,
      thrown,
      counters,
      notes,
      services: run?.services,
      printed: execution === null ? '' : read(logFile),
      serviceLog: (name) => read(serviceLog(logFile, name)),
    };
  }

  /** A shell that ends only when its server has, and says so. */
  const server = (port: number) =>
    `trap 'kill $!; wait; echo closed; exit 0' TERM; httpd -f -p ${port} -h www & echo begun; wait`;
  const get = (port: number) => `busybox wget -q -O - "http://$JOULEDIFF_SERVICE_HOST:${port}/"`;
  const STOPPED = { readyS: expect.any(Number), stopS: expect.any(Number), ended: 'stopped' };

  it.each([
    'run',
    'experiment',
  ])('is loaded by a client on the host, once for every %s, and ends in order', async (lifetime) => {
    const port = await freePort();
    const ran = await runOnce({
      workload: { run: `echo "from $JOULEDIFF_SERVICE_HOST"; ${get(port)}; ${get(port)}`, place: 'host' },
      services: {
        server: { run: server(port), ready: { tcp: port }, lifetime },
      },
    });
    expect(ran.thrown).toBeNull();
    expect(ran.execution).toMatchObject({ exitCode: 0 });
    expect(ran.printed).toBe('from 127.0.0.1\na page\na page\n');
    // What QEMU's process used is what the service cost.
    expect(ran.counters.get('services_cpu_s')).toBeGreaterThan(0);
    if (lifetime === 'experiment') return;
    expect(ran.services).toEqual([{ service: 'server', ...STOPPED }]);
    expect(ran.serviceLog('server')).toBe('begun\nclosed\n');
  });

  it('shares its guest with others and with a client in it, which find each other there', async () => {
    const [port, other] = [await freePort(), await freePort()];
    const ran = await runOnce({
      workload: { run: `uname -n; ${get(port)}; ${get(other)}`, prepare: get(port), timeout: '2m' },
      services: {
        a: { run: server(port), ready: { log: 'begun' } },
        // Its name begins with that of the other one, which is not ended with it.
        'a.b': { run: `${server(other)}`, ready: { command: `netstat -ltn | grep -q ":${other} "` } },
        kept: { run: "trap '' TERM; while :; do sleep 1; done", stop: { within: '300ms' } },
      },
    });
    expect(ran.thrown).toBeNull();
    expect(ran.execution).toMatchObject({ exitCode: 0, leftRunning: null });
    expect(ran.printed).toBe('a page\n(none)\na page\na page\n');
    expect(ran.services).toEqual([
      { service: 'a', ...STOPPED },
      { service: 'a.b', ...STOPPED },
      { service: 'kept', ...STOPPED, ended: 'killed' },
    ]);
    expect(ran.serviceLog('a.b')).toBe('begun\nclosed\n');
    expect(ran.counters.has('services_cpu_s')).toBe(false);
  });

  it.each([
    ['host', 'sleep 600'],
    ['variant', 'sleep 600'],
  ])('ends its client with place: %s where it dies, and shows what it printed last', async (place, run) => {
    const port = await freePort();
    const dies = `httpd -p ${port} -h www; sleep 600 & sleep 1; echo "it is broken"; exit 3`;
    const { thrown } = await runOnce({
      workload: { run, place },
      services: { server: { run: dies, ready: { tcp: port } } },
    });
    expect(thrown).toMatchObject({ problem: 'service-died' });
    expect(thrown?.message).toBe(
      'The service "server" ended with exit code 3 while it was needed.\nIts last output:\n  it is broken',
    );
  });

  it('may not put itself into the background', async () => {
    const port = await freePort();
    const { thrown } = await runOnce({
      workload: { run: 'true', place: 'host' },
      services: {
        server: { run: ['httpd', '-p', String(port)], ready: { log: 'never' } },
        other: { run: 'sleep 600', ready: { tcp: port } },
      },
    });
    expect(thrown?.message).toBe(
      'The service "server" put itself into the background: it ended with exit code 0 and left httpd running, which was ended.',
    );
  });

  it('is not ready where only the guest itself reaches it, or nothing listens', async () => {
    const port = await freePort();
    const { thrown } = await runOnce({
      workload: { run: 'true', place: 'host' },
      services: {
        server: { run: `httpd -f -p 127.0.0.1:${port} -h www`, ready: { tcp: port, within: '2s' } },
      },
    });
    expect(thrown).toMatchObject({ problem: 'service-not-ready' });
    expect(thrown?.message).toBe(
      `The service "server" was not ready within 2 s: it listens on port ${port} of the guest's loopback address only, where a client on the host does not reach it.`,
    );
  });

  it('is not started where something on the host has its port', async () => {
    const taker = createServer();
    const port = await freePort();
    await new Promise<void>((done) => taker.listen(port, '127.0.0.1', done));
    try {
      const { thrown } = await runOnce({
        workload: { run: 'true', place: 'host' },
        services: { server: { run: server(port), ready: { tcp: port } } },
      });
      expect(thrown?.message).toMatch(/port \d+ is taken already/);
    } finally {
      taker.close();
    }
  });

  it('tells why its guest went away', async () => {
    const port = await freePort();
    const { thrown } = await runOnce({
      workload: { run: 'sleep 600', place: 'host' },
      services: {
        server: { run: `httpd -p ${port}; sleep 1; echo c >/proc/sysrq-trigger; sleep 600`, ready: { tcp: port } },
      },
    });
    expect(thrown?.message).toMatch(/^The guest of variant "guest" ended by itself: .*[\s\S]*Kernel panic/);
  });

  it.each([
    [
      { place: 'host' },
      { ready: { log: 'x' } },
      'a client on the host reaches a guest by the port that ready names, and it names none.',
    ],
    [
      {},
      { place: 'host' },
      'the client is in the guest, whose network leads nowhere, and which only lasts as long as a run.',
    ],
    [
      {},
      { lifetime: 'experiment' },
      'the client is in the guest, whose network leads nowhere, and which only lasts as long as a run.',
    ],
  ])('is refused where it could not be used: %j %j', async (workload, service, why) => {
    const { thrown } = await runOnce({
      workload: { run: 'true', ...workload },
      services: { server: { run: 'true', ...service } },
    });
    expect(thrown?.message).toBe(`The service "server" can’t be used with the guest of variant "guest": ${why}`);
  });
});

async function freePort(): Promise<number> {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const address = taken.address();
  await new Promise((done) => taken.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
