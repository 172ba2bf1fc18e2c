// Class: world, long.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Stopped } from '../../../src/errors.ts';
import { EngineSwitch } from '../../../src/executors/engine/switch.ts';
import { parseExperiment } from '../../../src/experiment/read.ts';
import { foresee } from '../../../src/measure/foresee.ts';
import { measure } from '../../../src/measure/measure.ts';
import { withStore } from '../../../src/store/reader.ts';
import { listening } from '../../measure/short-experiment.ts';
import { entry } from '../../terminal/program.ts';
import { eventually } from '../bench.ts';
import { OwnEngine } from '../container/own-engine.ts';

// A real engine of its own that is really stopped and started, by commands as a service's.

const IMAGE = 'joulediff-engine-test';
const engine = new OwnEngine();
const { DOCKER_HOST: host, JOULEDIFF_LOCK: lock } = process.env;
let folder: string;

beforeAll(async () => {
  process.env.DOCKER_HOST = engine.host;
  await engine.start();
  engine.image(IMAGE);
});
afterAll(async () => {
  for (const [name, before] of Object.entries({ DOCKER_HOST: host, JOULEDIFF_LOCK: lock })) {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
  await engine.remove();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-engine-test-'));
  process.env.JOULEDIFF_LOCK = `joulediff.engine.${process.pid}`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isRunning = (): Promise<boolean> =>
  engine.docker.ping().then(
    () => true,
    () => false,
  );

const NOTE = `echo "$JOULEDIFF_VARIANT $(docker -H ${engine.host} version > /dev/null 2>&1 && echo up || echo down)" >> happened`;

const fileOf = (change: object = {}, engineOf: object = engine.commands) => ({
  name: 'idle',
  allow: 'engine-stop',
  workload: { run: NOTE },
  variants: { without: { engine: { state: 'stopped', ...engineOf } }, with: { engine: 'running' } },
  repetitions: 1,
  warmup: { runs: 0 },
  rest: 0.1,
  guard: 0.1,
  seed: 1,
  meter: 'estimate',
  ...change,
});

const experimentOf = (file: object) =>
  parseExperiment(JSON.stringify(file), { file: 'joulediff.yml', directory: folder });

function measured(file: object, signal = new AbortController().signal): Promise<void> {
  const { progress } = listening();
  return measure({ experiment: experimentOf(file), outDir: join(folder, 'out'), resume: false, signal, progress });
}

it('is stopped for the runs of one variant, there for those of the other, and there at the end', async () => {
  await measured(fileOf());
  expect(readFileSync(join(folder, 'happened'), 'utf8').trim().split('\n').sort()).toEqual(['with up', 'without down']);
  expect(await isRunning()).toBe(true);
  const facts = withStore(join(folder, 'out', 'experiment.db'), (reader) => reader.variants());
  expect(facts.map(({ name, facts: { engine: state } }) => [name, state])).toEqual([
    ['without', 'stopped'],
    ['with', 'running'],
  ]);
});

it('is never stopped while anybody’s container runs', async () => {
  const container = await engine.docker.createContainer({
    Image: IMAGE,
    name: 'somebodys',
    Cmd: ['sleep', '300'],
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  const why = "Docker's engine is not stopped, because containers are running: somebodys.";
  try {
    await expect(measured(fileOf())).rejects.toThrow(why);
    const seen = await foresee(experimentOf(fileOf()), join(folder, 'out'));
    expect(seen.find(({ what }) => what === 'variant without')?.found).toMatchObject({ message: why });
    expect((await container.inspect()).State.Running).toBe(true);
  } finally {
    await container.remove({ force: true });
  }
});

it('is there again after a run that fails, and after a stop', async () => {
  await expect(measured(fileOf({ workload: { run: 'exit 3' } }))).rejects.toThrow('The workload failed twice');
  expect(await isRunning()).toBe(true);
  const stop = new AbortController();
  const run = 'test $JOULEDIFF_VARIANT = with || { touch now; sleep 300; }';
  const stopped = expect(measured(fileOf({ workload: { run } }), stop.signal)).rejects.toThrow('stopped by SIGTERM');
  await eventually(() => existsSync(join(folder, 'now')));
  expect(await isRunning()).toBe(false);
  stop.abort(new Stopped('SIGTERM'));
  await stopped;
  expect(await isRunning()).toBe(true);
});

it('is started by the next start where joulediff was killed meanwhile', async () => {
  const run = 'test $JOULEDIFF_VARIANT = with || { touch now; exec sleep 300; }';
  writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(fileOf({ workload: { run } })));
  // What it leaves is for this test alone.
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'state'),
    JOULEDIFF_LOCK: `${process.env.JOULEDIFF_LOCK}.killed`,
  };
  const words = [entry, 'measure', '--out', join(folder, 'out')];
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: 'ignore' });
  await eventually(() => existsSync(join(folder, 'now')) || child.exitCode !== null);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(await isRunning()).toBe(false);
  const clean = () => spawnSync(process.execPath, [entry, 'clean'], { env, encoding: 'utf8' }).stdout;
  expect(clean()).toContain("Started Docker's engine again, which an earlier experiment had stopped.");
  expect(await isRunning()).toBe(true);
  expect(clean()).not.toContain('engine');
});

