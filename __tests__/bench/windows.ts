import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage, busyboxContext, timeDockerStart } from './docker-start.ts';
import { type Figure, median, ms } from './figure.ts';
import { type MeasuredRun, measureRuns } from './joulediff.ts';

const REST_S = 0.3;
const IMAGE = `joulediff-bench:${process.pid}`;

function compared(runs: readonly MeasuredRun[], variant: string): number[] {
  return runs.filter((r) => r.variant === variant && r.status === 'ok').map((r) => r.durationS);
}

/** Starting the program, and how much longer its windows are than those of hyperfine and of Docker's own client. */
export async function* figures(folder: string): AsyncGenerator<Figure> {
  buildImage(busyboxContext(join(folder, 'image')), IMAGE);
  try {
    yield* windows(folder);
  } finally {
    spawnSync('docker', ['rmi', '-f', IMAGE]);
  }
}

async function* windows(folder: string): AsyncGenerator<Figure> {
  const experiment = {
    workload: { run: ['true'] },
    variants: { native: {}, container: { image: IMAGE, pull: 'never' } },
    repetitions: 30,
    warmup: { runs: 2 },
    rest: REST_S,
    guard: 0.2,
    meter: 'estimate',
  };
  const { spawnedNs, runs } = await measureRuns(folder, experiment);
  const first = runs.reduce((a, b) => (a.startNs < b.startNs ? a : b));
  const firstS = Number(first.startNs - spawnedNs) / 1e9 - REST_S;
  const native = median(compared(runs, 'native'));
  const container = median(compared(runs, 'container'));
  const over = (ours: number, theirs: number): string =>
    `${ms(ours)} (${ours > theirs ? '+' : ''}${ms(ours - theirs)})`;
  yield {
    what: 'process start to the first window, beyond its rest',
    joulediff: ms(firstS),
    beside: '',
    goal: 'under 200 ms',
  };
  const hyperfine = hyperfineTrue(folder);
  yield {
    what: 'native window of `true`, median of 30',
    joulediff: hyperfine === null ? ms(native) : over(native, hyperfine),
    beside: hyperfine === null ? 'hyperfine: not installed' : `hyperfine -N: ${ms(hyperfine)}`,
    goal: 'at most +20 ms',
  };
  const start = median(timeDockerStart(IMAGE, ['true'], 30));
  yield {
    what: 'container window of `true`, median of 30',
    joulediff: over(container, start),
    beside: `docker start -a: ${ms(start)}`,
    goal: 'at most +60 ms',
  };
}

/** Median seconds of `true` by hyperfine; null: it is not installed. */
function hyperfineTrue(folder: string): number | null {
  const file = join(folder, 'hyperfine.json');
  const done = spawnSync('hyperfine', ['-N', '--runs', '30', '--warmup', '3', '--export-json', file, 'true'], {
    encoding: 'utf8',
  });
  if (done.error) return null;
  if (done.status !== 0) throw new Error(`hyperfine: ${done.stderr}`);
  return JSON.parse(readFileSync(file, 'utf8')).results[0].median;
}
