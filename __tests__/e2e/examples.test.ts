import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestRepository } from '../executors/checkout/repository-folder.ts';
import { busyboxContext, docker, joulediff, readCsv, temporaryFolder } from './program.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const IMAGE = `joulediff-examples-test:${process.pid}`;
const folder = temporaryFolder();

beforeAll(() => {
  docker('build', '-q', '-t', IMAGE, busyboxContext(join(folder.path, 'image')));
});
afterAll(() => {
  docker('rmi', '-f', IMAGE);
  folder.remove();
});

/** The file as it stands, made short: the pauses, the size of the input, and an image that needs no registry. */
const short = ['repetitions=1', 'warmup.runs=0', 'rest=200ms', 'guard=100ms', 'meter=estimate'];
const settings = (...more: string[]) => [...short, ...more].flatMap((setting) => ['--set', setting]);

/** A test with an image of this machine's own servers; without them it says so. */
function serverIt(name: string, servers: readonly string[], clients: readonly string[]) {
  const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
  const missing = [...servers, ...clients].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH } }).status !== 0,
  );
  if (missing.length > 0) return it.skip.each([[`${missing.join(' and ')} not installed`, '']]);
  const image = `joulediff-examples-${name}:${process.pid}`;
  beforeAll(() => {
    execFileSync(join(EXAMPLES, 'image-of-programs.sh'), [image, ...servers]);
  });
  afterAll(() => {
    docker('rmi', '-f', image);
  });
  return it.each([['natively, behind the bridge and in the network of the host', image]]);
}

/** The example as it stands but for its port and what lies in /tmp by its name: nothing that another one on this machine uses. */
async function served(name: string, image: string) {
  const own = join(folder.path, `example-${name}`);
  const port = String(await freePort());
  cpSync(join(EXAMPLES, name), own, { recursive: true });
  for (const file of readdirSync(own)) {
    const text = readFileSync(join(own, file), 'utf8').replaceAll('/tmp/joulediff-', `/tmp/joulediff-${port}-`);
    writeFileSync(join(own, file), text.replaceAll(/16379|18080/g, port));
  }
  const out = join(folder.path, name);
  const images = ['bridge', 'host-network'].map((variant) => `variants.${variant}.image=${image}`);
  const small = settings('workload.env.REQUESTS=2000', ...images);
  const ended = await joulediff(['run', join(own, 'joulediff.yml'), '--out', out, ...small]);
  return { ...ended, rows: ended.code === 0 ? readCsv(join(out, 'runs.csv')) : [] };
}

/** Below those that the kernel gives to whoever asks for any. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(15_000 * Math.random());
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, () => done(true));
    });
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}

describe('the examples', () => {
  it('have a test for every folder', () => {
    expect(readdirSync(EXAMPLES).sort()).toEqual([
      ...['README.md', 'demo', 'image-of-programs.sh', 'nginx', 'redis', 'sort', 'two-by-two', 'workflows'],
    ]);
  });

  it('sort: runs natively and in a container', async () => {
    const out = join(folder.path, 'sort');
    const small = settings('workload.env.LINES=2000', 'workload.env.ROUNDS=2', `variants.container.image=${IMAGE}`);
    const ended = await joulediff(['run', join(EXAMPLES, 'sort', 'joulediff.yml'), '--out', out, ...small]);
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    expect(readCsv(join(out, 'runs.csv')).map((run) => run.status)).toEqual(['ok', 'ok']);
  });

  it('two-by-two: runs two commits, natively and in a container', async () => {
    const repository = TestRepository.create();
    cpSync(join(EXAMPLES, 'two-by-two'), repository.path, { recursive: true });
    repository.commit('base');
    repository.commit('head');
    const out = join(folder.path, 'two-by-two');
    const small = settings('workload.env.ROUNDS=20000', `factors.place.container.image=${IMAGE}`);
    const ended = await joulediff(['run', join(repository.path, 'joulediff.yml'), '--out', out, ...small]);
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    expect(readCsv(join(out, 'runs.csv')).map((run) => run.status)).toEqual(['ok', 'ok', 'ok', 'ok']);
    repository.remove();
  });

  serverIt(
    'redis',
    ['redis-server'],
    ['redis-benchmark'],
  )('redis: %s', async (_, image) => {
    const { code, stderr, rows } = await served('redis', image);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(rows.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    for (const { metric_set, metric_get } of rows) {
      expect(Number(metric_set)).toBeGreaterThan(0);
      expect(Number(metric_get)).toBeGreaterThan(0);
    }
  });

  serverIt(
    'nginx',
    ['nginx'],
    ['ab'],
  )('nginx: %s', async (_, image) => {
    const { code, stderr, rows } = await served('nginx', image);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(rows.map(({ status, metric_done, metric_failed }) => [status, metric_done, metric_failed])).toEqual(
      rows.map(() => ['ok', '2000', '0']),
    );
    expect(rows).toHaveLength(3);
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
