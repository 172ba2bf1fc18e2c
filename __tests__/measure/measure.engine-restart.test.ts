// Class: world, long.
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Stopped } from '../../src/errors.ts';
import { removeOldImages } from '../../src/executors/container/old-images.ts';
import type { Service } from '../../src/executors/service.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { container, during, native } from '../executors/bench.ts';
import { OwnEngine } from '../executors/container/own-engine.ts';
import { goodRuns, listening, shortExperiment } from './short-experiment.ts';

// A real engine that really goes away, and the estimate of the processor's use as the meter.

const IMAGE = 'joulediff-restart-test';
const engine = new OwnEngine();
let folder: string;
const { DOCKER_HOST: before } = process.env;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-restart-'));
  process.env.DOCKER_HOST = engine.host;
  process.env.JOULEDIFF_LOCK = `joulediff.restart.${randomUUID()}`;
  await engine.start();
  engine.image(IMAGE);
});
afterAll(async () => {
  delete process.env.JOULEDIFF_LOCK;
  if (before === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = before;
  await engine.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Ends at SIGTERM with an exit code, as a workload that fails would. */
const SLOW = 'trap "exit 3" TERM; sleep 0.5 & wait';

it.each([
  ['the preparation', 'SIGKILL', { prepare: `: > /shared/now; ${SLOW}`, run: 'sleep 0.1' }],
  ['the window', 'SIGTERM', { run: `: > /shared/now; ${SLOW}` }],
  ['the window', 'SIGKILL', { run: `: > /shared/now; ${SLOW}` }],
  ['the guard', 'SIGKILL', { run: ': > /shared/now' }],
  ['the clean-up', 'SIGTERM', { run: 'sleep 0.1', cleanup: `: > /shared/now; ${SLOW}` }],
] as const)('waits for an engine that was ended in %s by %s, and makes up for the run', async (when, signal, work) => {
  const [outDir, shared] = ['out', 'shared'].map((name) =>
    join(folder, `${when}-${signal}-${name}`.replaceAll(' ', '-')),
  ) as [string, string];
  mkdirSync(shared);
  const there = container(IMAGE, work, { volumes: [`${shared}:/shared`] });
  // Long enough for an engine to be ended in it on any machine.
  const pauses = when === 'the guard' ? { restS: 2, guardS: 2 } : {};
  const experiment = shortExperiment(folder, [there, native({ run: 'sleep 0.2' })], { repetitions: 1, ...pauses });
  const { reported, progress } = listening();
  const { signal: never } = new AbortController();
  const measuring = measure({ experiment, outDir, resume: false, signal: never, progress });
  const isThen = async () => {
    if (!existsSync(join(shared, 'now'))) return false;
    if (when !== 'the guard') return true;
    return (await engine.docker.listContainers()).length === 0;
  };
  await during(measuring, isThen);
  await engine.end(signal);
  await during(measuring, () => reported.some((line) => /Waiting up to a minute for Docker/.test(line)));
  await engine.start();
  await measuring;
  expect(reported).toContain("Docker's engine is back.");
  expect(goodRuns(outDir)).toEqual([1, 2]);
  const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
  const bad = runs.filter(({ status, cause }) => status !== 'ok' && cause !== 'block-repeated');
  expect(bad.map(({ status, cause }) => ({ status, cause }))).toEqual([{ status: 'invalid', cause: 'place-lost' }]);
  expect(await engine.docker.listContainers({ all: true })).toEqual([]);
});

it('waits for an engine that was ended in a hook before a block, and runs the hook again', async () => {
  const [outDir, shared] = [join(folder, 'hook-out'), join(folder, 'hook-shared')];
  mkdirSync(shared);
  const there = container(IMAGE, { run: 'sleep 0.1' }, { volumes: [`${shared}:/shared`] });
  const hooks = {
    'before-block': { run: `echo begun >> /shared/now; ${SLOW}`, place: 'variant', timeoutS: 60 },
  } as const;
  const two = [there, { ...there, name: 'other' }];
  const experiment = shortExperiment(folder, two, { repetitions: 1, hooks, baseline: there.name });
  const { reported, progress } = listening();
  const measuring = measure({ experiment, outDir, resume: false, signal: new AbortController().signal, progress });
  await during(measuring, () => existsSync(join(shared, 'now')));
  await engine.end('SIGKILL');
  await during(measuring, () => reported.some((line) => line.startsWith('Waiting up to a minute')));
  await engine.start();
  await measuring;
  expect(goodRuns(outDir)).toEqual([1, 2]);
  expect(readFileSync(join(shared, 'now'), 'utf8')).toBe('begun\n'.repeat(3));
  expect(await engine.docker.listContainers({ all: true })).toEqual([]);
});

it('goes on with an image that was built longer ago than any is kept that nothing needs', async () => {
  const [context, outDir] = [join(folder, 'context'), join(folder, 'old-out')];
  mkdirSync(context);
  copyFileSync('/bin/busybox', join(context, 'busybox'));
  writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nCOPY busybox /bin/busybox\n');
  const build = { context, dockerfile: 'Dockerfile', target: null, args: {} };
  const there = container(null, { run: ['/bin/busybox', 'sleep', '0.1'] }, { build });
  const experiment = shortExperiment(folder, [there, native({ run: 'sleep 0.1' })], { repetitions: 1 });
  const begun = new AbortController();
  const { progress } = listening((done) => done > 0 && begun.abort(new Stopped('SIGINT')));
  const first = measure({ experiment, outDir, resume: false, signal: begun.signal, progress });
  await expect(first).rejects.toThrow(Stopped);
  const images = () => withStore(join(outDir, 'experiment.db'), (reader) => reader.variants()[0]?.facts);
  const facts = images();
  engine.age(String(facts?.image_id), 40);

  const { reported, progress: more } = listening();
  await measure({ experiment, outDir, resume: true, signal: new AbortController().signal, progress: more });
  expect(reported.filter((line) => line.startsWith('Removed the image'))).toEqual([]);
  expect(goodRuns(outDir)).toEqual([1, 2]);
  expect(images()).toEqual(facts);
  // From now on it counts as needed today: the next start of any experiment leaves it alone.
  expect(await removeOldImages({ only: String(facts?.image) })).toEqual([]);
  expect(await removeOldImages({ only: String(facts?.image), nowMs: Date.now() + 31 * 86_400_000 })).toHaveLength(1);
});

/** Takes time to end, as a server that tidies up does. */
const SERVER: Service = {
  name: 'server',
  run: 'trap "sleep 0.5; exit 3" TERM; while :; do sleep 0.1; done',
  env: {},
  workdir: null,
  place: 'variant',
  lifetime: 'experiment',
  ready: null,
  readyWithinS: 10,
  stop: { signal: 'SIGKILL', withinS: 10 },
};

it.each([
  ['starts services anew that last as long as the experiment, after their engine was stopped', 'SIGTERM'],
  ['starts services anew that last as long as the experiment, after their engine was killed', 'SIGKILL'],
  ['leaves such services alone where only the container of a run was removed', null],
] as const)('%s', async (_what, signal) => {
  const outDir = join(folder, `served-${signal}`);
  // Long enough for all that is done to it, on any machine.
  const there = container(IMAGE, { run: 'trap "exit 3" TERM; sleep 4 & wait' });
  const experiment = shortExperiment(folder, [there, native()], { repetitions: 1, services: [SERVER] });
  const { reported, progress } = listening();
  const measuring = measure({ experiment, outDir, resume: false, signal: new AbortController().signal, progress });
  let running: string[] = [];
  await during(measuring, async () => {
    const all = await engine.docker.listContainers();
    running = all.filter(({ Labels: labels }) => labels['joulediff.run'] !== '0').map(({ Id: id }) => id);
    return all.length === 2 && running.length === 1;
  });
  if (signal === null) {
    await engine.docker.getContainer(running[0] ?? '').remove({ force: true });
  } else {
    await engine.end(signal);
    await during(measuring, () => reported.some((line) => line.startsWith('Waiting up to a minute')));
    await engine.start();
  }
  await measuring;
  expect(goodRuns(outDir)).toEqual([1, 2]);
  const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
  const bad = runs.filter(({ status, cause }) => status !== 'ok' && cause !== 'block-repeated');
  expect(bad.map(({ cause }) => cause)).toEqual(['place-lost']);
  const anew = reported.filter((line) => line.endsWith('was started anew.'));
  expect(anew).toEqual(signal === null ? [] : ['The service "server" was lost with its place, and was started anew.']);
  expect(await engine.docker.listContainers({ all: true })).toEqual([]);
});
