// Class: world, long.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Service } from '../../../../src/executors/service.ts';
import type { Experiment } from '../../../../src/experiment/experiment.ts';
import { measure } from '../../../../src/measure/measure.ts';
import { observedRuns } from '../../../../src/parts/explain/analysis/observed.ts';
import { explaining } from '../../../../src/parts/explain/measure/explaining.ts';
import { observe } from '../../../../src/parts/explain/measure/observe.ts';
import { observedPlan } from '../../../../src/parts/explain/measure/observed-plan.ts';
import type { ObserverKind } from '../../../../src/parts/explain/observers/observer.ts';
import { perfTree } from '../../../../src/processes/observed-group.ts';
import { runExperiment } from '../../../../src/run/run.ts';
import type { ObservedRecord } from '../../../../src/store/observed.ts';
import { withStore } from '../../../../src/store/reader.ts';
import { container, native, testImage } from '../../../executors/bench.ts';
import { listening, shortExperiment } from '../../../measure/short-experiment.ts';
import { extraRunsAlone } from '../extra-runs.ts';
import { canCount, canLook } from '../observers/can-look.ts';
import { countersStandIn } from '../observers/perf-counters/stand-in.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const IMAGE = 'joulediff-test:busybox';
const CALLS = 200_000;
/** A call for every byte, of each of two kinds. */
const WORK = ['busybox', 'dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', `count=${CALLS}`];

let outDir: string;
beforeEach(() => {
  outDir = join(mkdtempSync(join(tmpdir(), 'joulediff-observe-')), 'out');
});
afterEach(() => rmSync(join(outDir, '..'), { recursive: true, force: true }));

const TMPFS = 0x01021994;
const observedOf = () => withStore(join(outDir, 'experiment.db'), (reader) => reader.observed());
const neverStopped = new AbortController().signal;

it('every variant comes once a round, in orders that the seed gives, and what is there already is left out', () => {
  const all = observedPlan(['a', 'b'], 1, []);
  expect(all).toHaveLength(10);
  expect(observedPlan(['a', 'b'], 1, [])).toEqual(all);
  expect(new Set(all.map(({ round, variant }) => `${round} ${variant}`)).size).toBe(10);
  const ok = { ...all[0]!, status: 'ok' as const };
  const bad = { ...all[1]!, status: 'failed' as const };
  expect(observedPlan(['a', 'b'], 1, [ok, bad])).toEqual(all.slice(1));
  expect(observedPlan(['a', 'b'], 1, [ok, bad, bad])).toEqual(all.slice(2));
});

it('an experiment that is not there, or not finished, is not explained', async () => {
  const experiment = shortExperiment('/', [native({ run: 'true' })]);
  const request = {
    experiment,
    outDir,
    ...extraRunsAlone(),
    signal: neverStopped,
    progress: listening().progress,
  };
  await expect(measure(request)).rejects.toThrow(
    /There is no experiment\.db in .*, so there is nothing that runs could be added to/,
  );
  const stop = new AbortController();
  const { progress } = listening((done) => done === 1 && stop.abort(new Error('stopped')));
  await expect(measure({ experiment, outDir, resume: false, signal: stop.signal, progress })).rejects.toThrow(
    'stopped',
  );
  await expect(measure(request)).rejects.toThrow(/isn't finished: what differs isn't known yet/);
});

it('says that services are not looked at that last as long as the experiment', async () => {
  const service: Service = {
    name: 'server',
    run: ['sleep', '1000'],
    env: {},
    workdir: null,
    place: 'host' as const,
    lifetime: 'experiment' as const,
    ready: null,
    readyWithinS: 30,
    stop: { signal: 'SIGKILL', withinS: 10 },
  };
  const experiment = shortExperiment('/', [native({ run: 'true' })], { repetitions: 1, services: [service] });
  const { progress } = listening();
  const request = { experiment, outDir, resume: false, signal: neverStopped, progress };
  await measure(request);
  const { analysis, error } = await runExperiment({ ...request, ...extraRunsAlone({ rounds: 1 }) });
  expect(error).toBeNull();
  const rungs = analysis?.findings.explanation?.rungs;
  expect(rungs).toContainEqual({ name: 'services', state: 'unavailable', missing: 'lasts' });
  // What is known is there, be it none; what a process on the host received nobody knows.
  const totals = observedOf()[0]?.counts.flatMap(({ kind, name }) => (kind === 'bytes' ? [name] : []));
  expect(totals).toEqual(existsSync('/proc/self/io') ? ['read', 'written'] : []);
});

/** An observer that works and sees nothing. */
const blind = (name: string, more: Partial<ObserverKind> = {}): ObserverKind => ({
  name,
  probe: async () => {},
  start: async () => ({ cancel: async () => {}, end: async () => ({ counts: [], samples: [] }) }),
  ...more,
});

