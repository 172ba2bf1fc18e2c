// Class: world, long.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { removeLabeled } from '../../../src/executors/container/labeled.ts';
import { makeRemoteContainerExecutor } from '../../../src/executors/container/remote.ts';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import { judge } from '../../../src/executors/leftovers/reaper.ts';
import { PLACE_LABEL } from '../../../src/hosts/helper.ts';
import { RemoteHost } from '../../../src/hosts/host.ts';
import { MACHINE_LABEL, machineMark, named, OWNER_LABEL } from '../../../src/processes/labels.ts';
import { nowNs } from '../../../src/system/clock.ts';
import { EngineLine } from '../../hosts/engine-line.ts';
import { type SecondMachine, SSHD, secondMachine } from '../../hosts/sshd.ts';
import { Bench, container, docker, eventually, isRunning, testImage } from '../bench.ts';

const { signal: never } = new AbortController();
const tag = `joulediff-remote-test:${randomUUID()}`;

// The second machine's engine is this one's, reached through the socket that ssh forwards.
(SSHD === null ? describe.skip : describe)('a container on another machine (needs openssh-server)', () => {
  let sut: SecondMachine;
  let bench: Bench;
  beforeAll(async () => {
    sut = secondMachine({ delayMs: 2, jitterMs: 2 });
    bench = new Bench();
    await testImage(tag);
  });
  afterAll(async () => {
    sut[Symbol.dispose]();
    await bench.close();
    await docker.getImage(tag).remove({ force: true });
  });

  const open = () => RemoteHost.open(sut.address, never, () => {}, { withEngine: true });
  const executorOf = (host: RemoteHost, run: string | string[], more = {}) =>
    makeRemoteContainerExecutor(container(tag, { run, ...more }), bench.environment(), host);

  test('has a window that holds what ran, on the clock here; what it prints is brought, and nothing is left', async () => {
    {
      await using host = await open();
      const executor = executorOf(host, 'cat /proc/uptime; sleep 0.3; cat /proc/uptime');
      const facts = await executor.setup(never);
      expect(facts).toMatchObject({ image: tag, host: 'sut', host_machine: expect.stringMatching(/^[0-9a-f]{16}$/) });
      const run = await executor.prepare(bench.context());
      const [running] = await bench.containers();
      expect(running?.Labels['joulediff.place']).toBe(host.connection.folder);
      const execution = await run.settle?.(await run.execute({ onEdge() {} }));
      expect(execution).toMatchObject({ exitCode: 0, timedOut: false, limit: null });
      await run.dispose();
      expect(await bench.containers()).toEqual([]);
      // /proc/uptime cuts off what is less than 10 ms, and runs beside the clock of windows at a distance that is looked at here.
      const [first = 0, last = 0] = bench
        .log()
        .split('\n')
        .map((line) => Math.round(100 * Number.parseFloat(line)));
      const [least, most] = uptimeAhead();
      const edgeNs = BigInt(Math.ceil(Number(execution?.clock?.edgeS) * 1e9));
      const ns = (hundredths: number) => BigInt(hundredths) * 10_000_000n;
      expect((execution?.startNs ?? 0n) - edgeNs).toBeLessThan(ns(first + 1) - least);
      expect((execution?.endNs ?? 0n) + edgeNs).toBeGreaterThan(ns(last) - most);
      expect(last - first).toBeGreaterThanOrEqual(29);
    }
    expect(sut.left()).toEqual([]);
  });

  test('whose connection is cut is ended and removed there, and another can run when it is back', async () => {
    await using host = await open();
    const executor = executorOf(host, 'trap "" TERM; sleep 600');
    await executor.setup(never);
    const run = await executor.prepare(bench.context());
    const running = run.execute({ onEdge() {} });
    running.catch(() => {});
    await eventually(async () => (await bench.containers())[0]?.State === 'running');
    sut.cut();
    await expect(running).rejects.toThrow(PlaceLostError);
    await run.dispose();
    await eventually(async () => (await bench.containers()).length === 0);
    await eventually(() => sut.left().length === 0);
    await expect(executor.prepare(bench.context())).rejects.toThrow(PlaceLostError);
    await executor.recover?.(never);
    const again = await executor.prepare(bench.context());
    await again.dispose();
    expect(await bench.containers()).toEqual([]);
  });

  test('whose connection is cut after its window is a place that was lost: its output is missing', async () => {
    await using host = await open();
    const executor = executorOf(host, 'echo 42');
    await executor.setup(never);
    const run = await executor.prepare(bench.context());
    await run.settle?.(await run.execute({ onEdge() {} }));
    host.connection.drop('the test ended it');
    await expect(run.dispose()).rejects.toThrow(PlaceLostError);
    await eventually(async () => (await bench.containers()).length === 0);
  });

  test('is removed by the next start where its helper was killed', async () => {
    await using host = await open();
    const executor = executorOf(host, 'sleep 600');
    await executor.setup(never);
    const run = await executor.prepare(bench.context());
    const running = run.execute({ onEdge() {} });
    running.catch(() => {});
    await eventually(async () => (await bench.containers())[0]?.State === 'running');
    process.kill(ownerOf(sut), 'SIGKILL');
    await expect(running).rejects.toThrow(PlaceLostError);
    await run.dispose();
    // One that knows of no engine removes it too: what still runs there would be measured.
    await using next = await RemoteHost.open(sut.address, never, () => {});
    expect(next.connection.left).toHaveLength(1);
    expect(await bench.containers()).toEqual([]);
  });

  test('that a slow engine made when its helper had ended is removed when the next one ends', async () => {
    const first = await open();
    const { folder, owner } = first.connection;
    await first[Symbol.asyncDispose]();
    await using next = await open();
    await executorOf(next, 'true').setup(never);
    const labels = { [PLACE_LABEL]: folder, [OWNER_LABEL]: owner, 'joulediff.experiment': bench.experimentId };
    await docker.createContainer({ Image: tag, Cmd: ['true'], ...named(labels) });
    await next[Symbol.asyncDispose]();
    await eventually(async () => (await bench.containers()).length === 0);
  });

  test('is let be by a joulediff there while its helper lives, and removed by it when that is gone', async () => {
    await using host = await open();
    const executor = executorOf(host, 'true');
    await executor.setup(never);
    await executor.prepare(bench.context());
    const ours = (line: string): boolean => line.includes(String(made?.Id.slice(0, 12)));
    const [made] = await bench.containers();
    expect(made?.State).toBe('created');
    expect(made?.Labels).toMatchObject({ [MACHINE_LABEL]: machineMark(host.connection.machine) });
    expect((await removeLabeled(judge())).filter(ours)).toEqual([]);
    expect(await bench.containers()).toHaveLength(1);
    const helper = ownerOf(sut);
    process.kill(helper, 'SIGKILL');
    await eventually(() => !isRunning(helper));
    await removeLabeled(judge());
    expect(await bench.containers()).toEqual([]);
  });

  test('whose engine goes away in the rest is a place that was lost, and another can run when it is back', async () => {
    await using engine = await EngineLine.open(join(sut.folder, 'docker.sock'));
    sut.engineAt(engine.path);
    try {
      await using host = await open();
      const executor = executorOf(host, 'true');
      await executor.setup(never);
      const run = await executor.prepare(bench.context());
      engine.stop();
      await expect(run.execute({ onEdge() {} })).rejects.toThrow(PlaceLostError);
      await expect(run.dispose()).rejects.toThrow(PlaceLostError);
      const recovered = executor.recover?.(never);
      await engine.start();
      await recovered;
      expect(await bench.containers()).toEqual([]);
      const again = await executor.prepare(bench.context());
      expect(await again.execute({ onEdge() {} })).toMatchObject({ exitCode: 0 });
      await again.dispose();
    } finally {
      sut.engineAt(null);
    }
    expect(sut.left()).toEqual([]);
  });

  test('whose engine hangs keeps neither joulediff nor the helper’s folder there, and is removed by the next start', async () => {
    await using engine = await EngineLine.open(join(sut.folder, 'docker.sock'));
    sut.engineAt(engine.path);
    try {
      const reported: string[] = [];
      const line = (text: string) => reported.push(text);
      const host = await RemoteHost.open(sut.address, never, line, { withEngine: true });
      const executor = executorOf(host, 'true');
      await executor.setup(never);
      await executor.prepare(bench.context());
      engine.hang();
      await host[Symbol.asyncDispose]();
      expect(reported).toContainEqual(
        expect.stringContaining("containers that Docker's engine there does not tell of"),
      );
      expect(sut.left()).toEqual([]);
      await engine.start();
      await using _next = await RemoteHost.open(sut.address, never, () => {});
      expect(await bench.containers()).toEqual([]);
    } finally {
      sut.engineAt(null);
    }
  });

  test('has an image that the engine there builds of a folder here, or a reason why it doesn’t', async () => {
    const context = bench.path('context');
    await bench.file('context/told', 'of here\n');
    await bench.file('context/Dockerfile', `FROM ${tag}\nCOPY told /told\n`);
    const build = { context, dockerfile: 'Dockerfile', args: {}, target: null };
    const built = { ...container(null, { run: 'cat /told' }), build };
    await using host = await open();
    const executor = makeRemoteContainerExecutor(built, bench.environment(), host);
    const { image } = await executor.setup(never);
    try {
      const run = await executor.prepare(bench.context());
      expect(await run.execute({ onEdge() {} })).toMatchObject({ exitCode: 0 });
      await run.dispose();
      expect(bench.log()).toContain('of here');
      await bench.file('context/Dockerfile', `FROM ${tag}\nRUN exit 3\n`);
      await expect(executor.setup(never)).rejects.toThrow(
        /^On the machine ssh:\/\/sut: The image of variant "container" could not be built from .*\/context\/Dockerfile: /,
      );
    } finally {
      await docker.getImage(String(image)).remove({ force: true });
    }
    expect(await bench.containers()).toEqual([]);
  });

  test('is ended at its timeout; what can’t be started is told', async () => {
    await using host = await open();
    const late = executorOf(host, 'echo so far; sleep 600', { timeoutS: 1 });
    await late.setup(never);
    const run = await late.prepare(bench.context());
    expect(await run.execute({ onEdge() {} })).toMatchObject({ timedOut: true, outputTail: 'so far\n' });
    await run.dispose();
    const missing = executorOf(host, ['no-such-program']);
    await missing.setup(never);
    const other = await missing.prepare(bench.context());
    await expect(other.execute({ onEdge() {} })).rejects.toThrow(
      /could not be started in its container on ssh:\/\/sut: .*no-such-program/,
    );
    await other.dispose();
    const absent = container('joulediff-remote-test:absent', {}, { pull: 'never' });
    await expect(makeRemoteContainerExecutor(absent, bench.environment(), host).setup(never)).rejects.toThrow(
      'On the machine ssh://sut: The image "joulediff-remote-test:absent" isn\'t on this machine, and pull is never.',
    );
    expect(await bench.containers()).toEqual([]);
  });
});

/** How far /proc/uptime is ahead of the clock of windows, nanoseconds: at least and at most. */
function uptimeAhead(): [bigint, bigint] {
  const before = nowNs();
  const hundredths = BigInt(Math.round(100 * Number.parseFloat(readFileSync('/proc/uptime', 'utf8'))));
  const after = nowNs();
  return [hundredths * 10_000_000n - after, (hundredths + 1n) * 10_000_000n - before];
}

/** The process of the helper that is there. */
function ownerOf(sut: SecondMachine): number {
  const folder = join(sut.folder, 'tmp');
  const owner =
    readdirSync(folder)
      .map((name) => join(folder, name, 'owner'))
      .find((path) => existsSync(path)) ?? '';
  return (JSON.parse(readFileSync(owner, 'utf8')) as { pid: number }).pid;
}
