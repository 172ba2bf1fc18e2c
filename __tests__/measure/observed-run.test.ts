import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import type { Variant } from '../../src/executors/registry.ts';
import { measure } from '../../src/measure/measure.ts';
import { traceOne } from '../../src/measure/observed-run.ts';
import { setUpPlaces } from '../../src/measure/places.ts';
import type { ObservedRecord } from '../../src/store/observed.ts';
import { withStore } from '../../src/store/reader.ts';
import { container, native, testImage } from '../executors/bench.ts';
import { listening, shortExperiment } from './short-experiment.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const IMAGE = 'joulediff-test:busybox';
const neverStopped = new AbortController().signal;

/** Skipped by name where there is no compiler or nobody may trace; npm test installs both. */
const canTrace = [
  ['gcc', '--version'],
  ['strace', '-o', '/dev/null', 'true'],
].every(([program = '', ...args]) => spawnSync(program, args).status === 0);
const describeTracing = canTrace ? describe : describe.skip;

let outDir: string;
beforeEach(() => {
  outDir = join(mkdtempSync(join(tmpdir(), 'joulediff-traced-')), 'out');
});
afterEach(() => rmSync(join(outDir, '..'), { recursive: true, force: true }));

const observedOf = () => withStore(join(outDir, 'experiment.db'), (reader) => reader.observed());
const tracedOf = () => observedOf().filter(({ way }) => way === 'traced');

function amounts({ counts }: ObservedRecord, call: string) {
  const of = (wanted: string) => counts.find(({ kind, name }) => kind === wanted && name === call);
  return { calls: of('syscall')?.value, errors: of('syscall')?.errors, seconds: of('stretched')?.value };
}

describeTracing('runs under strace', () => {
  let folder: string;
  beforeAll(async () => {
    await testImage(IMAGE);
    folder = mkdtempSync(join(tmpdir(), 'joulediff-known-calls-'));
    // For whatever user a container has.
    chmodSync(folder, 0o755);
    const source = fileURLToPath(new URL('known-calls.c', import.meta.url));
    execFileSync('gcc', ['-O2', '-static', '-o', join(folder, 'known-calls'), source]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const explained = async (variants: readonly Variant[]) => {
    const { told, progress } = listening();
    const experiment = shortExperiment('/', variants, { repetitions: 1 });
    const request = { experiment, outDir, resume: false, signal: neverStopped, progress };
    await measure(request);
    await measure({ ...request, resume: true, explain: { rounds: 1, trace: true } });
    const { findings } = withStore(join(outDir, 'experiment.db'), analyzeStore);
    return { findings, told };
  };

  it('count every call and every error of a command and its children, on the host and in a container of any user', async () => {
    const work = (calls: number, opens: number) => [join(folder, 'known-calls'), `${calls}`, `${opens}`, '5'];
    const inside = { volumes: [`${folder}:${folder}:ro`], user: '1234:1234' };
    const prepared = { run: work(1000, 30), prepare: 'true', cleanup: 'true' };
    const { findings, told } = await explained([
      native({ run: work(1000, 10) }),
      container(IMAGE, { run: work(1000, 30) }, { ...inside, name: 'more errors' }),
      container(IMAGE, prepared, { ...inside, name: 'prepared' }),
    ]);
    const runs = tracedOf();
    expect(runs).toHaveLength(3);
    for (const run of runs) {
      const opens = run.variant === 'native' ? 10 : 30;
      const found = { told, variant: run.variant, reason: run.reason, by: run.by, executions: run.executions };
      expect(found).toEqual({
        ...{ told, variant: run.variant, reason: null, executions: 1 },
        by: [{ name: 'strace', failure: null }],
      });
      expect(amounts(run, 'getpid')).toMatchObject({ calls: 1000, errors: 0 });
      expect(amounts(run, 'openat')).toMatchObject({ calls: opens, errors: opens });
      expect(amounts(run, 'clock_nanosleep').calls).toBe(5);
      expect(amounts(run, 'clock_nanosleep').seconds).toBeGreaterThanOrEqual(0.05);
    }
    const { traced, rungs } = findings.explanation ?? {};
    expect(rungs).toContainEqual({ name: 'strace', state: 'used', missing: null });
    expect(traced?.runs).toEqual(
      ['native', 'more errors', 'prepared'].map((of) => ({ of, runs: 1, factor: expect.any(Number) })),
    );
    // Nothing of strace is in what the command printed.
    const logs = readdirSync(join(outDir, 'logs')).filter((name) => name.includes('observed-'));
    expect(logs.length).toBeGreaterThanOrEqual(6);
    for (const log of logs) expect(readFileSync(join(outDir, 'logs', log), 'utf8')).toBe('done\n');
  });

  it('end those that take too long, and leave nothing of them running', async () => {
    const { told, progress } = listening();
    const variant = native({ run: ['sleep', '86399'] });
    const experiment = shortExperiment('/', [variant]);
    await using places = await setUpPlaces('too-slow', {
      ...{ experiment, progress, signal: neverStopped, folder, recorded: null },
    });
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const request = { id: 'too-slow', experiment, seed: 1, folder, places, progress, signal: neverStopped };
    const turn = { round: 1, rounds: 1, variant: 'native', way: 'traced' as const, run: 1, scratch: folder };
    const { record } = await traceOne(request, { ...turn, usualS: 0, leastS: 2 });
    expect({ record, told }).toMatchObject({
      record: {
        ...{ status: 'failed', reason: 'it took longer than 2 s under strace', counts: [] },
        by: [{ name: 'strace', failure: 'too-slow' }],
      },
    });
    // strace is called with its table's path.
    expect(spawnSync('pgrep', ['-f', join(folder, '1', 'table')]).status).toBe(1);
    expect(existsSync(join(folder, '1'))).toBe(false);
  });
});
