// Class: system.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Stopped } from '../../src/errors.ts';
import { parseExperiment } from '../../src/experiment/read.ts';
import { measure } from '../../src/measure/measure.ts';
import { RunGroup } from '../../src/processes/run-group.ts';
import { withStore } from '../../src/store/reader.ts';
import { docker, eventually, isRunning, testImage } from '../executors/bench.ts';
import { entry } from '../terminal/program.ts';
import { listening } from './short-experiment.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-hooks-'));
  writeFileSync(join(folder, 'note'), 'echo "$1 $JOULEDIFF_RUN $JOULEDIFF_VARIANT" >> "$(dirname "$0")/happened"');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const happened = (): string[] => readFileSync(join(folder, 'happened'), 'utf8').replace(/\n$/, '').split('\n');

const { reported, progress } = listening();

const SHORT = {
  variants: { a: {}, b: {} },
  workload: { run: 'sh note run' },
  repetitions: 2,
  warmup: { runs: 0 },
  rest: 0.1,
  guard: 0.1,
  seed: 1,
  meter: 'estimate',
};

function measured(file: object, signal = new AbortController().signal): Promise<void> {
  const text = JSON.stringify({ ...SHORT, ...file });
  const experiment = parseExperiment(text, { file: 'joulediff.yml', directory: folder });
  return measure({ experiment, outDir: join(folder, 'out'), resume: false, signal, progress });
}

