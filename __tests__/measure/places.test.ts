// Class: system.
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from '@jest/globals';
import type { ContainerVariant } from '../../src/executors/container/variant.ts';
import type { NativeVariant } from '../../src/executors/native/kind.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { experimentFrom } from '../../src/experiment/read.ts';
import { setUpPlaces } from '../../src/measure/places.ts';
import { Bench, container, native, testImage } from '../executors/bench.ts';

const bench = new Bench();
const before = { ...process.env };
afterEach(async () => {
  process.env = { ...before };
  await bench.close();
});

/** What each variant's workload printed of its environment. */
async function environments(variants: readonly (NativeVariant | ContainerVariant)[], more: Partial<Experiment>) {
  const file = { variants: { native: { run: 'x' }, other: { run: 'x' } } };
  const experiment = { ...experimentFrom(file, { where: 'test', directory: bench.folder }), ...more, variants };
  const notes: string[] = [];
  const progress = { note: (line: string) => notes.push(line), warn: () => {}, status() {}, end() {} };
  await using places = await setUpPlaces(bench.experimentId, {
    experiment,
    progress,
    folder: bench.folder,
    recorded: null,
    signal: bench.stop.signal,
  });
  const printed: string[] = [];
  for (const { name } of variants) {
    const context = { ...bench.context(), logFile: bench.path(`${name}.log`) };
    const run = await places.executors.get(name)!.prepare(context);
    await run.execute({ onEdge() {} });
    await run.dispose();
    printed.push(readFileSync(context.logFile, 'utf8'));
  }
  return { printed, notes };
}

it('Workloads of a job see what they need to run and what the experiment passes to them, in every place', async () => {
  Object.assign(process.env, { GITHUB_ACTIONS: 'true', DATABASE_PASSWORD: 'swordfish', REGISTRY_USER: 'somebody' });
  const image = await testImage('joulediff-test/environment');
  const given = { run: 'env; test "$REGISTRY_USER" = somebody && echo it came', env: { GREETING: 'hello' } };
  const { printed, notes } = await environments([native(given), container(image, given)], {
    passEnv: ['REGISTRY_USER'],
  });
  for (const text of printed) {
    expect(text).toMatch(/^PATH=/m);
    expect(text).toContain('GREETING=hello\n');
    // What is passed is seen by the workload, and not stored.
    expect(text).toContain('it came\n');
    expect(text).toContain('REGISTRY_USER=********\n');
    expect(text).not.toContain('swordfish');
  }
  expect(notes).toContainEqual(
    expect.stringMatching(/^Variables that workloads don't see here: .* pass-env lets one through\.$/),
  );
});
