// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { useSteps } from '../../src/analysis/processor-use.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { native } from '../executors/bench.ts';
import { listening, shortExperiment } from './short-experiment.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-processors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a run keeps how busy the processors were, from its start to its end', async () => {
  const spin = 'sleep 1.1; timeout 1.5 sh -c "while :; do :; done" || true';
  const experiment = shortExperiment(folder, [native({ run: spin })], { repetitions: 1 });
  const outDir = join(folder, 'out');
  const { progress } = listening();
  await measure({ experiment, outDir, resume: false, signal: new AbortController().signal, progress });
  const { traces } = withStore(join(outDir, 'experiment.db'), analyzeStore);
  const [{ use, durationS } = { durationS: 0 }] = traces;
  const steps = useSteps(use!);
  expect(steps.length).toBeGreaterThanOrEqual(3);
  expect(steps.length).toBeLessThanOrEqual(5);
  expect([steps[0]!.x, steps.at(-1)!.x]).toEqual([0, durationS]);
  // The loop keeps one processor busy in the last stretch, whatever else runs on the machine.
  expect(steps.at(-1)!.y).toBeGreaterThan(0);
  expect(steps.map(({ y }) => Math.round(y)).filter((y) => y < 0 || y > 100)).toEqual([]);
});
