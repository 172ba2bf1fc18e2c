// Class: world, long.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { Stopped } from '../../src/errors.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { withSecondBaseline } from '../../src/experiment/noise.ts';
import type { Check } from '../../src/findings/checks.ts';
import { measure } from '../../src/measure/measure.ts';
import { measureNoise } from '../../src/run/noise.ts';
import { openStore } from '../../src/store/reader.ts';
import { container, native, testImage } from '../executors/bench.ts';

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
    const reported = readFileSync(join(folder, 'who'), 'utf8').trim().split('\n');
    expect(new Set(reported)).toEqual(new Set(['native', 'container']));
    expect(reported.filter((name) => name === 'native')).toHaveLength(12);
    expect(readdirSync(join(outDir, 'logs')).filter((name) => name.includes('again'))).toHaveLength(6);
  });
});

describe('the noise floor that joulediff noise keeps', () => {
  const signal = new AbortController().signal;
  const asked = (): Experiment => ({ ...experiment(6), variants: experiment(6).variants.slice(0, 2) });
  const noise = (change: Partial<Experiment> = {}, outDir = join(folder, 'noise')) =>
    measureNoise({ experiment: { ...asked(), ...change }, outDir, resume: false, signal, progress });
  const floorOf = async (change: Partial<Experiment>, name: string) => {
    const outDir = join(folder, name);
    await measure({ experiment: { ...asked(), repetitions: 1, ...change }, outDir, resume: false, signal, progress });
    const reader = openStore(join(outDir, 'experiment.db'));
    const { quality } = analyzeStore(reader).findings;
    reader.close();
    return quality.noise_floor;
  };

  it('is in later experiments of the same workload, and in no others', async () => {
    expect(await floorOf({}, 'before')).toBeNull();
    const { result, path, error } = await noise();
    expect(error).toBeNull();
    const measured = result.analysis?.findings.quality.noise_floor;
    expect(measured).toMatchObject({ blocks: 6, source: 'inline' });
    expect(result.analysis?.findings.variants.map(({ name }) => name)).toEqual(['native']);
    expect(path?.startsWith(join(folder, 'state', 'joulediff', 'noise'))).toBe(true);

    expect(await floorOf({}, 'after')).toEqual({ ...measured, source: 'stored' });
    // Another comparison with the same baseline has the same floor.
    expect(await floorOf({ name: 'other', marginPercent: 3 }, 'other')).toMatchObject({ source: 'stored' });
    // One block of two arms gives none of its own.
    expect(await floorOf({ variants: experiment(6).variants }, 'inline')).toEqual({ ...measured, source: 'stored' });
    expect(await floorOf({ baseline: 'container' }, 'container')).toBeNull();
    expect(await floorOf({ batch: 2 }, 'batch')).toBeNull();
    expect(await floorOf({ meters: ['estimate?idle=20'] }, 'meter')).toBeNull();
    const [first, second] = asked().variants;
    const longer = { ...native({ ...first?.workload, env: { SIZE: '2' } }) };
    expect(await floorOf({ variants: second ? [longer, second] : [] }, 'workload')).toBeNull();
  });

  it('is not kept of an experiment that was stopped, and what was kept before stays', async () => {
    const { path } = await noise();
    const before = readFileSync(path as string, 'utf8');
    const stop = new AbortController();
    const stopped = await measureNoise({
      experiment: asked(),
      outDir: join(folder, 'stopped'),
      resume: false,
      signal: stop.signal,
      progress: { ...progress, status: ({ done }) => (done === 11 ? stop.abort(new Stopped('SIGINT')) : undefined) },
    });
    expect(stopped.path).toBeNull();
    expect(stopped.error).toBeInstanceOf(Stopped);
    expect(readFileSync(path as string, 'utf8')).toBe(before);
  });

  it('is not kept where a check failed, which is named', async () => {
    const facts = { variants: ['native'] };
    const { path, error } = await measureNoise({
      experiment: asked(),
      outDir: join(folder, 'untrusted'),
      resume: false,
      signal,
      progress,
      onAnalyzed: ({ findings }) =>
        (findings.quality.checks as Check[]).push({ name: 'emulation', state: 'fail', reason: 'tcg', facts }),
    });
    expect({ path, message: (error as Error | null)?.message }).toEqual({
      path: null,
      message: "The noise floor can't be trusted and is not kept, because of failed checks: emulation.",
    });
  });

  it('is nothing where its file is damaged', async () => {
    const { path } = await noise();
    writeFileSync(path as string, '{"percent": 0}');
    expect(await floorOf({}, 'after')).toBeNull();
  });

  it('is not measured with fewer blocks than it needs', async () => {
    await expect(noise({ repetitions: 5 })).rejects.toThrow('a noise floor needs at least 6 blocks');
    expect(readdirSync(folder)).toEqual([]);
  });
});
