// Class: world, long.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../../src/analysis/analyze.ts';
import type { TraceChoice } from '../../../../src/contracts/tracers.ts';
import type { Variant } from '../../../../src/executors/registry.ts';
import type { Service } from '../../../../src/executors/service.ts';
import { measure } from '../../../../src/measure/measure.ts';
import { setUpPlaces } from '../../../../src/measure/places.ts';
import { computeExplanation } from '../../../../src/parts/explain/analysis/of-store.ts';
import { observe } from '../../../../src/parts/explain/measure/observe.ts';
import { traceOne } from '../../../../src/parts/explain/measure/observed-run.ts';
import type { ObservedRecord } from '../../../../src/store/observed.ts';
import { withStore } from '../../../../src/store/reader.ts';
import { container, native, testImage } from '../../../executors/bench.ts';
import { listening, shortExperiment } from '../../../measure/short-experiment.ts';
import { extraRunsAlone } from '../extra-runs.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const IMAGE = 'joulediff-test:busybox';
const neverStopped = new AbortController().signal;

/** Skipped by name where there is no compiler or nobody may trace; npm test installs both. */
const canTrace = [
  ['gcc', '--version'],
  ['strace', '-o', '/dev/null', 'true'],
].every(([program = '', ...args]) => spawnSync(program, args).status === 0);
const describeTracing = canTrace ? describe : describe.skip;
/** As above. */
const canUftrace = ['gcc', 'musl-gcc', 'uftrace'].every((program) => spawnSync(program, ['--version']).status === 0);
const describeUftrace = canUftrace ? describe : describe.skip;

let outDir: string;
beforeEach(() => {
  outDir = join(mkdtempSync(join(tmpdir(), 'joulediff-traced-')), 'out');
});
afterEach(() => rmSync(join(outDir, '..'), { recursive: true, force: true }));

const observedOf = () => withStore(join(outDir, 'experiment.db'), (reader) => reader.observed());
const tracedRecords = () => observedOf().filter(({ way }) => way === 'traced');

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
    const { reported, progress } = listening();
    const experiment = shortExperiment('/', variants, { repetitions: 1 });
    const request = { experiment, outDir, resume: false, signal: neverStopped, progress };
    await measure(request);
    await measure({ ...request, ...extraRunsAlone({ rounds: 1, trace: true }) });
    const { findings } = withStore(join(outDir, 'experiment.db'), (reader) => analyzeStore(reader, computeExplanation));
    return { findings, reported };
  };

  it('count every call and every error of a command and its children, on the host and in a container of any user', async () => {
    const work = (calls: number, opens: number) => [join(folder, 'known-calls'), `${calls}`, `${opens}`, '5'];
    const inside = { volumes: [`${folder}:${folder}:ro`], user: '1234:1234' };
    const prepared = { run: work(1000, 30), prepare: 'true', cleanup: 'true' };
    const { findings, reported } = await explained([
      native({ run: work(1000, 10) }),
      container(IMAGE, { run: work(1000, 30) }, { ...inside, name: 'more errors' }),
      container(IMAGE, prepared, { ...inside, name: 'prepared' }),
      container(IMAGE, { run: work(1000, 30) }, { ...inside, name: 'read-only', readOnly: true }),
      container(IMAGE, prepared, { ...inside, name: 'prepared, read-only', readOnly: true }),
    ]);
    const runs = tracedRecords();
    expect(runs).toHaveLength(5);
    for (const run of runs) {
      const opens = run.variant === 'native' ? 10 : 30;
      const found = { reported, variant: run.variant, reason: run.reason, by: run.by, executions: run.executions };
      expect(found).toEqual({
        reported,
        variant: run.variant,
        reason: null,
        executions: 1,
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
      ['native', 'more errors', 'prepared', 'read-only', 'prepared, read-only'].map((of) => ({
        of,
        runs: 1,
        factor: expect.any(Number),
      })),
    );
    // Nothing of strace is in what the command printed.
    const logs = readdirSync(join(outDir, 'logs')).filter((name) => name.includes('observed-'));
    expect(logs.length).toBeGreaterThanOrEqual(10);
    for (const log of logs) expect(readFileSync(join(outDir, 'logs', log), 'utf8')).toBe('done\n');
  });

  it.each([
    ['that take too long', ['sleep', '86399'], 2, 'too-slow', 'it took longer than 2 s under strace'],
    // A busy machine may need seconds to begin.
    ['whose tracer is killed', ['sh', '-c', 'kill -9 $PPID; exec sleep 86399'], 60, 'no-tracing', expect.any(String)],
  ] as const)('end those %s, and leave nothing of them running', async (_, run, leastS, limitation, reason) => {
    const { reported, progress } = listening();
    const variant = native({ run });
    const experiment = shortExperiment('/', [variant]);
    await using places = await setUpPlaces('too-slow', {
      experiment,
      progress,
      signal: neverStopped,
      folder,
      recorded: null,
    });
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const request = { id: 'too-slow', experiment, seed: 1, folder, places, progress, signal: neverStopped };
    const turn = { round: 1, rounds: 1, variant: 'native', way: 'traced' as const, run: 1, scratch: folder };
    const { record } = await traceOne(request, { ...turn, usualS: 0, leastS });
    expect({ record, reported }).toMatchObject({
      record: {
        status: 'failed',
        reason,
        counts: [],
        by: [{ name: 'strace', failure: limitation }],
      },
    });
    // strace is called with its table's path.
    expect(spawnSync('pgrep', ['-f', join(folder, '1', 'table')]).status).toBe(1);
    expect(existsSync(join(folder, '1'))).toBe(false);
  });
});

