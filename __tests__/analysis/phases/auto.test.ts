// Class: unit.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { type FoundLines, findPhases } from '../../../src/analysis/phases/auto.ts';
import { CheckpointLines } from '../../../src/executors/phases/checkpoint-lines.ts';
import { ANY_LINE, type FindPhases } from '../../../src/executors/phases/phase-lines.ts';
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
function marksOfLog(run: number, log: readonly Printed[]) {
  const lines = new CheckpointLines([ANY_LINE]);
  const marks = new PhaseMarks<bigint>();
  const ns = (s: number) => BigInt(Math.round(s * 1e9));
  for (const { s, line } of log) {
    const shown = line.split('\r');
    for (const [i, piece] of shown.entries()) {
      const reported = lines.read(Buffer.from(piece));
      if (reported !== null) marks.take(reported, ns(s), i < shown.length - 1);
    }
  }
  const [first = 0, last = 0] = [log[0]?.s, log.at(-1)?.s];
  const record = { run, status: 'ok' as const, startNs: ns(first), endNs: ns(last) };
  return { list: marks.inWindow((tNs) => ({ tNs, lateNs: 0n }), record), record };
}

function found(asked: FindPhases, ...logs: (readonly Printed[])[]) {
  const runs = logs.map((log, i) => marksOfLog(i + 1, log));
  const all = findPhases(
    new Map(runs.map(({ list, record }) => [record.run, list])),
    runs.map(({ record }) => record),
    asked,
  );
  const { startNs = 0n } = runs[0]?.record ?? {};
  const marks = (all.marks.get(1) ?? []).map(({ phase, tNs }) => [phase, Number(tNs - startNs) / 1e9] as const);
  return {
    ...(all.lines as FoundLines),
    marks: all.marks,
    lines: all.lines?.printedAt ?? null,
    starts: marks,
    phases: marks.map(([phase]) => phase),
  };
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

it('lines that every run prints once in one order begin phases, and none of a long one is left out', () => {
  const { phases, common, used } = found('auto', redisLog(1, 1), redisLog(2, 1.5), redisLog(3, 0.7));
  expect(phases).toEqual(expect.arrayContaining(TESTS.map((test) => `====== ${test} ======`)));
  expect(phases.join()).not.toMatch(/requests completed|WARNING|milliseconds/);
  expect(common).toBeGreaterThan(used);
});

/** redis-benchmark 7 without -q: progress until a test ends, then its header and results. */
function plainBenchmark(factor: number): Printed[] {
  let s = 100;
  const log: Printed[] = [];
  for (const [i, test] of TESTS.entries()) {
    const progress = (rate: string) => `${test}: rps=${rate} (overall: ${rate}) avg_msec=0.${i}`;
    log.push({ s, line: ` \r${progress('-nan')}\r` });
    for (let k = 0; k <= i; k++, s += factor) log.push({ s: s + factor, line: ` \r${progress(`${7 + k}848.6`)}\r` });
    log.push({ s, line: `====== ${test} ======` });
    for (const line of [`  100000 requests completed in ${factor} seconds`, '  50 parallel clients', '', 'Summary:'])
      log.push({ s, line });
  }
  return log;
}

it('a display of progress begins its phase, and the header after it does not', () => {
  const { starts, merged, lines } = found('auto', plainBenchmark(1), plainBenchmark(1.3));
  expect(lines).toBe('start');
  expect(starts.map(([phase, s]) => [phase?.replace(/:.*/, ''), s])).toEqual(
    TESTS.map((test, i) => [test, (i * (i + 1)) / 2]),
  );
  expect(merged).toEqual([]);
});

it.each(['auto', { auto: true, lines: 'end' }] as const)('a header printed at the end names what ends: %j', (asked) => {
  const headers = (factor: number) =>
    plainBenchmark(factor).map(({ s, line }) => ({ s, line: line.includes('\r') ? 'busy' : line }));
  const { starts, lines } = found(asked, headers(1), headers(1.3));
  expect(lines).toBe('end');
  expect(starts).toEqual([
    ...TESTS.map((test, i) => [`====== ${test} ======`, (i * (i + 1)) / 2]),
    [null, (TESTS.length * (TESTS.length + 1)) / 2],
  ]);
});

it('lines begin phases if the file says so, or if they are too few to tell', () => {
  const log = [0, 5, 10, 15, 20].map((s) => ({ s, line: s === 0 ? '' : `part ${'abcde'[s / 5]}` }));
  expect(found('auto', log).starts).toEqual([
    ...['b', 'c', 'd', 'e'].map((letter, i) => [`part ${letter}`, 5 * i]),
    [null, 20],
  ]);
  expect(found({ auto: true, lines: 'start' }, log).starts).toEqual(
    ['b', 'c', 'd'].map((letter, i) => [`part ${letter}`, 5 * (i + 1)]),
  );
  expect(
    found(
      'auto',
      [0, 1, 20].map((s) => ({ s, line: ['', 'ready', 'bye'][Math.min(2, s)] ?? '' })),
    ).phases,
  ).toEqual(['ready']);
});

it('a line with too short a stretch is told with the phase that holds it', () => {
  const log = [0, 0.5, 50, 100].map((s, i) => ({ s, line: ['load', 'check', 'sort', 'end'][i] ?? '' }));
  const { phases, merged } = found('auto', log);
  expect(phases).toEqual(['check', 'sort']);
  expect(merged).toEqual([{ line: 'load', into: null }]);
  const many = Array.from({ length: 41 }, (_, i) => ({
    s: i,
    line: `line ${'abcdefg'[i % 7]}${'hijklm'[Math.floor(i / 7)]}`,
  }));
  expect(found('auto', many).used).toBe(30);
  expect(found('auto', many).merged).toHaveLength(10);
});

it('a run without phases is cut into equal slices', () => {
  const { starts, slices, used } = found(
    'auto',
    [0, 5, 20].map((s) => ({ s, line: 'tick' })),
  );
  expect([used, slices]).toEqual([0, 10]);
  expect(starts).toEqual(Array.from({ length: 10 }, (_, i) => [`slice ${i + 1} of 10`, 2 * i]));
});

it('a line that one run lacks, prints twice or prints elsewhere begins none', () => {
  const log = (...lines: string[]) => ['start', ...lines, 'end'].map((line, s) => ({ s, line }));
  const phases = (...logs: Printed[][]) => found('auto', ...logs).phases;
  expect(phases(log('load', 'sort', 'write'), log('load', 'sort', 'again', 'again', 'write'))).toEqual([
    ...['start', 'load', 'sort', 'write'],
  ]);
  expect(phases(log('load', 'sort', 'write'), log('load', 'write'))).toEqual(['start', 'load', 'write']);
  expect(phases(log('load', 'sort', 'write'), log('load', 'sort', 'sort', 'write'))).toEqual([
    'start',
    'load',
    'write',
  ]);
  expect(phases(log('load', 'sort'), log('sort', 'load'))).toHaveLength(2);
  expect(found('auto', log('load')).common).toBe(3);
});

it.each([
  ['one phase again and again', ['parse', 'render', 'parse', 'render']],
  ['phases that would be taken for lines at their ends', ['load', 'work', 'report', 'exit']],
  ['short ones', ['load', 'work', 'end', 'work']],
])('phases that the workload marked stay as they are: %s', (_, names) => {
  const log = ['hello', ...names.map((name) => `::joulediff phase ${name}`), 'bye'].map((line, s) => ({ s, line }));
  const { starts, lines } = found('auto', log, log);
  expect(lines).toBeNull();
  expect(starts).toEqual([...names.map((name, i) => [name, i + 1]), [null, names.length + 1]]);
  expect(found('auto', log, [...log].slice(0, 1)).marks.has(2)).toBe(false);
});

it('markers are known in what was recorded without the end of the last one, if one came again', () => {
  const record = (...names: (string | null)[]) =>
    new Map([[1, names.map((phase, i) => ({ phase, tNs: BigInt(i), lateNs: 0n }))]]);
  for (const marks of [record('a', 'b', 'a'), record('a', null, 'b', null)]) {
    const { lines, marks: kept } = findPhases(marks, [{ run: 1, status: 'ok', startNs: 0n, endNs: 9n }]);
    expect([lines, kept]).toEqual([null, marks]);
  }
});

it('they are phases like others from the measurement to the findings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-auto-'));
  try {
    const run = 'echo "load $$"; sleep 0.3; echo "sort at $(date +%T)"; sleep 0.3; echo tick; echo tick; sleep 0.1';
    const text = JSON.stringify({
      workload: { run },
      variants: { a: {}, b: {} },
      phases: 'auto',
      repetitions: 2,
      warmup: { runs: 0 },
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
    const { common, used, phases, lines, slices } = found('auto', ...logs.map(read));
    expect(common).toBeGreaterThan(20);
    // The engine stamped each test's progress together with its header, when it ended; what ends first is the server's start.
    expect([used, lines, slices]).toEqual([21, 'end', 0]);
    const tests = phases.slice(1, -1).map((phase) => phase?.replace(/[: ].*/, ''));
    expect(tests).toEqual(expect.arrayContaining(['PING_INLINE', 'SET', 'LRANGE_100', 'LRANGE_600', 'MSET']));
    expect(tests.join()).toMatch(/^[A-Z_,\d]+$/);
  },
);
