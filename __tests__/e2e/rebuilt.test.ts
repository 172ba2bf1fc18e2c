// Class: world.
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { startGitServer } from '../parts/fleet/history/stores/git-server.ts';
import { type ImageRegistry, startImageRegistry } from '../servers/image-registry.ts';
import { type ActResult, commitAll, copyAction, type Job, runAct } from './act.ts';
import { busyboxContext, temporaryFolder } from './program.ts';

// The example of rebuilt images in a real workflow runner: its base image comes from a registry, where it changes under its tag.

const TOKEN = 'ghs_token-of-the-job';
const OURS = randomUUID();
const IMAGE = `joulediff-test/rebuilt-${process.pid}`;
const folder = temporaryFolder();
const remote = join(folder.path, 'forge', 'octo', 'demo.git');
const kept = join(folder.path, 'kept');
const repository = join(folder.path, 'repository');
const script = join(repository, 'energy', 'kept-image.sh');
const made = new Set<string>();
let server: Awaited<ReturnType<typeof startGitServer>>;
let registry: ImageRegistry;
let job: Job;

/** Beside the registry, which this process serves. */
async function reported(program: string, ...words: string[]): Promise<string> {
  return (await promisify(execFile)(program, words)).stdout;
}

const docker = (...words: string[]) => reported('docker', ...words);

const idOf = async (image: string): Promise<string> => {
  const id = (await docker('image', 'inspect', '--format', '{{.Id}}', image)).trim();
  made.add(id);
  return id;
};

/** The base image as its maintainers publish it now. No other checkout's has the same content: its images would be these, and be removed with them. */
async function publishBase(release: string): Promise<void> {
  const context = busyboxContext(join(folder.path, 'base'));
  writeFileSync(join(context, 'release'), `${release} of ${OURS}\n`);
  writeFileSync(join(context, 'Dockerfile'), `${readFileSync(join(context, 'Dockerfile'), 'utf8')}COPY release /\n`);
  const base = `${registry.host}/base:1`;
  await docker('build', '--quiet', '--tag', base, context);
  await docker('push', '--quiet', base);
  await idOf(base);
  await docker('image', 'rm', base);
}

beforeAll(async () => {
  mkdirSync(remote, { recursive: true });
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  execFileSync('git', ['config', 'http.receivepack', 'true'], { cwd: remote });
  const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  server = await startGitServer(join(folder.path, 'forge'), `basic ${basic}`);
  registry = await startImageRegistry();
  job = { folder: folder.path, apiUrl: server.url, artifactEnv: {}, token: TOKEN };

  mkdirSync(repository);
  writeFileSync(join(repository, 'bench.sh'), '#!/bin/sh\ncat /release\n');
  chmodSync(join(repository, 'bench.sh'), 0o755);
  writeFileSync(join(repository, 'Dockerfile'), `FROM ${registry.host}/base:1\nCOPY bench.sh /\n`);
  cpSync('examples/rebuilt', join(repository, 'energy'), { recursive: true });
  const workflow = parse(readFileSync('examples/workflows/rebuilt.yml', 'utf8'));
  Object.assign(workflow.env, { IMAGE, KEPT: kept });
  const step = workflow.jobs.energy.steps.find(({ uses }: { uses?: string }) => uses?.includes('/joulediff@'));
  const short = { meter: 'estimate', repetitions: 2, warmup: 0, rest: '300ms', guard: '100ms' };
  Object.assign(step.with, { ...short, artifact: 'false', out: join(folder.path, 'out') });
  mkdirSync(join(repository, '.github', 'workflows'), { recursive: true });
  writeFileSync(join(repository, '.github', 'workflows', 'rebuilt.yml'), JSON.stringify(workflow));
  commitAll(repository);
  copyAction(join(folder.path, 'action'));
});
afterAll(async () => {
  await server.close();
  await registry.close();
  // Some were removed by a test.
  for (const id of made) await docker('image', 'rm', '--force', id).catch(() => undefined);
  folder.remove();
});

