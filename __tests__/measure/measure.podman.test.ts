// Class: world.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { container, docker, during, native, testImage } from '../executors/bench.ts';
import { goodRuns, listening, shortExperiment } from './short-experiment.ts';

const IMAGE = `joulediff-test:outside-${process.pid}`;
const hasPodman = spawnSync('podman', ['--version']).status === 0;
/** Podman's own default, crun, refuses machines with control groups of both versions. */
const RUNTIME = existsSync('/sys/fs/cgroup/unified') ? 'runc' : null;

const podman = (...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync('podman', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

// Podman is real, and so is whoever ends its containers; the meter is the estimate of the processor's use.
(hasPodman ? describe : describe.skip)('containers of Podman (Debian package podman)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-outside-'));
    process.env.JOULEDIFF_LOCK = `joulediff.outside.${randomUUID()}`;
    await testImage(IMAGE, [`LABEL of=${IMAGE}`]);
  });
  afterAll(async () => {
    delete process.env.JOULEDIFF_LOCK;
    await docker.getImage(IMAGE).remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('that somebody removes or stops in the window give an invalid run, which is made up for', async () => {
    const [outDir, shared] = [join(folder, 'out'), join(folder, 'shared')];
    mkdirSync(shared);
    // A container is called what it finds as its host's name; the third one ends by itself.
    const run = 'test $(ls /shared | wc -l) -eq 2 && exit 0; mkdir /shared/$(hostname); sleep 300';
    const there = container(IMAGE, { run }, { engine: 'podman', runtime: RUNTIME, volumes: [`${shared}:/shared`] });
    const experiment = shortExperiment(folder, [there, native({ run: 'true' })], { repetitions: 1 });
    const { reported, progress } = listening();
    const { signal: never } = new AbortController();
    const measuring = measure({ experiment, outDir, resume: false, signal: never, progress });
    const ended = new Set<string>();
    for (const words of [
      ['rm', '--force', '--time=0'],
      ['stop', '--time=0'],
    ]) {
      const started = () => readdirSync(shared).find((name) => !ended.has(name));
      await during(measuring, () => started() !== undefined);
      const name = started() as string;
      ended.add(name);
      podman(...words, name);
    }
    await measuring;
    expect(goodRuns(outDir)).toEqual([1, 2]);
    const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
    const bad = runs.filter(({ status, cause }) => status !== 'ok' && cause !== 'block-repeated');
    expect(bad.map(({ status, cause, reason }) => ({ status, cause, reason }))).toEqual(
      Array(2).fill({
        status: 'invalid',
        cause: 'place-lost',
        reason: 'Its container was ended or removed from outside',
      }),
    );
    expect(reported.join('\n')).not.toContain("Docker's engine");
    expect([...ended].filter((name) => podman('ps', '--all', '--quiet').includes(name))).toEqual([]);
  });

  it('that end at once, several in a window, give good runs', async () => {
    const outDir = join(folder, 'several');
    const there = container(IMAGE, { run: 'true' }, { engine: 'podman', runtime: RUNTIME });
    const several = { repetitions: 2, batch: 4, batchStarts: true } as const;
    const experiment = shortExperiment(folder, [there, native({ run: 'true' })], several);
    const { signal } = new AbortController();
    await measure({ experiment, outDir, resume: false, signal, progress: listening().progress });
    const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
    expect(runs.map(({ status, executions }) => ({ status, executions }))).toEqual(
      Array(4).fill({ status: 'ok', executions: 4 }),
    );
  });
});
