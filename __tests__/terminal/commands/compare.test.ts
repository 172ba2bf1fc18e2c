// Class: system.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { experimentFrom } from '../../../src/experiment/read.ts';
import type { Findings } from '../../../src/findings/findings.ts';
import { lockMachine } from '../../../src/measure/lock.ts';
import { comparisonDefinition } from '../../../src/terminal/commands/compare.ts';
import { terminalProgress } from '../../../src/terminal/progress.ts';
import { docker, testImage } from '../../executors/bench.ts';
import { TestRepository } from '../../measure/checkout/repository-folder.ts';
import { start } from '../program.ts';
import { BRIEF, compare, QUICK } from './comparing.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const IMAGE = 'joulediff-compare-test';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-compare-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('joulediff compare', () => {
  it('measures commands against each other, shows the result, and writes the file that it stands for', async () => {
    const kept = ['--set', 'history.branch=kept', '--export', 'asked.yml'];
    const ended = await compare(folder, 'sleep 0.1', 'sleep 0.2', ...QUICK, ...kept);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote asked.yml') });
    expect(ended.stdout).toContain('sleep 0.2');
    // Scripts read the last line.
    expect(ended.stdout).toMatch(/^Not added to the history\. .*\nverdict=.*\n$(?!.)/m);
    expect(ended.findings?.comparisons[0]).toMatchObject({ baseline: 'sleep 0.1', variant: 'sleep 0.2', blocks: 2 });
    expect(parse(readFileSync(join(folder, 'asked.yml'), 'utf8'))).toEqual({
      variants: { 'sleep 0.1': { run: 'sleep 0.1' }, 'sleep 0.2': { run: 'sleep 0.2' } },
      baseline: 'sleep 0.1',
      rest: '100ms',
      guard: '50ms',
      meter: 'estimate',
      history: { branch: 'kept' },
      repetitions: 2,
      warmup: { runs: 0 },
    });
    const planned = await start(['plan', 'asked.yml'], {}, folder).ended;
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('4 runs in randomized blocks') });
    const again = await compare(folder, 'true', 'false', ...QUICK, '--export', 'asked.yml');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('--export asked.yml is there already.') });
  });

  it('says of an image that holds no file of this machine why a command may fail in it', async () => {
    await testImage(IMAGE);
    try {
      const ended = await compare(folder, 'test -e ../*/asked.yml', '--image', IMAGE, '--native', ...QUICK);
      expect(ended).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /No file of this machine is in that container: .* by `--set 'variants\..*\.volumes=\[\.:\/src\]' --set /,
        ),
      });
    } finally {
      await docker.getImage(IMAGE).remove({ force: true });
    }
  });

  it('refuses one commit under two names, and measures the working tree in its place', async () => {
    const repository = TestRepository.create();
    try {
      repository.write('seconds', '0.1').commit();
      repository.write('seconds', '1');
      const words = ['sleep $(cat seconds)', '--base', 'main', ...QUICK];
      const refused = await compare(repository.path, ...words);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('your changes are not committed') });
      expect(existsSync(join(repository.path, 'joulediff-out', 'experiment.db'))).toBe(false);
      const { code, findings } = await compare(repository.path, ...words, '--worktree');
      expect(code).toBe(0);
      const variants = findings?.variants.map(({ name, duration_s }) => ({
        name,
        isChanged: (duration_s?.min ?? 0) >= 1,
      }));
      expect(variants).toMatchObject([{ name: 'main' }, { name: 'working tree', isChanged: true }]);
    } finally {
      repository.remove();
    }
  });

  it('compares HEAD with another commit, each in a checkout of its own', async () => {
    const repository = TestRepository.create();
    try {
      repository.write('seconds', '0.1').commit();
      repository.git('checkout', '--quiet', '-b', 'slower');
      repository.write('seconds', '2').commit();
      // What isn't committed is no part of it.
      repository.write('seconds', '60');
      const ended = await compare(repository.path, 'sleep $(cat seconds)', '--base', 'main', ...QUICK);
      expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
      const [main, head] =
        ended.findings?.variants.map(({ name, duration_s }) => ({ name, shortest: duration_s?.min })) ?? [];
      expect([main?.name, head?.name]).toEqual(['main', 'HEAD']);
      // A sleep is never shorter than it says, however busy the machine is.
      expect(head?.shortest).toBeGreaterThanOrEqual(2);
      expect(head?.shortest).toBeLessThan(60);
      expect(main?.shortest).toBeLessThan(2);
    } finally {
      repository.remove();
    }
  });

  it('tells a first estimate, ends as soon as the verdict stands, and refuses a number of runs beside a time', async () => {
    const ended = await compare(folder, 'sleep 0.05', 'sleep 0.1', ...BRIEF);
    expect(ended).toMatchObject({
      code: 0,
      // An interval of 50 % or more to either side is told by its ends.
      stderr: expect.stringMatching(/So far: \+\d+ (?:± [\d.]+ %|% \([+−]\d+ to \+\d+\)), no verdict yet\./),
    });
    const { comparisons, experiment } = ended.findings as Findings;
    expect(comparisons[0]?.verdict).toBe('increase');
    // As soon as it stands: a busy machine may need more than the first look.
    expect(experiment.repetitions_completed).toBeGreaterThanOrEqual(8);
    expect(experiment.repetitions_completed).toBeLessThan(experiment.repetitions_planned as number);
    expect(experiment.looks).toMatchObject({ stopped_because: 'settled', spending: 'pocock' });
    const refused = await compare(folder, 'true', 'true --version', '--runs', '9', '--within', '2min');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--runs was given beside --within') });
  });

  it('pauses briefly where nothing has to settle, and runs what is short often enough for the meter', async () => {
    const words = ['true', 'true --version', '--meter', 'estimate', '--runs', '0', '--export', 'none.yml'];
    // Refused before anything is measured or written.
    expect(await compare(folder, ...words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--runs: 0 was given'),
    });
    expect(existsSync(join(folder, 'none.yml'))).toBe(false);
    const ended = start(
      ['compare', 'sleep 1', 'sleep 2', '--meter', 'estimate', '--export', 'pauses.yml'],
      { JOULEDIFF_LOCK: `joulediff.test.${process.pid}` },
      folder,
    );
    await ended.until(({ stderr }) => stderr().includes('run 1 of'));
    ended.child.kill('SIGINT');
    expect((await ended.ended).code).toBe(130);
    expect(parse(readFileSync(join(folder, 'pauses.yml'), 'utf8'))).toMatchObject({
      rest: '300ms',
      guard: '100ms',
      batch: { executions: 'auto', window: '1s' },
      repetitions: { least: 8, within: '60s' },
    });
  });

  it('waits for the machine before it opens a meter that may be in use until then, and refuses other mistakes before', async () => {
    const JOULEDIFF_LOCK = `joulediff.test.busy.${process.pid}`;
    const own = mkdtempSync(join(folder, 'busy-'));
    const begin = (...more: string[]) =>
      start(['compare', 'true', 'true --version', '--meter', 'sdm120:/dev/none', ...more], { JOULEDIFF_LOCK }, own);
    const held = lockMachine('the experiment "first"', JOULEDIFF_LOCK);
    const WAIT = ['--set', 'on-busy.wait=2h'];
    expect(await begin().ended).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^Another experiment is being measured.* It is the experiment "first"/),
    });
    writeFileSync(join(own, 'there.yml'), '');
    const refused = { 'is there already': ['--export', 'there.yml'], 'not a result of joulediff': ['--out', '.'] };
    for (const [sentence, words] of Object.entries(refused)) {
      expect(await begin(...WAIT, ...words).ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(sentence),
      });
    }
    const waiting = begin(...WAIT);
    await waiting.until(({ stderr }) => stderr().includes('waiting for it'));
    expect(waiting.stderr()).not.toContain('/dev/none');
    held[Symbol.dispose]();
    expect(await waiting.ended).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/The machine is free.*\/dev\/none/s),
    });
  });

  const defined = async (...set: string[]) => {
    const given = { commands: ['true', 'true --version'], native: false, images: [], build: null, base: null };
    const comparison = { ...given, worktree: false, names: [] };
    const progress = terminalProgress({ write: () => {} });
    const { signal } = new AbortController();
    const options = { meter: 'estimate', set };
    const { definition, overrides } = await comparisonDefinition(comparison, options, { progress, signal });
    return { definition, experiment: experimentFrom(definition, { where: 'compare', directory: folder, overrides }) };
  };

  it.each([
    'metrics.rps={ line: "rps: *", unit: 1/s }',
    'phases=auto',
    'batch.executions=1',
  ])('runs each command once in a window where %s rules out more', async (setting) => {
    const { definition, experiment } = await defined(setting);
    expect(definition.batch).toBeUndefined();
    expect(experiment.batch).toBe(1);
  });

  it.each([
    [['batch.executions=5'], { batch: 5 }],
    [['batch.executions=auto'], { batch: 'auto', batchWindowS: 1 }],
    [['batch.window=3s'], { batch: 'auto', batchWindowS: 3 }],
    [['guard=2s'], { restS: 2, guardS: 2 }],
    [['guard=200ms'], { restS: 0.3, guardS: 0.2 }],
    [['rest=1s'], { restS: 1, guardS: 0.1 }],
    [['rest=50ms'], { restS: 0.05, guardS: 0.05 }],
    [['rest=2s', 'guard=1s'], { restS: 2, guardS: 1 }],
    [['repetitions.most=7'], { repetitions: 7, auto: { least: 7, withinS: 60 } }],
    [['repetitions.looks=[6, 10]'], { repetitions: 10, looks: [6, 10] }],
  ])('gives way with its defaults to %j', async (set, wanted) => {
    expect((await defined(...set)).experiment).toMatchObject(wanted);
  });

  it('writes a file that repeats what two variants have in common', async () => {
    const repository = TestRepository.create();
    repository.write('Dockerfile', 'FROM scratch\n').commit();
    const words = ['compare', 'true', '--base', 'HEAD', '--build', '.', ...QUICK, '--export', 'images.yml'];
    // No engine answers, which is found out after the file was written.
    await start(
      words,
      { DOCKER_HOST: `unix://${folder}/none`, JOULEDIFF_LOCK: `joulediff.test.${process.pid}` },
      repository.path,
    ).ended;
    const text = readFileSync(join(repository.path, 'images.yml'), 'utf8');
    expect(text.match(/context: \./g)).toHaveLength(2);
    expect(text).not.toMatch(/[&*]/);
    repository.remove();
  });

  it.each([
    [['compare'], 'compare needs a CMD: commands in quotes'],
    [['compare', 'true'], 'Only "true" was given, and nothing to compare it with.'],
    [['compare', 'true', 'false', '--export', '/tmp/elsewhere.yml', ...QUICK], 'lies in another folder'],
    [['sort file'], "joulediff compare 'sort file' 'ANOTHER COMMAND'"],
  ])('answers %j with what to do', async (words, sentence) => {
    expect(await start(words, {}, folder).ended).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  it.each(['--reps', '--runs'])('takes %s for --repetitions', async (option) => {
    writeFileSync(join(folder, 'two.yml'), '{ workload: { run: "true" }, variants: { a: {}, b: {} } }');
    const ended = await start(['plan', 'two.yml', option, '3', '--set', 'warmup.runs=0'], {}, folder).ended;
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('6 runs in randomized blocks') });
  });
});
