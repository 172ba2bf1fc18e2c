// Class: world.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { experimentOf } from '../../../../src/action/given-experiment.ts';
import { readInputs } from '../../../../src/action/inputs.ts';
import { readExperiment } from '../../../../src/experiment/read.ts';
import { findRevisions } from '../../../../src/measure/checkout/checkouts.ts';
import { TestRepository } from '../../../measure/checkout/repository-folder.ts';
import { start } from '../../../terminal/program.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = TestRepository.create();
});
afterEach(() => repository.remove());

const init = () => start(['init'], {}, repository.path).ended;
const read = (...path: string[]) => readFileSync(join(repository.path, ...path), 'utf8');

/** What the action would measure in a pull request. */
async function workflow(path = '.github/workflows/energy.yml') {
  const { jobs, permissions } = parse(read(path));
  const { with: given } = jobs.energy.steps.at(-1);
  const revisions = { base: 'main...feature', head: 'feature' };
  const inputs = readInputs((name) => String(given[name] ?? ''), repository.path, revisions);
  return { given, permissions, checkout: jobs.energy.steps[0].with, ...(await experimentOf(inputs.experiment)) };
}

describe('joulediff init', () => {
  it.each([
    ['pyproject.toml', '[project.optional-dependencies]\ntest = ["pytest-benchmark"]\n', 'pytest-benchmark', null],
    ['pyproject.toml', '[dependency-groups]\ndev = ["Pytest_Benchmark>=5"]\n', 'pytest-benchmark', null],
    ['requirements/dev.txt', 'pytest-benchmark==5.1.0\n', 'pytest-benchmark', null],
    ['dev-requirements.in', 'pytest-benchmark\n', 'pytest-benchmark', null],
    ['setup.py', 'setup(extras_require={"test": ["pytest-benchmark"]})\n', 'pytest-benchmark', null],
    ['Pipfile', '[dev-packages]\npytest-benchmark = "*"\n', 'pytest-benchmark', null],
    ['tests/speed/test_x.py', 'def test_x(tmp_path, benchmark):\n    benchmark(sum, [1])\n', 'pytest-benchmark', null],
    ['test_x.py', 'def test_x(\n    benchmark: Fixture,\n) -> None: ...\n', 'pytest-benchmark', null],
    [
      'Cargo.toml',
      '[dev-dependencies]\ncriterion = "0.5"\n[[bench]]\nname = "parse"\nharness = false\n',
      'criterion',
      'parse',
    ],
    ['x_test.go', 'package x\nfunc BenchmarkOne(b *testing.B) {}\n', 'go', './...'],
    ['sub/x_test.go', 'package x\nfunc BenchmarkOne(b *testing.B) {}\n', 'go', './...'],
    ['package.json', '{"devDependencies":{"vitest":"^5.1.2"}}', 'vitest', '.'],
  ])('finds the benchmarks that %s tells of, and writes a suite', async (path, text, harness, target) => {
    repository.write('go.mod', 'module x\n').write('src/speed.bench.js', '').write(path, text).commit();
    const { code, stdout } = await init();
    expect({ code, reported: stdout.includes(`suite       ${harness} (${path})`) }).toEqual({
      code: 0,
      reported: true,
    });
    const experiment = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(experiment.suite?.listing).toMatchObject({ harness, ...(target !== null && { target }) });
    expect((await workflow()).suite?.listing).toMatchObject({ harness });
  });

  it('takes neither the benchmarks of installed packages nor a test without the fixture for a suite', async () => {
    const test = 'def test_x(benchmark):\n    benchmark(sum, [1])\n';
    repository
      .write('node_modules/x/test_x.py', test)
      .write('venv/lib/test_x.py', test)
      .write('env/lib/python3/site-packages/x/test_x.py', test)
      .write('.tox/test_x.py', test)
      .write('test_x.py', 'def test_y(benchmarks): ...\n')
      .commit();
    expect((await init()).stdout).not.toContain('suite ');
  });

  it('takes Python tests in a project of another language for its suite only where it has none', async () => {
    repository
      .write('go.mod', 'module x\n')
      .write('x_test.go', 'package x\nfunc BenchmarkOne(b *testing.B) {}\n')
      .write('tools/test_x.py', 'def test_x(benchmark): ...\n')
      .commit();
    expect((await init()).stdout).toContain('suite       go (x_test.go)');
  });

  it('writes files for a repository with a Dockerfile and a benchmark: the image against that of the base', async () => {
    repository
      .write('Dockerfile', 'FROM scratch\nCOPY . .\n')
      .write('package.json', '{"scripts":{"test":"x","bench":"y"}}')
      .commit();
    const ended = await init();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/benchmark {3}npm run bench \(package\.json\)\n {2}Dockerfile {2}Dockerfile\n/);
    expect(ended.stdout).toContain('pull requests go into main');
    expect(ended.stdout).toContain('Wrote joulediff.yml\nWrote .github/workflows/energy.yml\n');
    const experiment = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(experiment.variants).toMatchObject([
      { kind: 'native', workload: { run: 'npm run bench' } },
      { kind: 'container', build: { dockerfile: join(repository.path, 'Dockerfile') } },
    ]);
    const made = await workflow();
    expect(made.variants).toMatchObject([
      { name: 'base', kind: 'container', workload: { run: 'npm run bench' }, revision: { name: 'main...feature' } },
      { name: 'head', kind: 'container', build: { dockerfile: join(repository.path, 'Dockerfile') } },
    ]);
    expect([experiment.batch, made.batch]).toEqual(['auto', 'auto']);
    expect(made.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    expect(made.checkout).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
  });

  it.each([
    ['copies nothing of it', 'FROM debian:12\nCOPY --from=build /app /app\n', true],
    ['copies it', 'FROM debian:12\n  copy . /app\n', false],
  ])('mounts the folder with the benchmark where the Dockerfile %s', async (_, text, mounted) => {
    repository.write('Dockerfile', text).write('bench.sh', 'x').commit();
    await init();
    const volumes = mounted ? [`${repository.path}:/src`] : [];
    const { variants } = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(variants.at(-1)).toMatchObject({ workload: { workdir: mounted ? '/src' : null }, volumes });
    const made = await workflow();
    expect(made.variants).toMatchObject(
      ['base', 'head'].map((name) => ({
        name,
        workload: { run: 'sh bench.sh', workdir: mounted ? '/src' : null },
        volumes,
      })),
    );
  });

  it('mounts the folder of a suite, too', async () => {
    repository
      .write('Dockerfile', 'FROM python:3\nRUN pip install pytest-benchmark\n')
      .write('pyproject.toml', '[project.optional-dependencies]\ntest = ["pytest-benchmark"]\n')
      .commit();
    await init();
    expect(read('joulediff.yml')).toContain('volumes: [".:/src"]');
    expect((await workflow()).variants).toMatchObject(
      ['base', 'head'].map((name) => ({
        name,
        kind: 'container',
        workload: { workdir: '/src' },
        volumes: [`${repository.path}:/src`],
      })),
    );
  });

  it.each([
    ['a script', { 'scripts/bench.sh': 'x', Makefile: 'bench:\n' }, 'sh scripts/bench.sh'],
    ['a target', { Makefile: 'all: x\nbenchmark: all\n\t./run\n' }, 'make benchmark'],
    ['benches', { 'Cargo.toml': '', 'benches/a.rs': '' }, 'cargo bench'],
    ['tests only', { 'package.json': '{"scripts":{"test":"x"}}' }, 'npm test'],
    ['nothing', { 'package.json': 'not JSON' }, './bench.sh'],
  ])('finds %s', async (_, files, run) => {
    for (const [path, text] of Object.entries(files)) repository.write(path, text);
    repository.commit();
    repository.write('more', '').commit();
    expect(await init()).toMatchObject({ code: 0 });
    const experiment = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(experiment.variants.map(({ workload }) => workload.run)).toEqual([run, run]);
    expect(experiment.variants.map(({ revision }) => revision?.name)).toEqual(['HEAD~1', 'HEAD']);
    expect((await workflow()).given).toMatchObject({ run, base: true });
  });

  it.each([
    ['#!/bin/bash', 'bash'],
    ['#! /usr/bin/env bash\r', 'bash'],
    ['#!/bin/sh -e', 'sh -e'],
    ['#!/usr/bin/env -S bash -euo pipefail', 'bash -euo pipefail'],
    ['#!/opt/own/bin/python3', '/opt/own/bin/python3'],
    ['#!/bin/sh; reboot', 'sh'],
    ['x\n#!/bin/bash', 'sh'],
  ])('runs a script that begins with %j by the interpreter that it names', async (lines, interpreter) => {
    repository.write('bench.sh', `${lines}\nx\n`).commit();
    await init();
    const { variants } = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(variants[0]?.workload.run).toBe(`${interpreter} bench.sh`);
    expect((await workflow()).given.run).toBe(`${interpreter} bench.sh`);
  });

  it('proposes a variant for a Compose file, which only needs the name of a service', async () => {
    repository.write('docker-compose.yaml', 'services: {}').write('bench.sh', 'x').commit();
    expect((await init()).stdout).toContain('Compose     docker-compose.yaml: a variant can be run in it');
    const proposed = read('joulediff.yml')
      .replace(/# Or in Compose.*: (?=stack)/, '')
      .replace('NAME', 'web');
    repository.write('joulediff.yml', proposed);
    const { variants } = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(variants.at(-1)).toMatchObject({
      kind: 'compose',
      file: join(repository.path, 'docker-compose.yaml'),
      service: 'web',
    });
  });

  it('finds the branch that pull requests go into, wherever it stands', async () => {
    repository.write('bench.sh', 'x').commit();
    repository.git('checkout', '--quiet', '-b', 'feature');
    repository.write('bench.sh', 'y').commit();
    expect((await init()).stdout).toContain('pull requests go into main\n');
    expect(read('joulediff.yml')).toContain('revision: main...HEAD');
  });

  it('compares what is not committed with the last commit, where the branch has no commit of its own', async () => {
    repository.write('bench.sh', 'x').commit();
    repository.write('bench.sh', 'y');
    await init();
    const experiment = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(experiment.variants.map(({ revision }) => revision?.name)).toEqual(['HEAD', undefined]);
    await findRevisions(experiment, new AbortController().signal);
  });

  it('finds no two states in a single commit', async () => {
    repository.write('bench.sh', 'x').commit();
    await init();
    const { variants } = await readExperiment(join(repository.path, 'joulediff.yml'));
    expect(variants.map(({ revision }) => revision)).toEqual([undefined, undefined]);
  });

  it('overwrites nothing, and writes where another forge looks', async () => {
    repository.write('joulediff.yml', 'mine').write('.gitea/README', '').commit();
    const ended = await init();
    expect(ended.stdout).toContain('Left as it is: joulediff.yml\nWrote .gitea/workflows/energy.yml\n');
    expect(read('joulediff.yml')).toBe('mine');
    expect(existsSync(join(repository.path, '.github'))).toBe(false);
    const before = read('.gitea/workflows/energy.yml');
    expect((await init()).stdout).toContain('Left as it is: .gitea/workflows/energy.yml');
    expect(read('.gitea/workflows/energy.yml')).toBe(before);
  });

  it('names joulediff by its full address where the forge looks elsewhere', async () => {
    repository.write('.forgejo/README', '').write('bench.sh', 'x').commit();
    await init();
    const { jobs } = parse(read('.forgejo/workflows/energy.yml'));
    expect(jobs.energy.steps.at(-1).uses).toMatch(/^https:\/\/github\.com\/[^/]+\/joulediff@v1$/);
  });

  it.each([
    ['dockerfile', 'Dockerfile'],
    ['pull-request', 'more'],
  ])('writes the example %s.yml of the documentation', async (name, file) => {
    repository.write(file, 'FROM scratch\n').write('bench.sh', 'x').commit();
    await init();
    const example = parse(readFileSync(`examples/workflows/${name}.yml`, 'utf8'));
    const made = parse(read('.github/workflows/energy.yml'));
    const shape = ({ jobs: { energy }, ...rest }: typeof made) => [
      rest,
      { ...energy, steps: energy.steps.slice(0, -1) },
    ];
    expect(shape(made)).toEqual(shape(example));
  });
});
