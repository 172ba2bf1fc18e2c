// Class: system.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runExperiment } from '../../src/run/run.ts';
import { native } from '../executors/bench.ts';
import { listening, shortExperiment } from '../measure/short-experiment.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

it('hands over what was found before it draws the report, which takes seconds', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'joulediff-run-'));
  const hasReport = (): boolean => existsSync(join(outDir, 'report.html'));
  const found: (readonly [number, boolean])[] = [];
  const { analysis, error } = await runExperiment({
    experiment: shortExperiment('/', [native({ run: 'true' }), { ...native({ run: 'true' }), name: 'b' }]),
    outDir,
    resume: false,
    signal: new AbortController().signal,
    progress: listening().progress,
    onAnalyzed: ({ findings }) => void found.push([findings.comparisons.length, hasReport()]),
  });
  expect({ error, found, written: hasReport() }).toEqual({ error: null, found: [[1, false]], written: true });
  expect(analysis?.findings.variants).toHaveLength(2);
  rmSync(outDir, { recursive: true, force: true });
});
