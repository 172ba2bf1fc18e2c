// Class: world, long.
import { execFile } from 'node:child_process';
import { cpSync, type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestRepository } from '../../measure/checkout/repository-folder.ts';
import { busyboxContext, docker, joulediff, readCsv, temporaryFolder } from '../program.ts';
import { EXAMPLES, short } from './example.ts';

const IMAGE = `joulediff-examples-test:${process.pid}`;
const folder = temporaryFolder();

beforeAll(() => {
  docker('build', '-q', '-t', IMAGE, busyboxContext(join(folder.path, 'image')));
});
afterAll(() => {
  docker('rmi', '-f', IMAGE);
  folder.remove();
});

describe('the examples', () => {
  it('have a test for every folder', () => {
    // What belongs to a workflow or to another program has its tests elsewhere.
    const elsewhere = {
      workflows: '../../examples/workflows.test.ts',
      grafana: '../../examples/grafana.test.ts',
      meters: '../../meters/described/described.test.ts',
      rebuilt: '../rebuilt.test.ts',
    };
    for (const file of Object.values(elsewhere)) expect(existsSync(join(import.meta.dirname, file))).toBe(true);
    const isExperiment = (entry: Dirent) => entry.isDirectory() && !(entry.name in elsewhere);
    const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(isExperiment);
    const tests = readdirSync(import.meta.dirname).map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
    const untested = folders.filter(({ name }) => !tests.some((test) => test.includes(`'${name}'`)));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });

  it('sort: runs natively and in a container', async () => {
    const out = join(folder.path, 'sort');
    const small = short('workload.env.LINES=2000', 'workload.env.ROUNDS=2', `variants.container.image=${IMAGE}`);
    const ended = await joulediff(['run', join(EXAMPLES, 'sort', 'joulediff.yml'), '--out', out, ...small]);
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    expect(readCsv(join(out, 'runs.csv')).map((run) => run.status)).toEqual(['ok', 'ok']);
  });

  it('suite: runs every benchmark with both locales', async () => {
    const own = join(folder.path, 'suite');
    cpSync(join(EXAMPLES, 'suite'), own, { recursive: true });
    const out = join(folder.path, 'suite-out');
    const small = short('batch.window=200ms', 'warmup.runs=1', 'repetitions=2');
    const ended = await joulediff(['run', join(own, 'joulediff.yml'), '--out', out, ...small]);
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    const runs = readCsv(join(out, 'runs.csv')).filter(({ status }) => status === 'ok');
    expect(new Set(runs.map(({ variant }) => variant)).size).toBe(10);
    expect(runs).toHaveLength(20);
    // Its hook has taken away what the other one made.
    expect(existsSync(join(own, 'words'))).toBe(false);
  });

  it('two-by-two: runs two commits, natively and in a container', async () => {
    const repository = TestRepository.create();
    cpSync(join(EXAMPLES, 'two-by-two'), repository.path, { recursive: true });
    repository.commit('base');
    repository.commit('head');
    const out = join(folder.path, 'two-by-two');
    const small = short('workload.env.ROUNDS=20000', `matrix.place.container.image=${IMAGE}`);
    const ended = await joulediff(['run', join(repository.path, 'joulediff.yml'), '--out', out, ...small]);
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    expect(readCsv(join(out, 'runs.csv')).map((run) => run.status)).toEqual(['ok', 'ok', 'ok', 'ok']);
    repository.remove();
  });

  it('demo: measures from nothing, prints a verdict and leaves the result where it was started', async () => {
    const words = [join(EXAMPLES, 'demo', 'demo.mjs'), '--repetitions', '1', '--set', 'warmup.runs=0'];
    const env = { ...process.env, NODE_OPTIONS: '', JOULEDIFF_LOCK: `joulediff.test.${process.pid}.demo` };
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder.path, env });
    expect(stdout).toContain('estimated by a model (estimate), not measured');
    expect(stdout).toMatch(/^demo: /m);
    expect(readCsv(join(folder.path, 'joulediff-out', 'runs.csv')).map((run) => run.status)).toEqual(['ok', 'ok']);
  });
});
