// Class: unit.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { findPhases } from '../../../src/analysis/phases/auto.ts';
import type { PhaseMark } from '../../../src/contracts/execution.ts';
import { CheckpointLines } from '../../../src/executors/phases/checkpoint-lines.ts';
import { ANY_LINE } from '../../../src/executors/phases/phase-lines.ts';
import { PhaseMarks } from '../../../src/executors/phases/phase-marks.ts';
import { parseExperiment } from '../../../src/experiment/read.ts';
import { measure } from '../../../src/measure/measure.ts';
import { withStore } from '../../../src/store/reader.ts';
import { listening } from '../../measure/short-experiment.ts';

interface Printed {
  readonly s: number;
  readonly line: string;
}

/** The checkpoints that a log tells, as a run from its first line to its last. */
function runOf(run: number, log: readonly Printed[]) {
  const lines = new CheckpointLines([ANY_LINE]);
  const marks = new PhaseMarks<bigint>();
  const ns = (s: number) => BigInt(Math.round(s * 1e9));
  for (const { s, line } of log) {
    const told = lines.read(Buffer.from(line));
    if (told !== null) marks.take(told, ns(s));
  }
  const told = marks.told.filter((mark) => marks.isCheckpoint(mark));
  const list: PhaseMark[] = told.map(({ phase, at }) => ({ phase, tNs: at, lateNs: 0n }));
  const [first = 0, last = 0] = [log[0]?.s, log.at(-1)?.s];
  return { list, record: { run, status: 'ok' as const, startNs: ns(first), endNs: ns(last) } };
}

function found(...logs: (readonly Printed[])[]) {
  const runs = logs.map((log, i) => runOf(i + 1, log));
  const all = findPhases(
    new Map(runs.map(({ list, record }) => [record.run, list])),
    runs.map(({ record }) => record),
  );
  return { ...all, phases: (all.marks.get(1) ?? []).map(({ phase }) => phase) };
}

const TESTS = ['PING_INLINE', 'SET', 'GET', 'LPUSH', 'LRANGE_100', 'LRANGE_600', 'MSET'];

/** A server's start and a benchmark's output as those of Redis: process numbers, dates, addresses, progress, and one line of one run alone. */
function redisLog(seed: number, factor: number): Printed[] {
  let s = 1000 * seed;
  const log: Printed[] = [];
  const print = (after: number, line: string): void => {
    s += after * factor;
    log.push({ s, line });
  };
  const stamp = () => `${seed}:M ${10 + seed} Mar 2024 13:52:${10 + seed}.${seed}95`;
  print(0, `Container redis-${seed} Creating`);
  print(0.1, `${stamp()} # Server initialized at 0x7f${seed}ab01c`);
  if (seed === 2) print(0.1, `${stamp()} # WARNING Memory overcommit must be enabled!`);
  print(0.2, `${stamp()} * Ready to accept connections`);
  for (const [i, test] of TESTS.entries()) {
    print(0.1, `====== ${test} ======`);
    for (const percent of [25, 50, 75])
      print(1 + i, `${test === 'SET' ? '' : ' '}${percent}.0${seed}% <= ${seed}.1 milliseconds`);
    print(0.1, `  100000 requests completed in ${seed}.${i} seconds`);
  }
  print(0.2, `${stamp()} # User requested shutdown...`);
  print(0.1, 'bye');
  return log;
}

it('lines that every run prints once in one order begin phases, and of many those that split the runs best', () => {
  const { phases, common, used } = found(redisLog(1, 1), redisLog(2, 1.5), redisLog(3, 0.7));
  expect(phases).toEqual(expect.arrayContaining(['====== LRANGE_100 ======', '====== LRANGE_600 ======']));
  expect(phases.join()).not.toMatch(/requests completed|WARNING|milliseconds/);
  expect(common).toBeGreaterThan(used);
  expect(used).toBeLessThanOrEqual(8);
});

it('a line that one run lacks, prints twice or prints elsewhere begins none', () => {
  const log = (...lines: string[]) => ['start', ...lines, 'end'].map((line, s) => ({ s, line }));
  const { phases } = found(log('load', 'sort', 'write'), log('load', 'sort', 'again', 'again', 'write'));
  expect(phases).toEqual(['load', 'sort', 'write']);
  expect(found(log('load', 'sort', 'write'), log('load', 'write')).phases).toEqual(['load', 'write']);
  expect(found(log('load', 'sort', 'write'), log('load', 'sort', 'sort', 'write')).phases).toEqual(['load', 'write']);
  expect(found(log('load', 'sort'), log('sort', 'load')).phases).toHaveLength(1);
  expect(found(log('load')).common).toBe(3);
});

it('they are phases like others from the measurement to the findings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-auto-'));
  try {
    const run = 'echo "load $$"; sleep 0.3; echo "sort at $(date +%T)"; sleep 0.3; echo tick; echo tick; sleep 0.1';
    const text = JSON.stringify({
      ...{ workload: { run }, variants: { a: {}, b: {} }, phases: 'auto', repetitions: 2, warmup: { runs: 0 } },
      rest: 0.1,
      guard: 0.1,
      seed: 1,
      meter: 'estimate',
    });
    process.env.JOULEDIFF_LOCK = `joulediff.auto.${process.pid}`;
    const experiment = parseExperiment(text, { file: 'joulediff.yml', directory: folder });
    const { signal } = new AbortController();
    const outDir = join(folder, 'out');
    await measure({ experiment, outDir, resume: false, signal, progress: listening().progress });
    const { findings } = withStore(join(outDir, 'experiment.db'), (reader) => analyzeStore(reader));
    expect(findings.experiment.phase_lines).toMatchObject({ common: 2 });
    for (const { phases } of findings.variants) expect(phases?.map(({ phase }) => phase)).toContain('sort at #');
    expect(findings.comparisons[0]?.phases?.map(({ phase }) => phase)).toContain('sort at #');
  } finally {
    delete process.env.JOULEDIFF_LOCK;
    rmSync(folder, { recursive: true, force: true });
  }
});

const { JOULEDIFF_DATASETS: datasets = '' } = process.env;
const logs = ['reference', 'traced'].map((name) =>
  join(datasets, 'energydebug-redis-alpine-ubuntu-2024', `redis_${name}_log.txt`),
);

(logs.every((path) => existsSync(path)) ? it : it.skip)(
  'two real logs of Redis are aligned (JOULEDIFF_DATASETS)',
  () => {
    const read = (path: string): Printed[] =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((text) => {
          const [, s, line] = /^(\d{10}(?:\.\d+)?) (.*)$/s.exec(text) ?? [];
          return s === undefined ? [] : [{ s: Number(s), line: (line ?? '').replace(/^\S+ +\| ?/, '') }];
        });
    const { common, used, phases } = found(...logs.map(read));
    expect(common).toBeGreaterThan(20);
    expect(used).toBe(8);
    // Of the benchmark's tests, and no line of the server's start.
    expect(phases.every((phase) => /^[A-Z_]+.*: rps=#|^LRANGE_/.test(phase ?? ''))).toBe(true);
  },
);
