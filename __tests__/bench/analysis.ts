// How long the analysis takes, beside pandas and SciPy on the same database.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from '../../src/findings/findings.ts';
import { writeBigExperiment } from './big-experiment.ts';
import { type Figure, median, ms } from './figure.ts';
import { processUse } from './joulediff.ts';
import { pythonWithScipy } from './python.ts';

const CLI = new URL('../../dist/cli.js', import.meta.url).pathname;
const SCRIPT = new URL('./analysis.py', import.meta.url).pathname;
const SAMPLES = 1_000_000;

const ALONE = new URL('./analysis-alone.ts', import.meta.url).pathname;

/** All statistics and checks of 2 × 40 runs, each time in a process of its own; the bootstrap draws 10,000 resamples, the sign-flip test 9,999. */
async function* inProcess(): AsyncGenerator<Figure> {
  const of = (words: readonly string[]): number[] => {
    const runs = Array.from({ length: 5 }, () => spawnSync(process.execPath, [ALONE, ...words], { encoding: 'utf8' }));
    const times = runs.map(({ stdout }) => JSON.parse(stdout) as { first: number; after: number });
    return [median(times.map(({ first }) => first)), median(times.map(({ after }) => after))];
  };
  const scipy = pythonWithScipy();
  const reported = scipy && spawnSync(scipy, [SCRIPT, '--statistics'], { encoding: 'utf8' });
  const beside = reported && reported.status === 0 ? `SciPy: ${ms(Number(reported.stdout))}` : 'SciPy: not installed';
  const questions: [string, string[], string][] = [
    ['full analysis of 2 × 40 runs, 10,000 resamples', [], beside],
    ['… with looks at 20, 30 and 40 blocks', ['--looks'], ''],
  ];
  for (const [what, words, other] of questions) {
    const [first = 0, then = 0] = of(words);
    const joulediff = `${ms(first)} the first time, then ${ms(then)}`;
    yield { what, joulediff, beside: other, goal: 'under 150 ms' };
  }
}

interface Ended {
  readonly seconds: number;
  readonly peakMiB: number;
}

/** Runs a program to its end, its output into a file; peak memory as of the last look, every 5 ms. */
async function timed(program: string, words: readonly string[], output: string): Promise<Ended> {
  const file = openSync(output, 'w');
  const from = performance.now();
  const child = spawn(program, words, { stdio: ['ignore', file, 'inherit'] });
  let peakMiB = 0;
  const watch = setInterval(() => {
    try {
      peakMiB = Math.max(peakMiB, processUse(child.pid as number).peakMiB);
    } catch {
      // It has just ended.
    }
  }, 5);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  closeSync(file);
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return { seconds: (performance.now() - from) / 1000, peakMiB };
}

/** The quickest of three, so that a cold file cache or a busy machine counts for neither. */
async function best(run: () => Promise<Ended>): Promise<Ended> {
  const runs = [await run(), await run(), await run()];
  return runs.reduce((a, b) => (a.seconds < b.seconds ? a : b));
}

async function* fromDatabase(folder: string): AsyncGenerator<Figure> {
  const database = join(folder, 'experiment.db');
  const [ours, theirs] = [join(folder, 'ours.json'), join(folder, 'theirs.json')];
  writeBigExperiment(database, SAMPLES);
  const joulediff = await best(() => timed(process.execPath, [CLI, 'analyze', database, '--json'], ours));
  const python = pythonWithScipy();
  const scipy =
    python === null ? null : await best(() => timed(python, [SCRIPT, database, theirs], join(folder, 'python.log')));
  if (scipy !== null) expectSame(JSON.parse(readFileSync(ours, 'utf8')), JSON.parse(readFileSync(theirs, 'utf8')));
  const size = `${(statSync(database).size / 2 ** 20).toFixed(0)} MiB`;
  yield {
    what: `10⁶ samples (${size}), experiment.db to findings.json`,
    joulediff: ms(joulediff.seconds),
    beside: scipy === null ? 'pandas + SciPy: not installed' : `pandas + SciPy: ${ms(scipy.seconds)}`,
    goal: 'a fifth of pandas + SciPy',
  };
  yield {
    what: '… peak memory',
    joulediff: `${joulediff.peakMiB.toFixed(0)} MiB`,
    beside: scipy === null ? '' : `pandas + SciPy: ${scipy.peakMiB.toFixed(0)} MiB`,
    goal: 'under 100 MiB',
  };
}

/** Speed of another analysis would say nothing. */
function expectSame(
  ours: Findings,
  theirs: { variants: Record<string, { mean: number }>; comparison: { percent: number[] } },
): void {
  const pairs = [
    ...ours.variants.map((v) => [v.energy_j?.mean, theirs.variants[v.name]?.mean]),
    [ours.comparisons[0]?.percent.estimate, theirs.comparison.percent[0]],
    [ours.comparisons[0]?.percent.ci95?.[0], theirs.comparison.percent[1]],
    [ours.comparisons[0]?.percent.ci95?.[1], theirs.comparison.percent[2]],
  ];
  for (const [a, b] of pairs) {
    if (!(Math.abs(Number(a) / Number(b) - 1) < 1e-6)) throw new Error(`joulediff has ${a}, SciPy ${b}`);
  }
}

export async function* figures(folder: string): AsyncGenerator<Figure> {
  yield* inProcess();
  yield* fromDatabase(folder);
}
