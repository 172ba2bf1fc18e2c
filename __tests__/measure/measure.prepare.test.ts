// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { measure } from '../../src/measure/measure.ts';
import type { Progress } from '../../src/measure/progress.ts';
import { withStore } from '../../src/store/reader.ts';
import { container, native, testImage } from '../executors/bench.ts';

// Real processes and real containers under the whole of measuring, on the model that any machine has.

const IMAGE = 'joulediff-test:busybox';
process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

let folder: string;
let notes: string[];
beforeAll(() => testImage(IMAGE));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-prepare-'));
  notes = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const progress: Progress = {
  status() {},
  note: (line) => void notes.push(line),
  warn: (line) => void notes.push(line),
  end() {},
};

it('tells what prepare left running, and that it ended where it did', async () => {
  // Ends only when it is itself: what is told is its name.
  const prepare = 'sleep 300 & until grep -q ^sleep /proc/$!/comm; do :; done';
  const experiment = {
    name: 'prepare',
    directory: folder,
    variants: [native({ prepare, run: 'sleep 0.2' }), container(IMAGE, { prepare, run: 'sleep 0.2' })],
    baseline: 'native',
    repetitions: 2,
    warmup: { runs: 0 },
    restS: 0.2,
    guardS: 0.1,
    batch: 1,
    seed: 4,
    marginPercent: 1,
    meters: ['estimate'],
  };
  const outDir = join(folder, 'out');
  await measure({ experiment, outDir, resume: false, signal: new AbortController().signal, progress });
  expect(notes.filter((note) => note.startsWith('prepare of variant')).sort()).toEqual([
    'prepare of variant "container" left sleep running, which ended with prepare: in a container, prepare and run are two container starts, and only files survive the first. If the command needs it, put it under services.',
    'prepare of variant "native" left sleep running until the run is over: what it uses in the window is measured. In a container, it would have ended with prepare.',
  ]);
  const { findings } = withStore(join(outDir, 'experiment.db'), analyzeStore);
  expect(findings.quality.checks).toContainEqual({
    name: 'left by prepare',
    state: 'warn',
    reason: 'ended',
    facts: {
      seen: [
        { variant: 'native', processes: ['sleep'], runs_on: true, runs: 2 },
        { variant: 'container', processes: ['sleep'], runs_on: false, runs: 2 },
      ],
    },
  });
}, 60_000);
