// Class: world.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { native } from '../executors/bench.ts';
import { listening, shortExperiment } from './short-experiment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-quiet-'));
  process.env.JOULEDIFF_LOCK = `quiet.${randomUUID()}`;
});
afterEach(() => {
  delete process.env.JOULEDIFF_LOCK;
  rmSync(folder, { recursive: true, force: true });
});

it('an experiment measures nothing beside a busy process, and goes on when it is accepted', async () => {
  const variants = [
    { ...native({ run: 'sleep 0.1' }), name: 'native' },
    { ...native({ run: 'sleep 0.1' }), name: 'again' },
  ];
  const outDir = join(folder, 'out');
  const busy = spawn('sh', ['-c', 'while :; do :; done']);
  try {
    const { progress } = listening();
    const signal = new AbortController().signal;
    const failing = shortExperiment(folder, variants, { onNoise: { react: 'fail' }, repetitions: 1 });
    await expect(measure({ experiment: failing, outDir, resume: false, signal, progress })).rejects.toThrow(
      /^The machine is not quiet before block 1: others keep [\d.]+ processors busy/,
    );
    const { reported, progress: second } = listening();
    const warning = shortExperiment(folder, variants, { onNoise: { react: 'warn' }, repetitions: 1 });
    await measure({ experiment: warning, outDir, resume: true, signal, progress: second });
    expect(
      reported.filter((line) => line.startsWith('The machine is not quiet before block 1: others keep')),
    ).toHaveLength(1);
  } finally {
    busy.kill('SIGKILL');
    await once(busy, 'close');
  }
  const { looks, findings } = withStore(join(outDir, 'experiment.db'), (reader) => ({
    looks: reader.quietInspections(),
    ...analyzeStore(reader),
  }));
  expect(looks).toMatchObject([
    { block: 1, warmup: false },
    { block: 1, warmup: false },
  ]);
  for (const { found, remaining } of looks)
    expect([found, remaining]).toEqual([expect.arrayContaining(['load']), expect.arrayContaining(['load'])]);
  expect(findings.quality.checks.find(({ name }) => name === 'quiet')).toMatchObject({
    state: 'warn',
    reason: 'noisy',
    facts: { blocks: 2, noisy: 2, found: expect.arrayContaining([{ noise: 'load', blocks: 2 }]) },
  });
}, 60_000);