it('runs are made again for an observer that they lack, and not where there is only less to see', async () => {
  const { reported, progress } = listening();
  const experiment = shortExperiment('/', [native({ run: 'true' })], { repetitions: 1 });
  const request = { experiment, outDir, resume: false, signal: neverStopped, progress };
  await measure(request);
  const explainAgain = async (...observers: ObserverKind[]): Promise<string[]> => {
    const perform: ReturnType<typeof explaining>['perform'] = (asked) =>
      observe({ ...asked, rounds: 2, trace: false, observers });
    await measure({ ...request, ...extraRunsAlone(), extraRuns: { ...explaining(), perform } });
    return observedOf().map(({ by }) => by.map(({ name }) => name).join());
  };
  const user = blind('perf-user', { unless: 'perf-record' });
  const byUser = ['accounts,perf-user', 'accounts,perf-user'];
  expect(await explainAgain(user)).toEqual(byUser);
  const byRecord = ['accounts,perf-record', 'accounts,perf-record'];
  expect(await explainAgain(blind('perf-record'), user)).toEqual([...byUser, ...byRecord]);
  for (const observers of [[blind('perf-record'), user], [user], []]) {
    expect(await explainAgain(...observers)).toHaveLength(4);
    expect(reported.at(-1)).toBe('Nothing is left to observe.');
  }
  expect(await explainAgain(blind('perf-record'), blind('redis'))).toHaveLength(6);
});

/** A thread that makes system calls and touches pages, some hundreds every other millisecond. */
const BUSY = `for (const pause = new Int32Array(new SharedArrayBuffer(4)); ; Atomics.wait(pause, 0, 0, 2)) {
  for (let i = 0; i < 100; i++) process.memoryUsage.rss();
  Buffer.alloc(2 ** 20, 1);
}`;

/** Skipped by name where there is no gcc, which npm test installs. */
const itWithCompiler = spawnSync('gcc', ['--version']).status === 0 ? it : it.skip;
/** Skipped by name where files of the temporary folder are on no disk, or the kernel tells nothing of sockets. */
const itMoving =
  spawnSync('gcc', ['--version']).status === 0 &&
  statfsSync(tmpdir()).type !== TMPFS &&
  canCount('sock:sock_send_length')
    ? it
    : it.skip;
const itWithStrace = spawnSync('strace', ['--version']).status === 0 ? it : it.skip;
const describeLooking = canLook() ? describe : describe.skip;