it('that can’t be stopped, or can’t be started, is told', async () => {
  // The record of an engine that nobody could start stays, and is for this test alone.
  process.env.XDG_STATE_HOME = join(folder, 'state');
  mkdirSync(join(folder, 'state'));
  const of = (commands: object) => measured(fileOf({}, commands));
  await expect(of({ stop: 'exit 5', start: 'true' })).rejects.toThrow('failed twice');
  expect(await isRunning()).toBe(true);
  const { progress, reported } = listening();
  const lost = { stop: engine.commands.stop, start: 'exit 6' };
  const experiment = experimentOf(fileOf({}, lost));
  const { signal } = new AbortController();
  await expect(
    measure({ experiment, outDir: join(folder, 'lost'), resume: false, signal, progress }),
  ).rejects.toThrow();
  expect(reported.join('\n')).toContain('Docker\'s engine could not be started again. "exit 6" ended with exit code 6');
  await engine.start();
});

it('is stopped and started by commands that can’t take the machine with them', async () => {
  process.env.XDG_STATE_HOME = join(folder, 'state');
  const most = { pids: 40, memoryBytes: 32 * 2 ** 20 };
  const eats = (then: string) => `{ head -c 300000000 /dev/zero; ${then}; } | tail > /dev/null; exit 1`;
  const forks = 'i=0; while [ $i -lt 100 ]; do sleep 300 & i=$((i + 1)); done; exit 1';
  for (const [stop, limit] of [
    [eats('true'), "memory than what stops Docker's engine may have (32 MiB)"],
    [forks, "processes than what stops Docker's engine may have (40)"],
  ] as const) {
    const given = new EngineSwitch({ stop, start: 'true' }, 'x', most);
    await expect(given.stop()).rejects.toThrow(`It needed more ${limit}.`);
    expect(await isRunning()).toBe(true);
  }
  // Looked at once a second, it has to be there for longer.
  const given = new EngineSwitch({ stop: engine.commands.stop, start: eats('sleep 300') }, 'x', most);
  await given.stop();
  const lost = "It needed more memory than what starts Docker's engine may have (32 MiB).";
  await expect(given.start()).rejects.toThrow(lost);
  await engine.start();
});

it.each([
  [{ allow: undefined }, "variants.without.engine: Docker's engine of this machine would be stopped for each run"],
  [
    { workload: { run: ':', place: 'host' } },
    'variants.without.engine: the engine is stopped beside runs in the place of the variant',
  ],
  [{ variants: { a: {}, b: { engine: { state: 'stopped', stop: 'x' } } } }, 'variants.b.engine: only stop was given'],
  [
    { variants: { a: {}, b: { engine: { state: 'running', stop: 'x' } } } },
    'stop and start are for an engine that is stopped',
  ],
  [
    { variants: { a: {}, b: { image: 'x', engine: 'running' } } },
    'variants.b.engine: a container needs its engine, so whether that runs is a question for variants on the host',
  ],
  [
    { variants: { a: {}, b: { engine: 'podman' } } },
    'variants.b.engine: "podman" was given, which makes containers, and this variant runs on the host',
  ],
  [
    { variants: { a: {}, b: { engine: 'off' } } },
    '"off" was given; it must be "running", "stopped", or a map such as { state: stopped, stop: COMMAND, start: COMMAND } on the host, and for a container',
  ],
])('is not taken from a file with %j', (change, sentence) => {
  expect(() => experimentOf(fileOf(change))).toThrow(sentence);
});