function run(id: number): Promise<ActResult> {
  const words = ['--local-repository', `OWNER/joulediff@v1=${join(folder.path, 'action')}`];
  const event = {
    ref: 'refs/heads/main',
    repository: { default_branch: 'main', name: 'demo', owner: { login: 'octo' } },
  };
  return runAct(job, { id, eventName: 'schedule', event, words, env: { GITHUB_SERVER_URL: server.url } });
}

describe('the example of rebuilt images under act', () => {
  it('keeps the first image, and measures nothing as long as a rebuild gives the same', async () => {
    await publishBase('release 1');
    for (const id of [1, 2]) {
      const { trouble, annotations } = await run(id);
      expect(trouble).toBe('');
      expect(annotations).toEqual([expect.stringContaining(`Nothing is measured: ${IMAGE}`)]);
    }
    const id = await idOf(IMAGE);
    expect(readFileSync(join(kept, 'measured'), 'utf8').trim()).toBe(id);
    expect(existsSync(join(kept, `${id.slice('sha256:'.length)}.tar`))).toBe(true);
    expect(existsSync(join(folder.path, 'out'))).toBe(false);
  });

  it('measures a rebuilt image against the one before, and keeps both in the history', async () => {
    const before = await idOf(IMAGE);
    await publishBase('release 2');
    // As on a machine that was cleaned up meanwhile: the older image is only in the folder.
    await docker('image', 'rm', '--force', before);
    const { trouble } = await run(3);
    expect(trouble).toBe('');
    const after = await idOf(IMAGE);
    expect(after).not.toBe(before);
    expect(readFileSync(join(kept, 'measured'), 'utf8').trim()).toBe(after);

    const git = (...words: string[]) => execFileSync('git', words, { cwd: remote, encoding: 'utf8' });
    const paths = git('ls-tree', '-r', '--name-only', 'joulediff-history', 'records').trim().split('\n');
    expect(paths).toHaveLength(1);
    const record = JSON.parse(git('show', `joulediff-history:${paths[0]}`));
    const images = record.variants.map((variant: { name: string; facts: { image_id: string } }) => [
      variant.name,
      variant.facts.image_id,
    ]);
    expect(images).toEqual([
      ['before', before],
      ['after', after],
    ]);
    expect(record.comparisons).toHaveLength(1);
    expect(readFileSync(join(folder.path, 'out', 'history.html'), 'utf8')).toContain(
      'Images measured against each other',
    );
  });
});

describe('kept-image.sh with a registry', () => {
  const keep = (...words: string[]) => reported(script, ...words);

  it('finds there what was measured last', async () => {
    const place = `${registry.host}/kept`;
    const first = await idOf(IMAGE);
    expect(await keep('keep', IMAGE, place)).toBe(`now=${first}\n`);
    await keep('measured', IMAGE, place);
    expect(await keep('keep', IMAGE, place)).toBe(`now=${first}\n`);
    writeFileSync(join(repository, 'bench.sh'), '#!/bin/sh\ncat /release /release\n');
    await docker('build', '--quiet', '--tag', IMAGE, repository);
    const second = await idOf(IMAGE);
    await docker('image', 'rm', '--force', first);
    expect(await keep('keep', IMAGE, place)).toBe(`now=${second}\nbefore=${first}\n`);
    expect(await idOf(first)).toBe(first);
  });

  it.each([
    ['an image that is not there', ['keep', 'joulediff-test/none', kept], /has no image joulediff-test\/none/],
    ['an unknown word', ['look', IMAGE, kept], /give keep or measured/],
    ['too few words', ['keep', IMAGE], /give keep or measured/],
    ['a registry that is not there', ['keep', IMAGE, '127.0.0.1:1/kept'], /refused/],
  ])('refuses %s', async (_, words, message) => {
    await expect(keep(...words)).rejects.toThrow(message);
  });
});
