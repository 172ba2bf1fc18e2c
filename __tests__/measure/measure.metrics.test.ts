// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import type { Analysis } from '../../src/analysis/results.ts';
import { parseExperiment } from '../../src/experiment/read.ts';
import { Findings } from '../../src/findings/findings.ts';
import { measure } from '../../src/measure/measure.ts';
import { runsCsv } from '../../src/report/csv.ts';
import { reportHtml } from '../../src/report/html.ts';
import { summaryMarkdown } from '../../src/report/summary.ts';
import { terminalReport } from '../../src/report/terminal.ts';
import { withStore } from '../../src/store/reader.ts';
import { listening } from './short-experiment.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const BLOCKS = 6;
const printing = (perSecond: string, count: number) =>
  `echo "SET: rps=0"; sleep 0.2; echo "SET: ${perSecond} requests per second, p50"; echo "did ${count} things"`;
const FILE = {
  name: 'metrics',
  workload: { prepare: 'echo "did 3 things"', cleanup: 'echo "did 7 things"' },
  services: { server: { run: 'exec sleep 300' } },
  metrics: {
    set: { line: 'SET: * requests per second', unit: 'requests/s' },
    done: { line: '^did * things$', unit: 'things' },
    once: { line: 'once: * ms', unit: 'ms' },
  },
  variants: {
    slow: { run: printing('1,000', 500) },
    fast: { run: `${printing('2000.5', 1000)}; echo "once: 5 ms"` },
  },
  baseline: 'slow',
  repetitions: BLOCKS,
  warmup: { runs: 0 },
  rest: 0.15,
  guard: 0.1,
  seed: 1,
  meter: 'estimate',
};

let folder: string;
let reported: string[];
let analysis: Analysis;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-metrics-'));
  const experiment = parseExperiment(JSON.stringify(FILE), { file: 'joulediff.yml', directory: folder });
  const heard = listening();
  reported = heard.reported;
  const outDir = join(folder, 'out');
  const signal = new AbortController().signal;
  await measure({ experiment, outDir, resume: false, signal, progress: heard.progress });
  analysis = withStore(join(outDir, 'experiment.db'), analyzeStore);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metricsIn = (variant: string) => analysis.findings.variants.find(({ name }) => name === variant)?.metrics ?? [];

describe('numbers that the workload prints', () => {
  it('stand with every run, in a column each', () => {
    const rows = parse(runsCsv(analysis.runs, analysis.findings), { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(2 * BLOCKS);
    for (const { variant, metric_set, metric_done, metric_once } of rows) {
      expect([metric_set, metric_done, metric_once]).toEqual(
        variant === 'slow' ? ['1000', '500', ''] : ['2000.5', '1000', '5'],
      );
    }
  });

  it('are summarized with their unit, and with the energy of one', () => {
    const [set, done, once] = metricsIn('fast');
    expect(set).toMatchObject({ unit: 'requests/s', runs: BLOCKS, value: { mean: 2000.5, sd: 0 }, counts: 'requests' });
    expect(once).toMatchObject({ unit: 'ms', runs: BLOCKS, counts: null, energy_per_unit_j: null });
    const runs = analysis.runs.filter(({ variant }) => variant === 'fast');
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(done?.energy_per_unit_j?.mean).toBeCloseTo(mean(runs.map((run) => (run.energyJ ?? 0) / 1000)), 12);
    expect(set?.energy_per_unit_j?.mean).toBeCloseTo(mean(runs.map((run) => (run.meanPowerW ?? 0) / 2000.5)), 12);
    expect(done?.energy_per_unit_j?.mean_ci95).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it('are compared by blocks, and what only some runs print is not', () => {
    const [comparison] = analysis.findings.comparisons;
    const [set, done, once] = comparison?.metrics ?? [];
    expect(set?.percent?.estimate).toBeCloseTo(100.05, 9);
    // Without any scatter there is no interval.
    expect(done?.percent).toEqual({ estimate: 100, ci95: null });
    const { estimate = 0, ci95 } = done?.energy_per_unit_percent ?? {};
    // Twice as many things: the energy of each changes by what the energy of the run does, halved.
    expect(1 + estimate / 100).toBeCloseTo((1 + (comparison?.percent.estimate ?? 0) / 100) / 2, 9);
    expect(ci95).toEqual([expect.any(Number), expect.any(Number)]);
    expect(once).toEqual({ name: 'once', unit: 'ms', percent: null, energy_per_unit_percent: null });
  });

  it('are in a report beside the energy, with what ran beside the workload', () => {
    const text = summaryMarkdown(analysis.findings, analysis.runs);
    expect(text).toContain('What the workload printed');
    expect(text).toMatch(/J\s.*\sto\s.*\sper\s(?:thing|1000\sthings)/);
    expect(text).toContain('service server, started and ended outside of the window');
    expect(Findings.parse(analysis.findings).experiment).toMatchObject({
      window: 'workload',
      services: [{ name: 'server', place: 'variant', lifetime: 'run' }],
    });
  });

  it('that are missing are told once', () => {
    const missing = reported.filter((line) => line.includes('"once"'));
    expect(missing).toEqual([
      expect.stringMatching(
        /^Run \d+ \(slow\) printed no line such as "once: \* ms", so its metric "once" is not known\./,
      ),
    ]);
  });

  it('are not told where no run was good; what the model says of failed ones is told as such', async () => {
    const { services: _, ...file } = FILE;
    const failing = {
      ...file,
      workload: { run: 'sleep 0.2; exit 1' },
      variants: { a: {}, b: {} },
      baseline: 'a',
      warmup: { runs: 1 },
    };
    const experiment = parseExperiment(JSON.stringify(failing), { file: 'joulediff.yml', directory: folder });
    const outDir = join(folder, 'failed');
    const { progress } = listening();
    const signal = new AbortController().signal;
    await expect(measure({ experiment, outDir, resume: false, signal, progress })).rejects.toThrow('failed twice');
    const { findings, runs } = withStore(join(outDir, 'experiment.db'), analyzeStore);
    expect(findings.variants[0]?.metrics).toHaveLength(3);
    const documents = [
      summaryMarkdown(findings, runs),
      terminalReport({ findings }, { color: false }),
      reportHtml({ findings, runs, traces: [] }),
    ];
    for (const text of documents)
      expect(text.replace(/<script[\s\S]*/, '')).not.toMatch(/What the workload printed|Runs compared/);
    const [summary, , page] = documents;
    expect(runs.some(({ energyJ }) => energyJ !== null)).toBe(true);
    for (const text of [summary, page]) expect(text).toContain('Energy and power here are estimated by a model');
    expect(summary).toMatch(/^\| 1 \| warm-up \| `[ab]` \|/m);
  });
});
