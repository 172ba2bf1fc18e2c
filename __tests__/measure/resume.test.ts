// Class: system.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { Stopped } from '../../src/errors.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { container, docker, native, testImage } from '../executors/bench.ts';
import { listening, shortExperiment } from './short-experiment.ts';

// Real containers and processes, and the estimate of the processor's use as the meter.

const TAG = `joulediff-resume-test:${process.pid}`;
let folder: string;
let outDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-resume-'));
  outDir = join(folder, 'out');
  process.env.JOULEDIFF_LOCK = `joulediff.resume.${randomUUID()}`;
});
afterEach(async () => {
  delete process.env.JOULEDIFF_LOCK;
  rmSync(folder, { recursive: true, force: true });
  await docker
    .getImage(TAG)
    .remove({ force: true })
    .catch(() => {});
});

const experiment = (): Experiment =>
  shortExperiment(folder, [native({ run: 'sh ./work.sh' }), container(TAG, { run: 'cat /version; sleep 0.15' })]);

const imageOfVersion = (version: number) =>
  testImage(TAG, [`RUN ["/bin/busybox", "sh", "-c", "echo version ${version} > /version"]`]);

/** Measures until so many runs are through; gives what was told. */
async function session(resume: boolean, runs = Number.POSITIVE_INFINITY): Promise<string[]> {
  const stop = new AbortController();
  const { reported, progress } = listening((done) => done >= runs && stop.abort(new Stopped('SIGINT')));
  await measure({ experiment: experiment(), outDir, resume, signal: stop.signal, progress }).catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error;
  });
  return reported;
}

const read = () =>
  withStore(join(outDir, 'experiment.db'), (reader) => ({
    variants: reader.variants(),
    check: analyzeStore(reader).findings.quality.checks.find(({ name }) => name === 'files'),
  }));

it('goes on with the image that it was started with, and tells what else has changed', async () => {
  const first = await imageOfVersion(1);
  const { Id: id } = await docker.getImage(first).inspect();
  await docker.getImage(id).tag({ repo: `kept-${TAG.split(':')[0]}`, tag: String(process.pid) });
  try {
    writeFileSync(join(folder, 'work.sh'), 'sleep 0.15\n');
    await session(false, 2);
    await imageOfVersion(2);
    writeFileSync(join(folder, 'work.sh'), 'sleep 0.16\n');
    const reported = await session(true);
    expect(reported).toContainEqual(
      expect.stringMatching(/now refers to another image .* continues with the one that it started with/),
    );
    expect(reported).toContainEqual(
      expect.stringContaining('those that the experiment was started with: work.sh changed.'),
    );
    const { variants, check } = read();
    expect(variants[1]?.facts).toMatchObject({ image: TAG, image_id: id });
    expect(check).toEqual({
      name: 'files',
      state: 'warn',
      reason: 'changed',
      facts: { commit: false, changes: false, named: ['work.sh'] },
    });
    const logs = readdirSync(join(outDir, 'logs')).filter((name) => name.includes('container'));
    expect(logs.map((name) => readFileSync(join(outDir, 'logs', name), 'utf8'))).toEqual([
      'version 1\n',
      'version 1\n',
    ]);
  } finally {
    await docker.getImage(id).remove({ force: true });
  }
});

it('refuses to go on with another image where the one of before is gone', async () => {
  const { Id: id } = await docker.getImage(await imageOfVersion(1)).inspect();
  writeFileSync(join(folder, 'work.sh'), 'sleep 0.15\n');
  await session(false, 1);
  await docker.getImage(id).remove({ force: true });
  await imageOfVersion(3);
  await expect(session(true)).rejects.toThrow(
    `The image that variant "container" was started with, ${TAG} (${id.slice(0, 19)}), isn't on this machine any more.`,
  );
});