describe('hooks', () => {
  it('run before and after all, blocks and runs, and know which run it is', async () => {
    const names = ['before-all', 'before-block', 'prepare', 'cleanup', 'after-all'];
    await measured({ hooks: Object.fromEntries(names.map((name) => [name, `sh note ${name}`])) });
    const [first, second] = withStore(join(folder, 'out', 'experiment.db'), (reader) =>
      [...Map.groupBy(reader.runs(), ({ block }) => block).values()].map((runs) =>
        runs.flatMap(({ run, variant }) => ['prepare', 'run', 'cleanup'].map((what) => `${what} ${run} ${variant}`)),
      ),
    ) as [string[], string[]];
    expect(happened()).toEqual([
      ...['before-all 0 ', 'before-block 0 ', ...first],
      ...['before-block 0 ', ...second, 'after-all 0 '],
    ]);
  });

  it('may make the program that is measured', async () => {
    const make = "printf '#!/bin/sh\\n:' > made && chmod +x made";
    await measured({ workload: { run: './made' }, hooks: { 'before-all': { run: make, place: 'variant' } } });
    expect(
      withStore(join(folder, 'out', 'experiment.db'), (reader) => reader.runs().map(({ status }) => status)),
    ).toEqual(Array(4).fill('ok'));
  });

  it('show no value of pass-env, whatever its name is: neither in their logs nor where they fail', async () => {
    process.env.TEST_OF_HOOKS_LICENSE = 'a1b2-c3d4-e5f6';
    const print = 'echo "license $TEST_OF_HOOKS_LICENSE"';
    const hooks = { 'before-all': print, cleanup: print, 'after-all': `${print}; exit 1` };
    try {
      await measured({ hooks, 'pass-env': ['TEST_OF_HOOKS_LICENSE'] });
    } finally {
      delete process.env.TEST_OF_HOOKS_LICENSE;
    }
    const logs = join(folder, 'out', 'logs');
    const masked = 'license **************\n';
    expect(readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'))).toEqual([
      ...Array(4).fill(masked),
      masked.repeat(2),
    ]);
    expect(reported.join('\n')).toContain(
      'The hook after-all ended with exit code 1.\nIts last output:\n  license ***',
    );
    expect(reported.join('\n')).not.toContain('a1b2');
  });

  it('on the host are held to the limits of the machine, as workloads are', async () => {
    const probe = new RunGroup('hooks', { pids: 2000, memoryBytes: 2 ** 30 });
    const isHeld = probe.held().memoryBytes !== null;
    probe.remove();
    await measured({ hooks: { 'before-all': '(cat /proc/self/cgroup) > group' } });
    expect(readFileSync(join(folder, 'group'), 'utf8').includes('/joulediff-')).toBe(isHeld);
  });

  it('end the experiment where one before a block fails, and put things back all the same', async () => {
    const hooks = { 'before-block': 'echo no room; exit 3', 'after-all': ['sh', 'note', 'after-all'] };
    await expect(measured({ hooks })).rejects.toThrow(
      'The hook before-block ended with exit code 3.\nIts last output:\n  no room',
    );
    expect(happened()).toEqual(['after-all 0 ']);
  });

  it('fail a run where one before it takes longer than it may, and leave nothing running', async () => {
    const hooks = { prepare: { run: 'sleep 300', timeout: 0.2 }, cleanup: 'sh note cleanup' };
    await expect(measured({ hooks })).rejects.toThrow('A hook of variant');
    expect(reported.join('\n')).toContain('The hook prepare ended at its timeout of 0.2 s');
    expect(happened().every((line) => line.startsWith('cleanup '))).toBe(true);
  });

  it('leave nothing running after their run or the experiment, however it hides', async () => {
    const probe = new RunGroup('hiding', { pids: 2000, memoryBytes: null });
    const hidden = probe.held().pids === null ? 'env -i sleep 300' : 'env -i setsid sleep 300';
    probe.remove();
    const hooks = {
      'before-all': `${hidden} & echo $! > all`,
      prepare: `${hidden} & echo $! >> runs`,
    };
    // What has ended and is still listed has no command line.
    const alive = 'for pid in $(cat all runs); do grep -q sleep /proc/$pid/cmdline && echo $pid; done';
    const workload = { run: `test "$(${alive})" = "$(cat all; tail -n 1 runs)"` };
    await measured({ hooks, workload, repetitions: 1 });
    const pids = ['all', 'runs'].flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
    expect(pids.map((pid) => isRunning(Number(pid)))).toEqual([false, false, false]);
  });

  it('put things back when the program is stopped', async () => {
    const stop = new AbortController();
    const hooks = { 'before-all': 'touch before', 'after-all': 'sh note after-all' };
    const measuring = measured({ hooks, workload: { run: 'touch running; sleep 300' } }, stop.signal);
    const ended = expect(measuring).rejects.toThrow('stopped by SIGTERM');
    await eventually(() => existsSync(join(folder, 'running')));
    stop.abort(new Stopped('SIGTERM'));
    await ended;
    expect(happened()).toEqual(['after-all 0 ']);
  });

  it('are told as what they are where the program is stopped while one of a run is due', async () => {
    const stop = new AbortController();
    const hooks = { cleanup: 'sh note cleanup', 'after-all': 'exec sleep 300' };
    const measuring = measured({ hooks, workload: { run: 'touch running; sleep 300' } }, stop.signal);
    const ended = expect(measuring).rejects.toThrow('stopped by SIGTERM');
    await eventually(() => existsSync(join(folder, 'running')));
    stop.abort(new Stopped('SIGTERM'));
    await ended;
    expect(reported).toContain('The hook cleanup was not run after run 1, which was stopped.');
    expect(reported).toContain(
      'The hook after-all did not end within the 3 s that it has when joulediff is stopped, and was ended.',
    );
    expect(existsSync(join(folder, 'happened'))).toBe(false);
  });

  it('are ended where the program is stopped while after-all runs, and the result is kept', async () => {
    const stop = new AbortController();
    const hooks = { 'after-all': 'touch after; exec sleep 300' };
    const measuring = measured({ hooks, repetitions: 1, workload: { run: 'true' } }, stop.signal).catch(() => {});
    await eventually(() => existsSync(join(folder, 'after')));
    stop.abort(new Stopped('SIGTERM'));
    await measuring;
    expect(reported).toContain(
      'The hook after-all did not end within the 3 s that it has when joulediff is stopped, and was ended.',
    );
    const runs = withStore(join(folder, 'out', 'experiment.db'), (reader) => reader.runs());
    expect(runs.map(({ status }) => status)).toEqual(['ok', 'ok']);
  });

  it('clean up, as the workload does, after a run whose service died', async () => {
    const hooks = { cleanup: 'sh note hook' };
    const services = { server: { run: 'sleep 0.5' } };
    const workload = { run: 'sleep 300', cleanup: 'sh note workload' };
    await expect(measured({ hooks, services, workload })).rejects.toThrow();
    expect(happened().filter((line) => line.startsWith('workload '))).not.toEqual([]);
    expect(happened().map((line) => line.split(' ')[0])).toEqual(
      happened().map((__, i) => (i % 2 === 0 ? 'workload' : 'hook')),
    );
  });

  it('that were not run because joulediff was killed are told by whoever cleans up, once', async () => {
    const hooks = { cleanup: ['sh', 'note', 'cleanup'], 'after-all': 'sh note after-all' };
    const workload = { run: 'touch running; sleep 300' };
    const file = { ...SHORT, name: 'killed', workload, hooks };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(file));
    // What it leaves is for this test alone: any other start would find it in the usual place.
    const env = {
      ...process.env,
      XDG_STATE_HOME: join(folder, 'state'),
      JOULEDIFF_LOCK: `${process.env.JOULEDIFF_LOCK}.killed`,
    };
    const child = spawn(process.execPath, [entry, 'measure', '--out', join(folder, 'out')], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
    await eventually(() => existsSync(join(folder, 'running')));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const clean = () => spawnSync(process.execPath, [entry, 'clean'], { env, encoding: 'utf8' }).stdout;
    const first = clean();
    const rest = `of the experiment "killed" was not run, because joulediff was killed. If it is still needed, run it in ${folder}: sh note`;
    expect(first).toContain(`The hook cleanup after run 1 ${rest} cleanup`);
    expect(first).toContain(`The hook after-all ${rest} after-all`);
    expect(clean()).not.toContain('hook');
  });

  it('are refused in the place of a Compose project, which is there only for a run', () => {
    const variants = { a: {}, b: { compose: { file: 'compose.yml', service: 'web' } } };
    expect(() => measured({ variants, hooks: { prepare: { run: 'true', place: 'variant' } } })).toThrow(
      'hooks.prepare.place: "variant" was given, and no hook can run in the place of "b"; give host',
    );
  });

  it('have a place that there is', () => {
    expect(() => measured({ hooks: { prepare: { run: 'true', place: 'elsewhere' } } })).toThrow(
      'hooks.prepare.place: "elsewhere" was given; it must be "host" or "variant"',
    );
  });
});

