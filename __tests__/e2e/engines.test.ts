// Class: world, truth, long.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { type StartedPowercap, startPowercap } from '../emulators/powercap-truth.ts';
import { eventually } from '../executors/bench.ts';
import { isOpenToAll, lackForUsers, OrdinaryUser } from '../executors/container/ordinary-user.ts';
import {
  busyboxContext,
  CLI,
  containersOf,
  docker,
  experimentFile,
  joulediff,
  readCsv,
  start,
  temporaryFolder,
} from './program.ts';

const hasPodman = spawnSync('podman', ['--version']).status === 0;
/** Podman's own default, crun, refuses machines with control groups of both versions. */
const RUNTIME = existsSync('/sys/fs/cgroup/unified') ? { runtime: 'runc' } : {};
const IMAGE = `joulediff-engines-test:${process.pid}`;

const podman = (...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync('podman', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

/** Containers and copies of images in Podman. */
const leftInPodman = (experimentId: string): string =>
  podman('ps', '--all', '--quiet', '--filter', `label=joulediff.experiment=${experimentId}`) +
  podman('images', '--format', '{{.Repository}}:{{.Tag}}')
    .split('\n')
    .filter((name) => name.includes(experimentId))
    .join('\n');

const sleepers = (seconds: string): string =>
  spawnSync('pgrep', ['-f', `^sleep ${seconds.replace('.', '[.]')}$`], { encoding: 'utf8' }).stdout;

// Engines as variants of one experiment. Podman is real, and so is Docker's engine.
(hasPodman ? describe : describe.skip)('engines of containers (Debian package podman)', () => {
  const folder = temporaryFolder();
  let meter: StartedPowercap;
  beforeAll(async () => {
    const context = join(folder.path, 'context');
    docker('build', '-q', '-t', IMAGE, busyboxContext(context));
    meter = await startPowercap();
  });
  afterAll(async () => {
    await meter?.stop();
    // Where a test failed, this is what the notes say that go with the folder.
    await joulediff(['clean'], { env: { XDG_STATE_HOME: join(folder.path, 'state') } });
    folder.remove();
  });

  const experiment = (run: string, more: object = {}) => ({
    workload: { run },
    variants: {
      docker: {
        image: IMAGE,
        pull: 'never',
        engine: 'docker',
        network: 'none',
        volumes: [`${meter.folder}:${meter.folder}`],
      },
      podman: {
        image: IMAGE,
        pull: 'never',
        engine: 'podman',
        network: 'none',
        ...RUNTIME,
        volumes: [`${meter.folder}:${meter.folder}`],
      },
    },
    repetitions: 2,
    warmup: { runs: 0 },
    rest: '500ms',
    guard: '300ms',
    seed: 5,
    meter: meter.name,
    ...more,
  });
  const readFindingsJson = (out: string): Findings => JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'));

  it('measure the same image, each right by what the meter knows to be true, and leave nothing', async () => {
    const out = join(folder.path, 'out');
    const run = `echo on > ${meter.control}; sleep 1.5; echo off > ${meter.control}`;
    const file = experimentFile(folder.path, experiment(run), 'both.yml');
    const { code, stderr } = await joulediff(['run', file, '--out', out]);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    const { experiment: found, variants } = readFindingsJson(out);
    const facts = new Map(variants.map((variant) => [variant.name, variant.facts]));
    expect(facts.get('docker')).toMatchObject({ engine: 'docker', engine_rights: 'root' });
    expect(facts.get('podman')).toMatchObject({ engine: 'podman', engine_rights: 'root', ...RUNTIME });
    expect(facts.get('podman')?.image_id).toBe(facts.get('docker')?.image_id);
    const runs = readCsv(join(out, 'runs.csv'));
    expect(runs.map(({ status }) => status)).toEqual(Array(4).fill('ok'));
    const truth = meter.truth();
    for (const { start_ns, end_ns, energy_j } of runs) {
      const [from, to] = [BigInt(start_ns ?? 0), BigInt(end_ns ?? 0)];
      const allowed = truth.behindJ(from) + truth.behindJ(to) + 0.01 * truth.energyJ(from, to);
      expect(Math.abs(Number(energy_j) - truth.energyJ(from, to))).toBeLessThan(allowed);
    }
    expect(containersOf(found.id ?? '')).toEqual([]);
    expect(leftInPodman(found.id ?? '')).toBe('');
  });

  it('are cleaned up after a kill, and the experiment goes on with the image that it was begun with', async () => {
    const out = join(folder.path, 'killed');
    // Its own notes: any experiment that another test starts meanwhile would clean up.
    const env = { XDG_STATE_HOME: join(folder.path, 'state') };
    const seconds = `300.${process.pid}9`;
    const run = `test "$JOULEDIFF_VARIANT" = docker || test -e ${meter.folder}/again || sleep ${seconds}`;
    const file = experimentFile(folder.path, experiment(run), 'killed.yml');
    const program = start(['run', file, '--out', out], { env });
    while (sleepers(seconds) === '') {
      if (program.child.exitCode !== null) throw new Error((await program.ended).stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    program.child.kill('SIGKILL');
    await program.ended;
    const cleaned = await joulediff(['clean'], { env });
    expect(cleaned.stdout + cleaned.stderr).toMatch(/Removed the container \w+ that an earlier experiment left/);
    expect(cleaned.stdout + cleaned.stderr).toContain('Removed an image that an earlier experiment copied into podman');
    expect(sleepers(seconds)).toBe('');
    spawnSync('touch', [join(meter.folder, 'again')]);
    const { code, stderr } = await joulediff(['run', file, '--out', out, '--resume'], { env });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    const { experiment: found } = readFindingsJson(out);
    expect(found.complete).toBe(true);
    expect(leftInPodman(found.id ?? '')).toBe('');
  });
});

const areOpen = [process.execPath, CLI].every(isOpenToAll);
const LACK = hasPodman ? (lackForUsers() ?? (areOpen ? null : 'program that every user may read')) : 'podman';
const title = `the Podman of an ordinary user${LACK === null ? '' : ` (skipped: no ${LACK})`}`;
(LACK === null ? describe : describe.skip)(title, () => {
  const folder = temporaryFolder();
  let user: OrdinaryUser;
  beforeAll(() => {
    docker('build', '-q', '-t', `${IMAGE}-user`, busyboxContext(join(folder.path, 'context')));
  });
  afterAll(() => folder.remove());
  beforeEach(() => {
    user = new OrdinaryUser();
  });
  afterEach(() => user.remove());

  it('loses what a killed experiment left in it, and not what holds its namespaces', async () => {
    const archive = spawnSync('docker', ['save', `${IMAGE}-user`], { maxBuffer: 2 ** 28 }).stdout;
    user.run(['podman', 'load'], archive);
    // The service is then what makes it anew.
    user.run(['podman', 'system', 'migrate']);
    const seconds = `300.${process.pid}8`;
    const place = { image: `${IMAGE}-user`, pull: 'never', engine: 'podman', network: 'none', ...RUNTIME };
    const run = `test "$JOULEDIFF_VARIANT" = native || sleep ${seconds}`;
    const plan = { workload: { run }, variants: { native: {}, podman: place }, meter: 'estimate', seed: 1 };
    const file = experimentFile(user.home, {
      ...plan,
      repetitions: 1,
      warmup: { runs: 0 },
      rest: '300ms',
      guard: '200ms',
    });
    const env = { JOULEDIFF_LOCK: `joulediff.user.${process.pid}`, NO_COLOR: '1' };
    const program = user.start([process.execPath, CLI, 'run', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let reported = '';
    program.stderr?.on('data', (text) => {
      reported += text;
    });
    await eventually(() => {
      if (program.exitCode !== null) throw new Error(reported);
      return sleepers(seconds) !== '';
    });
    const services = () => user.processes().filter(({ command }) => command.includes(' system service '));
    const pause = Number(readFileSync(join(user.env.XDG_RUNTIME_DIR ?? '', 'libpod/tmp/pause.pid'), 'utf8'));
    const [first] = services();
    if (first === undefined) throw new Error('No service runs.');
    program.kill('SIGKILL');
    // It waits for the one that serves, which goes on without it.
    process.kill(first.pid, 'SIGKILL');
    const cleaned = user.run([process.execPath, CLI, 'clean'], undefined, env);
    expect(cleaned).toMatch(/Removed the container \w+ that an earlier experiment left/);
    expect(services()).toEqual([]);
    expect(sleepers(seconds)).toBe('');
    expect(user.processes().map(({ pid }) => pid)).toEqual([pause]);
    expect(user.run(['podman', 'ps', '--all', '--quiet'])).toBe('');
  });
});
