import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { container, eventually, native } from '../executors/bench.ts';
import { OwnEngine } from '../executors/container/own-engine.ts';

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

const experiment = (): Experiment => ({
  name: 'restart',
  directory: folder,
  // Ends at SIGTERM with an exit code, as a workload that fails would.
  variants: [container(IMAGE, { run: 'trap "exit 3" TERM; sleep 0.5 & wait' }), native({ run: 'sleep 0.2' })],
  baseline: 'native',
  repetitions: 2,
  warmup: { runs: 0 },
  restS: 0.15,
  guardS: 0.1,
  batch: 1,
  seed: 1,
  marginPercent: 1,
  meters: ['estimate'],
});

const running = async (): Promise<boolean> => (await engine.docker.listContainers()).length > 0;

it.each([
  'SIGTERM',
  'SIGKILL',
] as const)('waits for an engine that was ended by %s in a run, and makes up for the run', async (signal) => {
  const outDir = join(folder, signal);
  const told: string[] = [];
  const note = (line: string) => void told.push(line);
  const progress = { note, warn: note, status() {}, end() {} };
  const measuring = measure({
    experiment: experiment(),
    outDir,
    resume: false,
    signal: new AbortController().signal,
    progress,
  });
  await Promise.race([eventually(running), measuring]);
  await engine.end(signal);
  await eventually(() => told.some((line) => /Waiting up to a minute for Docker/.test(line)));
  await engine.start();
  await measuring;
  expect(told).toContain("Docker's engine is back.");
  const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
  expect(
    runs
      .filter(({ status }) => status === 'ok')
      .map(({ planned }) => planned)
      .sort(),
  ).toEqual([1, 2, 3, 4]);
  const bad = runs.filter(({ status, cause }) => status !== 'ok' && cause !== 'block-repeated');
  expect(bad.map(({ status, cause }) => ({ status, cause }))).toEqual([{ status: 'invalid', cause: 'place-lost' }]);
  expect(await engine.docker.listContainers({ all: true })).toEqual([]);
});