describe('hooks in the place of a variant', () => {
  const IMAGE = `joulediff-test/hooks-${process.pid}`;
  const variants = {
    native: { env: { WHERE: 'native', AT: '.' } },
    inside: {
      image: IMAGE,
      pull: 'never',
      network: 'none',
      env: { WHERE: 'inside', AT: '/shared' },
      volumes: ['./:/shared'],
    },
  };
  const there = (name: string) => `echo "${name} $JOULEDIFF_RUN $JOULEDIFF_VARIANT $WHERE" >> $AT/happened`;
  beforeAll(() => testImage(IMAGE));
  afterAll(() => docker.getImage(IMAGE).remove({ force: true }));

  it('run in each of them before and after all and blocks, and in that of the run before and after it', async () => {
    const hook = (name: string) => [name, { run: there(name), place: 'variant' }];
    const hooks = Object.fromEntries(['before-all', 'before-block', 'prepare', 'cleanup', 'after-all'].map(hook));
    await measured({ hooks, variants, repetitions: 1, workload: { run: there('run') } });
    const runs = withStore(join(folder, 'out', 'experiment.db'), (reader) => reader.runs()).flatMap(
      ({ run, variant }) => ['prepare', 'run', 'cleanup'].map((what) => `${what} ${run} ${variant} ${variant}`),
    );
    const each = (name: string) => ['native', 'inside'].map((variant) => `${name} 0 ${variant} ${variant}`);
    expect(happened()).toEqual([...each('before-all'), ...each('before-block'), ...runs, ...each('after-all')]);
    expect(runs).toHaveLength(6);
    expect(await ours()).toEqual([]);
  });

  it.each([
    'native',
    'inside',
  ])('are told with their variant and output where they fail or take too long in the place of %s', async (name) => {
    const hooks = {
      'before-block': { run: `test $WHERE != ${name} || { echo no room; exit 3; }`, place: 'variant' },
      'after-all': { run: `test $WHERE != ${name} || exec sleep 300`, place: 'variant', timeout: 0.2 },
    };
    await expect(measured({ hooks, variants, workload: { run: 'true' } })).rejects.toThrow(
      `The hook before-block of variant "${name}" ended with exit code 3.\nIts last output:\n  no room`,
    );
    expect(reported).toContain(`The hook after-all of variant "${name}" ended at its timeout of 0.2 s.`);
    expect(await ours()).toEqual([]);
  });

  it('are not called a failure of the workload', async () => {
    const hooks = { prepare: { run: 'exit 3', place: 'variant' } };
    const only = { a: variants.native, b: {} };
    await expect(measured({ hooks, variants: only })).rejects.toThrow(/^A hook of variant "[ab]" failed twice/);
  });

  it('leave nothing running, and say so', async () => {
    const hooks = { 'before-all': { run: 'sleep 300 & echo $! > pid', place: 'variant' } };
    await measured({ hooks, variants: { a: {}, b: { run: 'sh note b' } }, repetitions: 1 });
    expect(reported.join('\n')).toMatch(
      /The hook before-all of variant "a" left (?:sleep|sh) running, which ended with it/,
    );
    expect(isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
  });

  const ours = async () =>
    (await docker.listContainers({ all: true })).filter(({ Mounts }) => Mounts.some(({ Source }) => Source === folder));
});

describe('idleness as a workload', () => {
  it('does nothing for so long, longer than a command may take', () => {
    const text = JSON.stringify({
      workload: { run: { idle: '2h' } },
      variants: { native: {}, inside: { image: 'x' } },
    });
    const { variants } = parseExperiment(text, { file: 'joulediff.yml', directory: folder });
    expect(variants.map(({ workload: { run, timeoutS } }) => [run, timeoutS])).toEqual([
      ['exec sleep 7200', 7260],
      ['exec sleep 7200', 7260],
    ]);
    const wrong = JSON.stringify({ workload: { run: { idle: -1 } }, variants: { a: {}, b: {} } });
    expect(() => parseExperiment(wrong, { file: 'joulediff.yml', directory: folder })).toThrow(
      'workload.run.idle: -1 was given; it must be a time above 0 and up to 168h',
    );
  });
});
