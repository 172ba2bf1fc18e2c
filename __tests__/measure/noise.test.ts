import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { withSecondBaseline } from '../../src/experiment/noise.ts';
import { measure } from '../../src/measure/measure.ts';
import { openStore } from '../../src/store/reader.ts';
import { container, native, testImage } from '../executors/places.ts';

// Real processes and containers under the whole of measuring, on the model that any machine has.

const IMAGE = 'joulediff-test:busybox';
process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

let folder: string;
beforeAll(() => testImage(IMAGE));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-noise-'));
  process.env.XDG_STATE_HOME = join(folder, 'state');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const progress = { status() {}, note() {}, warn() {}, end() {} };

function experiment(repetitions: number): Experiment {
  const run = `echo "$JOULEDIFF_VARIANT" >> ${folder}/who; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done`;
  const variants = [
    native({ run }),
    container(IMAGE, { run: run.replaceAll(folder, '/out') }, { volumes: [`${folder}:/out`] }),
  ];
  return {
    name: 'noise',
    directory: folder,
    variants: withSecondBaseline(variants, 'native'),
    baseline: 'native',
    repetitions,
    warmup: { runs: 0 },
    restS: 0.1,
    guardS: 0.05,
    batch: 1,
    seed: 4,
    marginPercent: 1,
    meters: ['estimate'],
  };
}

describe('noise: inline', () => {
  it('measures the second arm in every block, exactly as the first', async () => {
    const outDir = join(folder, 'out');
    const signal = new AbortController().signal;
    await measure({ experiment: experiment(6), outDir, resume: false, signal, progress });
    const reader = openStore(join(outDir, 'experiment.db'));
    const { findings, runs } = analyzeStore(reader);
    expect(reader.variants().map(({ name, hidden }) => [name, hidden])).toEqual([
      ['native', false],
      ['container', false],
      ['native (again)', true],
    ]);
    reader.close();
    for (const block of Map.groupBy(runs, (run) => run.block).values()) {
      expect(block.map(({ variant, status }) => `${variant}: ${status}`).sort()).toEqual([
        'container: ok',
        'native (again): ok',
        'native: ok',
      ]);
    }
    expect(findings.quality.noise_floor).toMatchObject({ blocks: 6, source: 'inline' });
    expect(findings.quality.noise_floor_percent).toBeGreaterThan(0);
    expect(findings.comparisons.map(({ variant }) => variant)).toEqual(['container']);
    // The workload cannot tell the arms apart by what it is told.
    const told = readFileSync(join(folder, 'who'), 'utf8').trim().split('\n');
    expect(new Set(told)).toEqual(new Set(['native', 'container']));
    expect(told.filter((name) => name === 'native')).toHaveLength(12);
    expect(readdirSync(join(outDir, 'logs')).filter((name) => name.includes('again'))).toHaveLength(6);
  }, 60_000);
});
