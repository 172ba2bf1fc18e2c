import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

function started(of: Bench): Promise<void> {
  return eventually(async () => (await of.containers())[0]?.State === 'running');
}
