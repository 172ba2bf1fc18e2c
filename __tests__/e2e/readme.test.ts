// Class: world, long.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Findings } from '../../src/findings/findings.ts';
import { VERSION } from '../../src/version.ts';
import { docker, testImage } from '../executors/bench.ts';
import { TestRepository } from '../measure/checkout/repository-folder.ts';
import { CLI, joulediff, markImages, removeImages } from './program.ts';

// What the README shows first is run as it stands there, but for the images' names, which are the reader's, and for its length.

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(readme)?.[1] ?? '';
const lines = block('sh')
  .split('\n')
  .filter((line) => line.startsWith('joulediff compare'));
const QUICK = '--meter estimate --runs 1 --warmup 0 --set rest=0s --set guard=0s --set batch=1';

const IMAGE = `joulediff-test-readme:${process.pid}`;
let repository: TestRepository;
/** Where Python finds pytest-benchmark. */
const python = mkdtempSync(join(tmpdir(), 'joulediff-python-'));

beforeAll(async () => {
  execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', python, 'pytest-benchmark==5.2.3']);
  await testImage(IMAGE, ['RUN mkdir -p /etc && echo root > /etc/passwd']);
  await testImage(`${IMAGE}-other`, ['RUN mkdir -p /etc && echo root > /etc/passwd']);
  repository = TestRepository.create();
  const dockerfile = `FROM ${IMAGE}\n${markImages(repository.path)}WORKDIR /\nCOPY bench.sh /bench.sh\n`;
  repository
    .write('bench.sh', '#!/bin/sh\nexit 0\n', 0o755)
    .write('Dockerfile', dockerfile)
    .write('file', 'b\na\n')
    .write('test_sorting.py', 'def test_sorting(benchmark):\n    benchmark(sorted, [2, 1])\n')
    .commit();
  repository.git('checkout', '--quiet', '-b', 'feature');
  repository.write('bench.sh', '#!/bin/sh\nsleep 0.05\n', 0o755).commit();
}, 240_000);
afterAll(async () => {
  rmSync(python, { recursive: true, force: true });
  removeImages(repository.path);
  repository.remove();
  for (const image of [IMAGE, `${IMAGE}-other`]) await docker.getImage(image).remove({ force: true });
});

describe('the README', () => {
  it('shows six comparisons', () => {
    expect(lines).toHaveLength(6);
    expect(block('sh')).toContain(`npm install --global ./joulediff-${VERSION}.tgz`);
  });

  it.each(lines)('%s', async (line) => {
    const own = line
      .replace('--image debian ', `--image ${IMAGE} `)
      .replace('--image alpine', `--image ${IMAGE}-other`);
    const out = mkdtempSync(join(tmpdir(), 'joulediff-readme-'));
    try {
      // What is installed is tried in dist.test.ts.
      const script = `joulediff() { node "${CLI}" "$@" ${QUICK} --out "${out}/result"; }; ${own}`;
      const env = {
        ...process.env,
        NODE_OPTIONS: '',
        PATH: `${join(process.execPath, '..')}:${join(python, 'bin')}:${process.env.PATH}`,
        PYTHONPATH: python,
        JOULEDIFF_LOCK: `joulediff.test.${process.pid}`,
      };
      const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: repository.path, env, encoding: 'utf8' });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      const findings: Findings = JSON.parse(readFileSync(join(out, 'result', 'findings.json'), 'utf8'));
      expect(findings.variants.map(({ runs }) => runs)).toEqual([1, 1]);
      expect(findings.comparisons).toHaveLength(1);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });

  it('shows the workflow of the example: base.test.ts runs it in a workflow runner', () => {
    const example = parse(readFileSync(new URL('../../examples/workflows/dockerfile.yml', import.meta.url), 'utf8'));
    const shown = parse(block('yaml')).jobs.energy;
    const { steps, ...job } = example.jobs.energy;
    expect(shown.steps.map((step: { with: unknown }) => step.with)).toEqual(
      steps.map((step: { with: unknown }) => step.with),
    );
    expect(shown['runs-on']).toEqual(job['runs-on']);
    expect(shown.permissions).toEqual(example.permissions);
    expect(parse(block('yaml')).on).toBe(example.on);
  });

  it('shows an installation from a tarball, which needs nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-tarball-'));
    try {
      const root = new URL('../..', import.meta.url);
      const npm = (...words: string[]) =>
        execFileSync('npm', words, {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, NODE_OPTIONS: '', npm_config_cache: join(folder, 'cache') },
        });
      const tarball = join(folder, npm('pack', '--silent', '--pack-destination', folder).trim());
      npm('install', '--global', '--offline', '--no-audit', '--no-fund', '--prefix', join(folder, 'prefix'), tarball);
      const installed = join(folder, 'prefix', 'bin', 'joulediff');
      expect(existsSync(installed)).toBe(true);
      const said = execFileSync(process.execPath, [installed, '--version'], { encoding: 'utf8' });
      expect(said).toBe((await joulediff(['--version'])).stdout);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
