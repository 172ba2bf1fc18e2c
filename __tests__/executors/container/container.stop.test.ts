// Class: system.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import { Bench, container, docker, eventually, testImage } from '../bench.ts';

const IMAGE = 'joulediff-test:busybox';

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('a stop', () => {
  it('ends a run and removes its container, and settles', async () => {
    const executor = await bench.ready(
      container(
        IMAGE,
        { run: 'trap "" TERM; echo up > /out/up; sleep 300', cleanup: 'touch /out/cleaned' },
        { volumes: [`${bench.folder}:/out`] },
      ),
    );
    const run = await executor.prepare(bench.context());
    const execution = run.execute({ onEdge() {} });
    await started(bench);
    bench.stop.abort();
    expect((await execution).exitCode).not.toBe(0);
    await run.dispose();
    expect(await bench.containers()).toEqual([]);
    expect(() => readFileSync(bench.path('cleaned'))).toThrow();
  });

  it('while prepare runs removes the container, and nothing more is started', async () => {
    const executor = await bench.ready(container(IMAGE, { prepare: 'sleep 300' }));
    const preparing = executor.prepare(bench.context());
    await started(bench);
    bench.stop.abort();
    await expect(preparing).rejects.toBe(bench.stop.signal.reason);
    expect(await bench.containers()).toEqual([]);
    await expect(executor.prepare(bench.context())).rejects.toBe(bench.stop.signal.reason);
    expect(await bench.containers()).toEqual([]);
  });

  it('between prepare and run removes the container, and the run is refused', async () => {
    const executor = await bench.ready(container(IMAGE, { run: 'true' }));
    const run = await executor.prepare(bench.context());
    bench.stop.abort();
    await expect(run.execute({ onEdge() {} })).rejects.toBe(bench.stop.signal.reason);
    await run.dispose();
    expect(await bench.containers()).toEqual([]);
  });
});

describe('what ends a container from outside', () => {
  it.each([
    ['docker stop', (id: string) => docker.getContainer(id).stop()],
    ['docker rm -f', (id: string) => docker.getContainer(id).remove({ force: true })],
  ])('is no failure of the workload, although it has an exit code: %s', async (_what, end) => {
    const executor = await bench.ready(container(IMAGE, { run: 'trap "exit 3" TERM; sleep 300 & wait' }));
    const run = await executor.prepare(bench.context());
    const execution = run.execute({ onEdge() {} });
    const refused = expect(execution).rejects.toThrow(PlaceLostError);
    await started(bench);
    await end((await bench.containers())[0]?.Id ?? '');
    await refused;
    await run.dispose().catch(() => {});
    expect(await bench.containers()).toEqual([]);
    await executor.recover?.(bench.stop.signal);
  });
});

describe('a volume that the image declares', () => {
  const DECLARING = `joulediff-test/declares-volumes-${process.pid}`;
  beforeAll(() =>
    testImage(DECLARING, [
      'RUN ["/bin/busybox", "mkdir", "/filled"]',
      'RUN ["/bin/busybox", "touch", "/filled/by-the-image"]',
      'VOLUME /filled/',
      'VOLUME /given',
      'VOLUME /memory',
    ]),
  );
  afterAll(() => docker.getImage(DECLARING).remove({ force: true }));
  const options = (workload: object) =>
    container(DECLARING, workload, { volumes: [`${bench.folder}:/given`], tmpfs: ['/memory'] });

  /** Removes the container that runs as somebody does who forgets about volumes; gives the names of those that it had. */
  async function removedByHand(): Promise<string[]> {
    await started(bench);
    const [{ Id: id = '' } = {}] = await bench.containers();
    const { Mounts: mounts } = await docker.getContainer(id).inspect();
    await docker.getContainer(id).remove({ force: true });
    return mounts.flatMap(({ Type: type, Name: name }) => (type === 'volume' && name !== undefined ? [name] : []));
  }
  const areThere = async (names: readonly string[]): Promise<string[]> => {
    const { Volumes: all } = await docker.listVolumes();
    return all.flatMap(({ Name: name }) => (names.includes(name) ? [name] : []));
  };

  it('is there with what the image has in it, and goes with the container', async () => {
    const command = 'ls /filled; touch /filled/ours /given/ours; grep -c " /memory tmpfs" /proc/mounts';
    const executor = await bench.ready(options({ run: command }));
    const run = await executor.prepare(bench.context());
    const { Mounts: mounts } = await docker.getContainer((await bench.containers())[0]?.Id ?? '').inspect();
    expect(mounts.map(({ Destination: target }) => target).toSorted()).toEqual(['/filled', '/given']);
    expect((await run.execute({ onEdge() {} })).exitCode).toBe(0);
    await run.dispose();
    expect(bench.log()).toBe('by-the-image\n1\n');
    expect(existsSync(bench.path('ours'))).toBe(true);
    expect(await areThere(mounts.flatMap(({ Name: name }) => name ?? []))).toEqual([]);
  });

  it('is removed where somebody removes only the container', async () => {
    const executor = await bench.ready(options({ run: 'sleep 300' }));
    const run = await executor.prepare(bench.context());
    const lost = expect(run.execute({ onEdge() {} })).rejects.toThrow(PlaceLostError);
    const names = await removedByHand();
    expect(names).toHaveLength(1);
    await lost;
    await run.dispose().catch(() => {});
    expect(await areThere(names)).toEqual([]);
  });

  it('is removed where somebody removes only the container of a service', async () => {
    const executor = await bench.ready(options({}));
    const service = await executor.makeService(
      { name: 'server', run: 'sleep 300', env: {}, workdir: null, stop: { signal: 'SIGTERM', withinS: 10 } },
      { ...bench.context(), joins: null },
    );
    await service.start();
    const names = await removedByHand();
    expect(names).toHaveLength(1);
    await service.ended;
    await service.stop(10);
    expect(await areThere(names)).toEqual([]);
  });
});

function started(of: Bench): Promise<void> {
  return eventually(async () => (await of.containers())[0]?.State === 'running');
}
