// Prints figures of speed and memory beside what they are compared with, measured in the same run. It judges nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../emulators/start.ts';
import { analysisFigures } from './analysis.ts';
import { buildImage, busyboxContext, timeDockerStart } from './docker-start.ts';
import { historyFigures } from './history.ts';
import { type MeasuredRun, measureRuns, startMeasuring, usageOf } from './joulediff.ts';
import { recordFigures } from './records.ts';
import { pageFigures } from './report-page.ts';
import { type Figure, median, ms, table } from './table.ts';

const REST_S = 0.3;
const IMAGE = 'joulediff-bench';
const folder = mkdtempSync(join(tmpdir(), 'joulediff-bench-'));

function compared(runs: readonly MeasuredRun[], variant: string): number[] {
  return runs.filter((r) => r.variant === variant && r.status === 'ok').map((r) => r.durationS);
}

async function windows(): Promise<Figure[]> {
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
  const hyperfine = hyperfineTrue();
  const start = median(timeDockerStart(IMAGE, ['true'], 30));
  const over = (ours: number, theirs: number): string =>
    `${ms(ours)} (${ours > theirs ? '+' : ''}${ms(ours - theirs)})`;
  return [
    {
      what: 'process start to the first window, beyond its rest',
      joulediff: ms(firstS),
      beside: '',
      goal: 'under 1500 ms',
    },
    {
      what: 'native window of `true`, median of 30',
      joulediff: over(native, hyperfine),
      beside: `hyperfine -N: ${ms(hyperfine)}`,
      goal: 'at most +20 ms',
    },
    {
      what: 'container window of `true`, median of 30',
      joulediff: over(container, start),
      beside: `docker start -a: ${ms(start)}`,
      goal: 'at most +60 ms',
    },
  ];
}

function hyperfineTrue(): number {
  const file = join(folder, 'hyperfine.json');
  const done = spawnSync('hyperfine', ['-N', '--runs', '30', '--warmup', '3', '--export-json', file, 'true'], {
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`hyperfine: ${done.error?.message ?? done.stderr}; apt-get install hyperfine`);
  return JSON.parse(readFileSync(file, 'utf8')).results[0].median;
}

const SAMPLING_S = 60;

interface Sampling {
  readonly what: string;
  readonly type: string;
  readonly emulator?: readonly string[];
  readonly goal: string;
}

const SAMPLINGS: readonly Sampling[] = [
  { what: '1 Hz (Watts Up?)', type: 'watts-up-pro', goal: 'under 0.5 %' },
  { what: '25 Hz (MCP39F511N)', type: 'mcp39f511n', emulator: ['--state', '{"accumulation":1}'], goal: '' },
];

async function sampling({ what, type, emulator = [], goal }: Sampling): Promise<Figure[]> {
  const meter = await startEmulator(type, ...emulator);
  const experiment = {
    workload: { run: ['true'] },
    variants: { a: {}, b: {} },
    repetitions: 1,
    warmup: { runs: 0 },
    rest: SAMPLING_S + 60,
    guard: 3,
    meter: `${type}:${meter.port}`,
  };
  const child = startMeasuring(folder, experiment);
  try {
    // Opening the meter and the first rest; then nothing but sampling.
    await sleep(15_000);
    const before = usageOf(child.pid as number);
    await sleep(SAMPLING_S * 1000);
    const after = usageOf(child.pid as number);
    const share = (after.cpuS - before.cpuS) / SAMPLING_S;
    return [
      {
        what: `processor while sampling at ${what}, ${SAMPLING_S} s`,
        joulediff: `${(share * 3600).toFixed(1)} s an hour (${(100 * share).toFixed(2)} %)`,
        beside: '',
        goal,
      },
      {
        what: `peak memory while sampling at ${what}`,
        joulediff: `${after.peakMiB.toFixed(0)} MiB`,
        beside: '',
        goal: 'under 150 MB (143 MiB)',
      },
    ];
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
    await meter.stop();
  }
}

try {
  buildImage(busyboxContext(join(folder, 'image')), IMAGE);
  const figures = [...(await windows()), ...recordFigures(folder)];
  figures.push(...(await analysisFigures(folder)), ...(await pageFigures()), ...(await historyFigures()));
  for (const one of SAMPLINGS) figures.push(...(await sampling(one)));
  process.stdout.write(`${table(figures)}\n`);
} finally {
  spawnSync('docker', ['rmi', '-f', IMAGE]);
  rmSync(folder, { recursive: true, force: true });
}