describeTracing('runs in which strace attaches to services', () => {
  let folder: string;
  let server: string;
  beforeAll(async () => {
    await testImage(IMAGE);
    folder = mkdtempSync(join(tmpdir(), 'joulediff-known-server-'));
    chmodSync(folder, 0o755);
    server = join(folder, 'known-server');
    const source = fileURLToPath(new URL('known-server.c', import.meta.url));
    execFileSync('gcc', ['-O2', '-static', '-pthread', '-o', server, source]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const PORT = `${20_000 + (process.pid % 10_000)}`;
  const service: Service = {
    name: 'server',
    run: [],
    env: {},
    workdir: null,
    place: 'variant',
    lifetime: 'run',
    ready: { kind: 'log', line: 'listening' },
    readyWithinS: 30,
    stop: { signal: 'SIGKILL', withinS: 10 },
  };
  const observed = async (variants: readonly Variant[], services: readonly Service[], trace: TraceChoice) => {
    const { progress } = listening();
    const experiment = shortExperiment('/', variants, { repetitions: 1, ...(services.length > 0 && { services }) });
    const own = { experiment, progress, signal: neverStopped };
    await measure({ ...own, outDir, resume: false });
    await using places = await setUpPlaces('services', { ...own, folder: outDir, recorded: null });
    await observe({ ...own, id: 'services', seed: 1, folder: outDir, places, rounds: 2, trace, observers: [] });
    return withStore(
      join(outDir, 'experiment.db'),
      (reader) => analyzeStore(reader, computeExplanation).findings.explanation,
    );
  };

  it('count every call that threads and children of a server make for the client, and none of before, in every place', async () => {
    const inside = { volumes: [`${folder}:${folder}:ro`] };
    const explanation = await observed(
      [native({ run: [server, PORT, '5'] }), container(IMAGE, { run: [server, PORT, '7'] }, inside)],
      [{ ...service, run: [server, PORT] }],
      ['strace-services', 'uftrace'],
    );
    const runs = observedOf().filter(({ way }) => way === 'attached');
    expect(runs).toHaveLength(4);
    for (const run of runs) {
      const asked = run.variant === 'native' ? 5 : 7;
      expect({ reason: run.reason, by: run.by }).toEqual({
        reason: null,
        by: [{ name: 'strace-services', failure: null }],
      });
      expect(amounts(run, 'getppid')).toMatchObject({ calls: 100 * asked, errors: 0 });
      expect(amounts(run, 'getpgid')).toMatchObject({ calls: 40 * asked, errors: 0 });
      expect(amounts(run, 'openat')).toMatchObject({ calls: 2 * asked, errors: 2 * asked });
      expect(amounts(run, 'getsid').calls).toBeUndefined();
      expect(amounts(run, 'connect').calls).toBeUndefined();
    }
    expect(explanation?.rungs).toContainEqual({ name: 'strace-services', state: 'used', missing: null });
    expect(explanation?.rungs).toContainEqual({ name: 'uftrace-services', state: 'unavailable', missing: 'lone' });
    const lines = explanation?.traced?.lines.filter(({ tracer }) => tracer === 'strace-services');
    expect(lines).toContainEqual(
      expect.objectContaining({ of: 'container', name: 'getppid', amount: 'calls', difference: 200 }),
    );
  });

  it('say that no service starts with a run, and change nothing else', async () => {
    const explanation = await observed([native({ run: 'true' })], [], ['strace-services']);
    expect(observedOf().map(({ way, status }) => `${way} ${status}`)).toEqual(['sampled ok', 'sampled ok']);
    const rung = { name: 'strace-services', state: 'unavailable', missing: 'place-not-seen' };
    expect(explanation?.rungs).toContainEqual(rung);
  });
});

describeUftrace('runs under uftrace', () => {
  let folder: string;
  let work: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-library-calls-'));
    work = join(folder, 'known-library-calls');
    const source = fileURLToPath(new URL('known-library-calls.c', import.meta.url));
    // The compiler knows what a pair comes to.
    execFileSync('gcc', ['-O2', '-fno-builtin', '-o', work, source]);
    execFileSync('musl-gcc', ['-O2', '-o', `${work}-musl`, source]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('count every call of a library that a command and its children make, where they are named', async () => {
    const { reported, progress } = listening();
    const experiment = shortExperiment(
      '/',
      [
        native({ run: [work, '1000'] }),
        { ...native({ run: `${work} 2000; ${work} 500` }), name: 'more' },
        { ...native({ run: [`${work}-musl`, '1000'] }), name: 'musl' },
      ],
      { repetitions: 1 },
    );
    const request = { experiment, outDir, resume: false, signal: neverStopped, progress };
    await measure(request);
    {
      // What else looks on takes its time, and is tried elsewhere.
      const own = { experiment, progress, signal: neverStopped, folder: outDir };
      await using places = await setUpPlaces('library-calls', { ...own, recorded: null });
      await observe({ ...own, id: 'library-calls', seed: 1, places, rounds: 2, trace: ['uftrace'], observers: [] });
    }
    const { findings } = withStore(join(outDir, 'experiment.db'), (reader) => analyzeStore(reader, computeExplanation));
    const runs = observedOf().filter(({ way }) => way === 'uftraced');
    const callCount = ({ counts }: ObservedRecord, call: string) =>
      counts.find(({ kind, name }) => kind === 'call' && name === call)?.value;
    const seen = runs.map((run) => ({
      variant: run.variant,
      failure: run.by[0]?.failure,
      reason: run.reason,
      strdup: callCount(run, 'strdup'),
      qsort: callCount(run, 'qsort'),
    }));
    const good = { failure: null, reason: null };
    const refused = {
      failure: 'not-glibc',
      reason: expect.stringContaining('another C library'),
      strdup: undefined,
      qsort: undefined,
    };
    for (const [variant, expected] of [
      ['native', { ...good, strdup: 1000, qsort: 10 }],
      ['more', { ...good, strdup: expect.any(Number), qsort: 20 }],
      ['musl', refused],
    ] as const) {
      const own = seen.filter((run) => run.variant === variant);
      expect({ reported, own }).toEqual({
        reported,
        own: [
          { variant, ...expected },
          { variant, ...expected },
        ],
      });
    }
    // The shell has strings of its own, as many each time.
    const strings = seen.flatMap(({ variant, strdup }) => (variant === 'more' ? [strdup] : []));
    expect(strings[0]).toBe(strings[1]);
    expect(strings[0]).toBeGreaterThanOrEqual(2500);
    const { traced, rungs } = findings.explanation ?? {};
    expect(rungs).toContainEqual({ name: 'uftrace', state: 'used', missing: null });
    expect(rungs).toContainEqual({ name: 'strace', state: 'unavailable', missing: 'not-asked' });
    expect(traced?.runs.map(({ of, tracer, runs: n }) => [of, tracer, n])).toEqual([
      ['native', 'uftrace', 2],
      ['more', 'uftrace', 2],
    ]);
    expect(traced?.lines).toContainEqual(
      expect.objectContaining({ tracer: 'uftrace', of: 'more', name: 'qsort', amount: 'calls', difference: 10 }),
    );
    const logs = readdirSync(join(outDir, 'logs')).filter((name) => name.includes('observed-native'));
    for (const log of logs) expect(readFileSync(join(outDir, 'logs', log), 'utf8')).toBe('done\n');
  });

  const shared = () => readdirSync('/dev/shm').filter((name) => name.startsWith('uftrace-'));

  it.each([
    [
      'that take too long',
      () => [work, '1', 'for-ever'],
      { leastS: 1 },
      'too-slow',
      'it took longer than 1 s under uftrace',
    ],
    [
      'that write too much',
      () => [work, '1', 'for-ever'],
      { mostBytes: 2 ** 20 },
      'wrote-too-much',
      'uftrace wrote more than 1 MiB of it',
    ],
    ['whose tracer is killed', () => ['sh', '-c', 'kill -9 $PPID'], {}, 'no-tracing', expect.any(String)],
    [
      'whose shell starts a program of another C library',
      () => `true; ${work}-musl 5`,
      {},
      'ended',
      expect.any(String),
    ],
    [
      'whose tracer hangs',
      () => [work, '1'],
      { leastS: 1, hangs: true },
      'too-slow',
      'it took longer than 1 s under uftrace',
    ],
  ] as const)('end those %s, and leave nothing of them', async (_, run, {
    hangs = false,
    ...bounds
  }: Bounds, limitation, reason) => {
    const { reported, progress } = listening();
    const before = shared();
    const env = { PATH: `${join(folder, 'stand-in')}:${process.env.PATH}` };
    mkdirSync(join(folder, 'stand-in'), { recursive: true });
    // Stands in for a uftrace that hangs, as it does on a program of another C library that is not seen to be one.
    writeFileSync(join(folder, 'stand-in', 'uftrace'), '#!/bin/sh\nexec sleep 86398\n', { mode: 0o755 });
    const variant = native({ run: run(), ...(hangs && { env }) });
    const experiment = shortExperiment('/', [variant]);
    await using places = await setUpPlaces('uftraced', {
      experiment,
      progress,
      signal: neverStopped,
      folder,
      recorded: null,
    });
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const request = { id: 'uftraced', experiment, seed: 1, folder, places, progress, signal: neverStopped };
    const turn = { round: 1, rounds: 1, variant: 'native', way: 'uftraced' as const, run: 1, scratch: folder };
    const { record } = await traceOne(request, { ...turn, usualS: 0, ...bounds });
    expect({ record, reported }).toMatchObject({
      record: { status: 'failed', reason, counts: [], by: [{ name: 'uftrace', failure: limitation }] },
    });
    expect(spawnSync('pgrep', ['-f', join(folder, '1', 'trace')]).status).toBe(1);
    expect(spawnSync('pgrep', ['-f', `${work} 1|sleep 86398`]).status).toBe(1);
    expect(existsSync(join(folder, '1'))).toBe(false);
    expect(shared()).toEqual(before);
  });
});

interface Bounds {
  readonly leastS?: number;
  readonly mostBytes?: number;
  readonly hangs?: boolean;
}