describeLooking('runs that perf looks at', () => {
  let experiment: Experiment;
  beforeAll(() => testImage(IMAGE));
  beforeEach(() => {
    experiment = shortExperiment('/', [native({ run: WORK }), container(IMAGE, { run: WORK })], { repetitions: 1 });
    // Counters of the processor that are known: every instruction, and every cycle, is a system call.
    countersStandIn(join(outDir, '..'), { instructions: 'raw_syscalls/sys_enter', cycles: 'raw_syscalls/sys_enter' });
  });
  afterAll(() => {
    const left = readdirSync(perfTree() as string).filter((name) => name.startsWith(`joulediff_${process.pid}_`));
    expect(left).toEqual([]);
  });

  const calls = (run: ObservedRecord, name: string, of = 'syscall'): number =>
    run.counts
      .filter(({ kind, name: counted }) => kind === of && counted === name)
      .reduce((sum, { value }) => sum + value, 0);

  it('are extra runs whose calls are counted one by one, on the host and in a container, and that change no energy', async () => {
    const { reported, progress } = listening();
    const measured = await runExperiment({ experiment, outDir, resume: false, signal: neverStopped, progress });
    const before = measured.analysis?.runs;
    const request = { experiment, outDir, ...extraRunsAlone({ rounds: 2 }), signal: neverStopped, progress };
    const { analysis, error } = await runExperiment(request);
    expect({ error, reported }).toMatchObject({ error: null });
    expect(analysis?.runs).toEqual(before);
    const observed = observedOf();
    expect(observed.map(({ status, reason }) => ({ status, reason }))).toEqual(
      Array.from({ length: 4 }, () => ({ status: 'ok', reason: null })),
    );
    expect(observed.flatMap(({ by }) => by.filter(({ failure }) => failure !== null))).toEqual([]);
    const [host, inside] = ['native', 'container'].map((name) => observed.filter(({ variant }) => variant === name));
    // A start reads and writes a little, too, and not always the same; an engine's own more than that of a process.
    const reads = (host ?? []).map((run) => calls(run, 'read'));
    expect(Math.max(...reads) - Math.min(...reads)).toBeLessThanOrEqual(10);
    for (const run of [...(host ?? []), ...(inside ?? [])]) {
      for (const name of ['read', 'write']) {
        expect(calls(run, name)).toBeGreaterThanOrEqual(CALLS);
        expect(calls(run, name)).toBeLessThan(CALLS + 3000);
      }
      expect(calls(run, 'all')).toBeGreaterThanOrEqual(2 * CALLS);
      expect(calls(run, 'instructions', 'counter')).toBe(calls(run, 'all'));
      const names = new Set(run.samples.flatMap(({ frames }) => frames.map(({ name }) => name)));
      expect([...names].filter((name) => /sys_(?:read|write)$/.test(name))).not.toEqual([]);
    }
    // What counts every call at less cost is there: nothing is traced that nobody asked for.
    const rungs = analysis?.findings.explanation?.rungs ?? [];
    // Kernels before 6.3 tell nothing of sockets.
    const seen = rungs.slice(0, -1).filter(({ name }) => name !== 'perf-sockets');
    expect(seen.map(({ name, state }) => `${name} ${state}`)).toEqual(
      ['accounts', 'perf-stat', 'perf-counters', 'perf-record', 'perf-waits', 'perf-disks'].map(
        (name) => `${name} used`,
      ),
    );
    expect(rungs.at(-1)).toEqual({ name: 'strace', state: 'unavailable', missing: 'not-asked' });
    expect(existsSync(join(outDir, 'explain.json'))).toBe(true);
    // Nothing is left to do.
    await measure({ ...request, progress });
    expect(observedOf()).toHaveLength(4);
  });

  itWithCompiler('count what a program of known work does, and nothing else', async () => {
    const program = join(outDir, '..', 'known-work');
    execFileSync('gcc', [
      '-O2',
      '-fno-builtin',
      '-o',
      program,
      fileURLToPath(new URL('known-work.c', import.meta.url)),
    ]);
    const [once, twice] = [1, 2].map((times) => {
      const work = [20_000, 20, 5000, 40, 100].map((count) => String(times * count));
      return { ...native({ run: [program, ...work] }), name: `times ${times}` };
    });
    const known = shortExperiment('/', [once!, twice!], { repetitions: 1, baseline: 'times 1' });
    const { reported, progress } = listening();
    const request = { experiment: known, outDir, resume: false, signal: neverStopped, progress };
    await measure(request);
    // What other threads of joulediff do meanwhile is none of it.
    const busy = new Worker(BUSY, { eval: true });
    const { analysis, error } = await runExperiment({ ...request, ...extraRunsAlone({ rounds: 3 }) }).finally(() =>
      busy.terminate(),
    );
    expect({ error, reported }).toMatchObject({ error: null });
    const observed = observedOf();
    for (const [i, run] of observed.entries()) {
      const times = run.variant === 'times 1' ? 1 : 2;
      const sum = (kind: string, name: string): number =>
        run.counts.reduce((all, count) => (count.kind === kind && count.name === name ? all + count.value : all), 0);
      expect({
        i,
        status: run.status,
        getpid: sum('syscall', 'getpid'),
        sleeps: sum('syscall', 'clock_nanosleep'),
        failures: sum('error', 'close EBADF'),
      }).toEqual({ i, status: 'ok', getpid: times * 20_000, sleeps: times * 40, failures: times * 100 });
      // Its start calls and touches pages, too: some hundreds, as its C library does.
      const others = {
        calls: sum('syscall', 'all') - times * (20_000 + 40 + 100),
        faults: sum('fault', 'page-faults') - times * 5000,
      };
      expect(others.calls).toBeGreaterThan(0);
      expect(others.calls).toBeLessThan(150);
      expect(others.faults).toBeGreaterThan(512);
      expect(others.faults).toBeLessThan(1000);
      // No sleep of a millisecond is shorter, but for the moment that it takes to fall asleep.
      expect(sum('off-cpu', 'clock_nanosleep')).toBeGreaterThan(times * 0.036);
      expect(run.marks.map(({ phase }) => phase)).toEqual(['calls', 'copies', 'faults', 'sleeps', 'failures', null]);
    }
    const lines = analysis?.findings.explanation?.lines ?? [];
    const whole = (kind: string, name: string) =>
      lines.find((line) => line.phase === null && line.kind === kind && line.name === name);
    expect(whole('syscall', 'getpid')).toMatchObject({ difference: 20_000, baseline: 20_000, variant: 40_000 });
    expect(whole('syscall', 'clock_nanosleep')).toMatchObject({ difference: 40 });
    expect(whole('error', 'close EBADF')).toMatchObject({ difference: 100, unit: '1' });
    // Some more or less, as the kernel has them at hand.
    const faults = whole('fault', 'page-faults');
    expect(Math.abs((faults?.difference ?? 0) - 5000)).toBeLessThan(500);
    const work = analysis?.findings.explanation?.work ?? [];
    expect(work[0]).toMatchObject({ phase: null, story: 'instructions', per_cycle: { baseline: 1, variant: 1 } });
    expect(work[0]?.instructions.percent).toBeCloseTo(100, -1);
    // Of a phase that is over within a few readings nothing is said that isn't so.
    const ofCalls = lines.filter(({ kind, name, phase }) => kind === 'syscall' && name === 'getpid' && phase !== null);
    for (const { phase, ci95 } of ofCalls) {
      expect(phase).toBe('calls');
      expect(ci95?.[0]).toBeLessThanOrEqual(20_000);
      expect(ci95?.[1]).toBeGreaterThanOrEqual(20_000);
    }
    expect(analysis?.findings.explanation?.counters).toEqual(['cycles', 'instructions']);
    // One that both do as often is no difference.
    expect(whole('syscall', 'execve')).toBeUndefined();
  });

  itMoving('tell what moves to disks and over sockets in its phase, on the host and in a container', async () => {
    const folder = join(outDir, '..');
    const program = join(folder, 'moved-bytes');
    const source = fileURLToPath(new URL('moved-bytes.c', import.meta.url));
    execFileSync('gcc', ['-O2', '-static', '-o', program, source]);
    const [blocks, bytes] = [64, 1_000_000];
    const run = [program, join(folder, 'written'), String(blocks), String(bytes)];
    const inside = container(IMAGE, { run }, { volumes: [`${folder}:${folder}`] });
    const known = shortExperiment('/', [native({ run }), inside], { repetitions: 1 });
    const request = { experiment: known, outDir, resume: false, signal: neverStopped, progress: listening().progress };
    await measure(request);
    const { error } = await runExperiment({ ...request, ...extraRunsAlone({ rounds: 1 }) });
    expect(error).toBeNull();
    const observed = observedOf();
    expect(observed.flatMap(({ by }) => by.filter(({ failure }) => failure !== null))).toEqual([]);
    for (const { variant, phases } of observedRuns(observed)) {
      const sum = (of: string, name: string): number =>
        phases
          .filter(({ phase }) => phase === of)
          .flatMap(({ counts }) => counts)
          .reduce((all, count) => (count.name === name ? all + count.value : all), 0);
      const reported = (of: string) => ['network-sent', 'network-received'].map((name) => sum(of, name));
      expect({ variant, disk: reported('disk'), network: reported('network') }).toEqual({
        variant,
        disk: [0, 0],
        network: [bytes, bytes],
      });
      // What the file system notes beside is written, too.
      const written = sum('disk', 'disks-written') - blocks * 65_536;
      expect(written).toBeGreaterThanOrEqual(0);
      expect(written).toBeLessThan(1_000_000);
      expect(sum('network', 'disks-written')).toBeLessThan(blocks * 65_536);
    }
  });

  itWithStrace('are traced after the blocks where the file says so', async () => {
    const traced = shortExperiment('/', [native()], { repetitions: 1, explain: 'always', trace: ['strace'] });
    const stop = new AbortController();
    const { reported, progress } = listening();
    const note = (line: string): void => {
      reported.push(line);
      if (line.includes('extra runs are observed')) stop.abort(new Error('stopped'));
    };
    const extraRuns = explaining();
    const request = {
      experiment: traced,
      outDir,
      extraRuns,
      resume: false,
      signal: stop.signal,
      progress: { ...progress, note },
    };
    await expect(measure(request)).rejects.toThrow('stopped');
    expect(reported.at(-1)).toMatch(
      /^8 extra runs are observed .*; 3 of them run under strace, and may take very long/,
    );
  });

  it('follow the blocks where the file asks for them, and are gone on with after a stop', async () => {
    const always = { ...experiment, variants: experiment.variants.slice(0, 1), explain: 'always' as const };
    const stop = new AbortController();
    const { progress } = listening();
    const note = (line: string): void => {
      if (line.includes('round 2 of')) stop.abort(new Error('stopped'));
    };
    const extraRuns = explaining();
    const request = {
      experiment: always,
      outDir,
      extraRuns,
      resume: false,
      signal: stop.signal,
      progress: { ...progress, note },
    };
    await expect(measure(request)).rejects.toThrow('stopped');
    expect(observedOf().map(({ round }) => round)).toEqual([1]);
    await measure({ ...request, ...extraRunsAlone({ rounds: 2 }), signal: neverStopped, progress });
    expect(observedOf().map(({ round }) => round)).toEqual([1, 2]);
  });
});
