import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startPowercap } from '../emulators/powercap-truth.ts';
import { startEmulator } from '../emulators/start.ts';
import { createRandom } from './random.ts';

// Whole experiments of the program as it is shipped, in real time, on emulated meters whose true difference is known.

const CLI = new URL('../../dist/cli.js', import.meta.url).pathname;

/** Seconds of the workload, and the standard deviation of a block's log ratio. */
const [WORKLOAD_S, SCATTER] = [5, 0.01];

/** `executions`: a window holds ten readings at least. */
const KINDS = {
  counter: { start: startPowercap, executions: 1 },
  plug: {
    start: async () => {
      const started = await startEmulator('watts-up-pro');
      return { ...started, name: `watts-up-pro:${started.port}` };
    },
    executions: 3,
  },
};
export type Kind = keyof typeof KINDS;

export interface EmulatedExperiment {
  readonly kind: Kind;
  readonly changePercent: number;
  readonly minutes: number;
  readonly blocks: number | null;
  /** The line for scripts, or what the program printed where it failed. */
  readonly line: string;
}

/** A run turns its load on, lasts as long as its variant's draws say, and turns it off. */
const workload = (control: string, folder: string): string =>
  [
    `f=${folder}/$1`,
    'read -r seconds < "$f"',
    'sed -i 1d "$f"',
    `echo on > ${control}`,
    'sleep "$seconds"',
    `echo off > ${control}`,
  ].join('\n');

async function experiment(kind: Kind, changePercent: number, seed: number): Promise<EmulatedExperiment> {
  const { start, executions } = KINDS[kind];
  const meter = await start();
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-emulated-'));
  try {
    const random = createRandom(seed);
    const spread = (SCATTER / Math.SQRT2) * Math.sqrt(executions);
    for (const [variant, factor] of Object.entries({ before: 1, after: 1 + changePercent / 100 })) {
      const draws = Array.from(
        { length: 80 * executions },
        () => WORKLOAD_S * factor * Math.exp(spread * random.normal()),
      );
      writeFileSync(join(folder, variant), draws.map((seconds) => `${seconds.toFixed(4)}\n`).join(''));
    }
    writeFileSync(join(folder, 'run.sh'), workload(meter.control, folder));
    const variants = ['before', 'after'].map((name) => [name, { run: ['sh', join(folder, 'run.sh'), name] }]);
    const file = {
      workload: { run: 'true' },
      variants: Object.fromEntries(variants),
      baseline: 'before',
      repetitions: 'auto',
      batch: executions,
      seed,
      meter: meter.name,
    };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(file));
    mkdirSync(join(folder, 'home'));
    const from = performance.now();
    const child = spawn(process.execPath, [CLI, 'run', join(folder, 'joulediff.yml'), '--out', join(folder, 'out')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Other emulated experiments go on beside it: their locks have other names.
      env: { ...process.env, JOULEDIFF_LOCK: `joulediff.emulated.${process.pid}.${seed}`, HOME: join(folder, 'home') },
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const minutes = (performance.now() - from) / 60_000;
    if (child.exitCode !== 0) return { kind, changePercent, minutes, blocks: null, line: stderr.trim().slice(-300) };
    const findings = JSON.parse(readFileSync(join(folder, 'out', 'findings.json'), 'utf8'));
    return {
      kind,
      changePercent,
      minutes,
      blocks: findings.experiment.repetitions_completed,
      line: stdout.trim().split('\n').at(-1) ?? '',
    };
  } finally {
    await meter.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Experiments of both kinds with true changes of 0, 1 and 5 %, `times` of each, some side by side: they wait for nearly all of their time. */
export async function* emulated(times: number, seed: number, sideBySide = 5): AsyncGenerator<EmulatedExperiment> {
  const waiting = Object.keys(KINDS).flatMap((kind, k) =>
    [0, 1, 5].flatMap((change, c) =>
      Array.from({ length: times }, (_, i) => () => experiment(kind as Kind, change, seed + 10_000 * k + 1000 * c + i)),
    ),
  );
  const running = new Map<number, Promise<[number, EmulatedExperiment]>>();
  for (let next = 0; next < waiting.length || running.size > 0; ) {
    while (running.size < sideBySide && next < waiting.length) {
      const key = next++;
      running.set(
        key,
        waiting[key]!().then((done) => [key, done]),
      );
    }
    const [key, done] = await Promise.race(running.values());
    running.delete(key);
    yield done;
  }
}
