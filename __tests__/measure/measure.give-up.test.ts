// Class: system.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { native } from '../executors/bench.ts';

// Real processes, and the estimate of the processor's use as the meter.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-give-up-'));
  process.env.JOULEDIFF_LOCK = `joulediff.give-up.${randomUUID()}`;
});
afterEach(() => {
  delete process.env.JOULEDIFF_LOCK;
  rmSync(folder, { recursive: true, force: true });
});

it('an experiment that gave up on a block and is resumed compares each planned run once', async () => {
  const broken = join(folder, 'broken');
  const experiment: Experiment = {
    name: 'give-up',
    directory: folder,
    variants: [
      { ...native({ run: 'sleep 0.15' }), name: 'good' },
      { ...native({ run: `sleep 0.15; test ! -e ${broken}` }), name: 'bad' },
    ],
    baseline: 'good',
    repetitions: 2,
    warmup: { runs: 0 },
    restS: 0.2,
    guardS: 0.1,
    batch: 1,
    // The first block begins with the good variant, and its repetition too.
    seed: 4,
    marginPercent: 1,
    meters: ['estimate'],
  };
  const outDir = join(folder, 'out');
  const progress = { note() {}, warn() {}, status() {}, end() {} };
  const request = { experiment, outDir, signal: new AbortController().signal, progress };
  const read = () =>
    withStore(join(outDir, 'experiment.db'), (reader) => ({ runs: reader.runs(), sessions: reader.sessions() }));

  writeFileSync(broken, '');
  await expect(measure({ ...request, resume: false })).rejects.toThrow('The workload failed twice in variant "bad"');
  const before = read();
  expect(before.runs.filter(({ status }) => status === 'failed')).toHaveLength(2);
  expect(before.sessions).toMatchObject([
    { end: { kind: 'failed', message: expect.stringContaining('failed twice') } },
  ]);

  rmSync(broken);
  await measure({ ...request, resume: true });
  const after = read();
  expect(
    after.runs
      .filter(({ status }) => status === 'ok')
      .map(({ planned }) => planned)
      .sort(),
  ).toEqual([1, 2, 3, 4]);
  for (const run of after.runs) expect(['exit-code', 'block-repeated', null]).toContain(run.cause);
  expect(after.sessions.at(-1)?.end).toEqual({ kind: 'complete' });
});
