// Class: world.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { Stopped } from '../../src/errors.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { measure } from '../../src/measure/measure.ts';
import type { Progress } from '../../src/measure/progress.ts';
import { batchFor } from '../../src/schedule/batch.ts';
import { openStore } from '../../src/store/reader.ts';
import { container, native, testImage } from '../executors/bench.ts';

// Real processes and real containers under the whole of measuring, on the model that any machine has.

const IMAGE = 'joulediff-test:busybox';
process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

let folder: string;
let notes: string[];
beforeAll(() => testImage(IMAGE));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-batch-'));
  notes = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const progress: Progress = {
  status() {},
  note: (line) => void notes.push(line),
  warn: (line) => void notes.push(line),
  end() {},
};

function experiment(batch: Experiment['batch'], run: string | string[], image = IMAGE): Experiment {
  const there = (word: string) => word.replaceAll(folder, '/out');
  return {
    name: 'batch',
    directory: folder,
    variants: [
      native({ run }),
      container(image, { run: typeof run === 'string' ? there(run) : run.map(there) }, { volumes: [`${folder}:/out`] }),
    ],
    baseline: 'native',
    repetitions: 2,
    warmup: { runs: 1 },
    restS: 0.2,
    guardS: 0.1,
    batch,
    seed: 4,
    marginPercent: 1,
    meters: ['estimate'],
  };
}

const outDir = (): string => join(folder, 'out');

function measureInto(what: Experiment, options: { resume?: boolean; signal?: AbortSignal } = {}): Promise<void> {
  const signal = options.signal ?? new AbortController().signal;
  return measure({ experiment: what, outDir: outDir(), resume: options.resume ?? false, signal, progress });
}

function analysis() {
  const reader = openStore(join(outDir(), 'experiment.db'));
  try {
    return analyzeStore(reader);
  } finally {
    reader.close();
  }
}

describe('batch', () => {
  it('executes the command so often inside each window, but once in a warm-up run', async () => {
    const marks = join(folder, 'marks');
    await measureInto(experiment(3, `echo x >> ${marks}; sleep 0.05`));
    const { findings, runs } = analysis();
    expect(runs.map((run) => [run.status, run.executions])).toEqual([
      ['warmup', 1],
      ['warmup', 1],
      ['ok', 3],
      ['ok', 3],
      ['ok', 3],
      ['ok', 3],
    ]);
    expect(readFileSync(marks, 'utf8')).toBe('x\n'.repeat(2 + 4 * 3));
    for (const run of runs.filter((one) => one.status === 'ok')) expect(run.durationS).toBeGreaterThan(0.15);
    for (const variant of findings.variants) {
      expect(variant).toMatchObject({ executions_per_run: 3, starts_per_run: 1 });
      expect(variant.per_execution?.energy_j).toBeCloseTo((variant.energy_j?.mean ?? 0) / 3, 9);
      expect(variant.per_execution?.duration_s).toBeCloseTo((variant.duration_s?.mean ?? 0) / 3, 9);
    }
    expect(readdirSync(join(outDir(), 'logs'))).toHaveLength(6);
  });

  it('auto makes every window long enough for the meter, with the same number for all, resumed or not', async () => {
    const stop = new AbortController();
    const marks = join(folder, 'marks');
    const what = { ...experiment('auto', `echo x >> ${marks}; sleep 1`), repetitions: 1 };
    const stopped = measureInto(what, { signal: stop.signal }).catch((reason: unknown) => reason);
    // Both warm-up runs, the first compared run, and a part of the second.
    await until(() => existsSync(marks) && readFileSync(marks, 'utf8').length >= 2 * (2 + 6 + 1));
    stop.abort(new Stopped('SIGINT'));
    expect(await stopped).toBe(stop.signal.reason);
    await measureInto(what, { resume: true });
    const { runs, findings } = analysis();
    expect(findings.experiment.complete).toBe(true);
    // Six, or fewer on a machine that was slow to start the sleep while it warmed up.
    const eachS = runs.slice(0, 2).map(({ durationS, place }) => (durationS ?? Number.NaN) - (place?.startUpS ?? 0));
    const times = batchFor(new Map([['both', eachS]]), 5);
    expect(runs.map((run) => [run.status, run.executions])).toEqual([
      ['warmup', 1],
      ['warmup', 1],
      ['ok', times],
      ['invalid', times],
      ['ok', times],
    ]);
    for (const run of runs.filter((one) => one.status === 'ok')) expect(run.durationS).toBeGreaterThan(times);
    const reported = `Each run repeats the command ${times} times, for a window of about 5 s (batch: auto).`;
    expect(notes.filter((note) => note === reported)).toHaveLength(2);
  });

  it.each([
    ['where the experiment asks for it', IMAGE, true],
    ['where an image has no shell, which is told', 'joulediff-test:bare', false],
  ])(
    'starts every variant anew for each execution %s',
    async (_, image, asked) => {
      if (!asked) await testImage(image, ['RUN rm /bin/sh']);
      await measureInto({ ...experiment(3, ['sleep', '0.02'], image), ...(asked && { batchStarts: true }) });
      const { findings } = analysis();
      for (const variant of findings.variants)
        expect(variant).toMatchObject({ executions_per_run: 3, starts_per_run: 3 });
      const [check] = findings.quality.checks.filter(({ name }) => name === 'start-up');
      expect(check).toMatchObject({
        state: asked ? 'ok' : 'warn',
        reason: 'large',
        facts: { asked, seen: [{ variant: 'container', executions: 3, starts: 3 }] },
      });
      expect(notes.filter((note) => note.includes('has no shell'))).toHaveLength(asked ? 0 : 1);
      expect(notes.filter((note) => note.startsWith('Every execution has a start of its own'))).toHaveLength(1);
    },
    60_000,
  );

  it('fails a run with the first execution that fails', async () => {
    const count = join(folder, 'count');
    const run = `echo x >> ${count}; test $(wc -l < ${count}) -ne 4`;
    await measureInto(experiment(2, run));
    const { runs } = analysis();
    expect(runs.filter((one) => one.status === 'failed')).toMatchObject([
      { reason: { kind: 'recorded', text: 'exit code 1' }, executions: 2 },
    ]);
    expect(runs.filter((one) => one.status === 'ok')).toHaveLength(4);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50));
}
