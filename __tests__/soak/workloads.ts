import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prng } from '../../src/stats/prng.ts';

/** Where an experiment is made, and what it may use. */
export interface Bench {
  /** Where the experiment file lies; not there yet. */
  readonly folder: string;
  /** Outside of it, mounted into containers under the same path. */
  readonly shared: string;
  readonly image: string;
  readonly meter: string;
  /** FIFO that switches the load, and its folder. */
  readonly control: string;
  readonly controlFolder: string;
  /** Digits that nothing else on this machine has in its command line. */
  readonly marker: string;
  /** Bytes that the workload prints which prints a lot. */
  readonly flood: number;
}

/** What the workload does at one of its executions, as lines of `sh`; `$n` counts them over all sessions, from 1. */
export interface WorkloadKind {
  readonly name: string;
  misbehaves(at: number, bench: Bench): readonly string[];
  /** Keys of the experiment file beside or in place of the usual ones. */
  keys?(bench: Bench): object;
  /** Makes what it needs in the folder. */
  lay?(bench: Bench): void;
}

const once = (at: number, line: string): string => `if [ "$n" = ${at} ]; then\n${line}\nfi`;

/** Without a network: making one takes the engine longer than such a run. */
const container = (bench: Bench) => ({ image: bench.image, pull: 'never', network: 'none', volumes: mounts(bench) });

const revisions = (bench: Bench) => ({
  before: { revision: 'main~1' },
  container: { revision: 'main', ...container(bench) },
});

const mounts = ({ shared, controlFolder }: Bench): string[] => [shared, controlFolder].map((path) => `${path}:${path}`);

export const PLAIN: WorkloadKind = { name: 'plain', misbehaves: () => [] };

/** No container, and hardly a pause: what is killed often enough costs little time. */
export const QUICK: WorkloadKind = {
  name: 'quick',
  misbehaves: () => [],
  keys: () => ({ variants: { a: {}, b: {} }, rest: '40ms', guard: '20ms' }),
};

export const WORKLOADS: readonly WorkloadKind[] = [
  PLAIN,
  { name: 'fails once', misbehaves: (at) => [once(at, 'echo no space left >&2; exit 7')] },
  { name: 'killed by a signal', misbehaves: (at) => [once(at, 'kill -9 $$')] },
  {
    name: 'ignores SIGTERM',
    misbehaves: (at, { marker }) => [once(at, `trap "" TERM; while :; do sleep 0.5${marker}; done`)],
    keys: () => ({ timeout: '700ms' }),
  },
  { name: 'prints a lot', misbehaves: (at, { flood }) => [once(at, `yes ${'soaked '.repeat(60)} | head -c ${flood}`)] },
  {
    name: 'leaves daemons',
    // Its run is invalid each time, so once: three ways of hiding.
    misbehaves: (at, { marker }) =>
      ['sleep 3001', 'setsid sleep 3002', 'env -i setsid /bin/sh -c "exec sleep 3003'].map((daemon, i) =>
        once(at, `${daemon}.${marker}${i === 2 ? '"' : ''} >/dev/null 2>&1 &`),
      ),
  },
  {
    name: 'changes its own files',
    misbehaves: (_, { shared }) => [`echo "$n" >> ${shared}/data; rm -f ${shared}/gone; : > ${shared}/gone`],
  },
  {
    name: 'fills volumes',
    misbehaves: (_, { marker }) => [`if [ -d /scratch ]; then echo ${marker} > /scratch/mark; fi`],
  },
  {
    name: 'two revisions',
    misbehaves: () => [],
    keys: (bench) => ({ baseline: 'before', variants: revisions(bench) }),
    lay({ folder }) {
      const git = (...words: string[]) => {
        const who = ['-c', 'user.name=soak', '-c', 'user.email=soak@localhost', '-c', 'init.defaultBranch=main'];
        const done = spawnSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8' });
        if (done.status !== 0) throw new Error(`git ${words.join(' ')}: ${done.stderr}`);
      };
      git('init', '-q');
      for (const version of ['1', '2']) {
        writeFileSync(join(folder, 'version'), version);
        git('add', 'version');
        git('commit', '-q', '-m', `Version ${version}`);
      }
    },
  },
  {
    name: 'prepares and cleans up',
    misbehaves: (at, { shared }) => [`[ -e ${shared}/made ] || exit 9`, once(at, 'exit 1')],
    keys: ({ shared }) => ({ prepare: `: > ${shared}/made`, cleanup: `rm -f ${shared}/made` }),
  },
];

export interface SoakExperiment {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  readonly seed: number;
  readonly runs: number;
  /** Lines: one an execution that began. */
  readonly executions: string;
  /** The workload fails at one of its executions by itself. */
  readonly failsOnce: boolean;
}

/** Writes the experiment file of a workload with so many blocks. */
export function layExperiment(kind: WorkloadKind, blocks: number, bench: Bench, prng: Prng): SoakExperiment {
  const { folder, shared, control } = bench;
  for (const path of [folder, shared]) mkdirSync(path, { recursive: true });
  kind.lay?.(bench);
  const executions = join(shared, 'executions');
  const at = 1 + prng.index(2 * blocks);
  const script = [
    `echo . >> ${executions}; n=$(($(wc -l < ${executions})))`,
    `echo on > ${control}`,
    `sleep 0.${10 + prng.index(10)}${bench.marker}`,
    ...kind.misbehaves(at, bench),
    `echo off > ${control}`,
  ].join('\n');
  const { prepare, cleanup, timeout, variants, ...keys } = (kind.keys?.(bench) ?? {}) as Record<string, unknown>;
  const seed = prng.u32();
  const experiment = {
    name: `soak: ${kind.name}`,
    workload: { run: script, prepare, cleanup, timeout },
    variants: variants ?? { native: {}, container: container(bench) },
    repetitions: blocks,
    warmup: { runs: prng.index(2) },
    rest: '80ms',
    guard: '50ms',
    seed,
    meter: bench.meter,
    ...keys,
  };
  const file = join(folder, 'joulediff.yml');
  writeFileSync(file, JSON.stringify(experiment, null, 2));
  const failsOnce = ['fails once', 'killed by a signal', 'ignores SIGTERM', 'prepares and cleans up'].includes(
    kind.name,
  );
  return { name: kind.name, file, folder, seed, runs: 2 * (blocks + experiment.warmup.runs), executions, failsOnce };
}
