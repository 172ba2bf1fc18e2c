// Class: world.
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Bench, container, docker, testImage } from './bench.ts';

// What a container prints goes through the engine's log of JSON lines here, which takes the engine long.
const IMAGE = 'joulediff-test:busybox';
const MIB = 2 ** 20;

let bench: Bench;
beforeAll(() => testImage(IMAGE));
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

it('what a container prints is in the log of the engine where it is to be on a disk', async () => {
  const chatty = `echo ::joulediff phase first; yes 0123456789 | head -c ${5 * MIB}; echo; echo ::joulediff phase last; echo end`;
  const executor = await bench.ready(container(IMAGE, { run: chatty }));
  const run = await executor.prepare({ ...bench.context(), outputToDisk: true });
  await run.execute({ onEdge() {} });
  const [{ Id = '' } = {}] = await bench.containers();
  expect((await docker.getContainer(Id).inspect()).HostConfig.LogConfig?.Type).toBe('json-file');
  const { marks } = (await run.telemetry?.()) ?? {};
  expect(marks?.map(({ phase }) => phase)).toEqual(['first', 'last']);
  await run.dispose();
  expect(readFileSync(bench.logFile, 'utf8').length).toBeGreaterThan(5 * MIB);
});

it('what a container prints can’t fill the engine’s disk', async () => {
  const flood = `head -c 900000 /dev/zero | tr '\\0' '\\n'; echo last`;
  const executor = await bench.ready(container(IMAGE, { run: flood }));
  const run = await executor.prepare({
    ...bench.context(),
    outputToDisk: true,
    phaseLines: [{ phase: 'b', pattern: 'last' }],
  });
  await run.execute({ onEdge() {} });
  const { phaseProblem } = (await run.telemetry?.()) ?? {};
  expect(phaseProblem).toBe('it printed more than 64 MB, of which the beginning may be lost');
  await run.dispose();
  expect(bench.log()).toMatch(/\nlast\n\n\[joulediff: a container's output beyond 64 MB loses its beginning.*\]\n$/);
});
