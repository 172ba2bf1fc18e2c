// Class: world.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import type { FoundImage } from '../../../src/executors/container/image.ts';
import { checkPlatform } from '../../../src/executors/container/trial.ts';
import { makeExecutor } from '../../../src/executors/registry.ts';
import { Bench, container, docker, testImage } from '../bench.ts';
import { OwnEngine } from './own-engine.ts';

const IMAGE = 'joulediff-test:busybox';

let bench: Bench;
beforeAll(() => testImage(IMAGE));
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

type Options = Parameters<typeof container>[2];

/** What set-up says of a variant: its facts, or the error. */
async function setUp(options: Options, image = IMAGE) {
  const executor = await makeExecutor(container(image, { run: 'true' }, options), bench.environment());
  return executor.setup(bench.stop.signal);
}

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const refusal = (options: Options): Promise<unknown> => setUp(options).catch((thrown: unknown) => thrown);

describe('options of a container', () => {
  it('are what the workload meets, and facts of the record', async () => {
    const run = [
      'grep " / " /proc/mounts | cut -d" " -f4 | cut -d, -f1',
      'grep -E " /(scratch|tmp) " /proc/mounts | cut -d" " -f2,3 | sort',
      'df -k /scratch | tail -1 | tr -s " " | cut -d" " -f2',
      'ulimit -S -n; ulimit -H -n; ulimit -c',
      'grep ^Seccomp: /proc/self/status',
    ].join('; ');
    const options: Options = {
      readOnly: true,
      tmpfs: ['/scratch:size=4m,mode=1777', '/tmp'],
      ulimits: { nofile: { soft: 512, hard: 1024 }, core: { soft: 0, hard: 0 } },
      security: ['seccomp=unconfined'],
      runtime: 'runc',
      platform: process.arch === 'arm64' ? 'linux/arm64' : 'linux/amd64',
    };
    expect((await bench.once(container(IMAGE, { run }, options))).exitCode).toBe(0);
    expect(bench.log().split('\n')).toEqual([
      'ro',
      '/scratch tmpfs',
      '/tmp tmpfs',
      '4096',
      '512',
      '1024',
      '0',
      'Seccomp:\t0',
      '',
    ]);
    expect(await setUp(options)).toMatchObject({
      runtime: 'runc',
      network: 'none',
      tmpfs: '/scratch:size=4m,mode=1777, /tmp',
      ulimits: 'nofile 512 to 1024, core 0',
      root: 'read-only',
      privileges: 'seccomp=unconfined',
    });
    expect(await bench.containers()).toEqual([]);
  });

  it('that were not asked for are no facts', async () => {
    const facts = await setUp({ network: null });
    expect(Object.keys(facts).sort()).toEqual([
      'image',
      'image_digest',
      'image_id',
      'limit_memory_bytes',
      'limit_processes',
    ]);
  });

  it('give a run a network of its own, which goes with it', async () => {
    const filters = { label: [`joulediff.experiment=${bench.experimentId}`] };
    const executor = await bench.ready(container(IMAGE, { run: 'ls /sys/class/net' }, { network: 'own' }));
    expect(await docker.listNetworks({ filters })).toEqual([]);
    const run = await executor.prepare(bench.context());
    const [made, ...others] = await docker.listNetworks({ filters });
    expect(others).toEqual([]);
    expect(made).toMatchObject({ Driver: 'bridge', Labels: { 'joulediff.run': '1' } });
    expect((await run.execute({ onEdge() {} })).exitCode).toBe(0);
    await run.dispose();
    expect(bench.log()).toContain('eth0');
    expect(await docker.listNetworks({ filters })).toEqual([]);
  });
});

describe('options that the engine or the machine can’t honor', () => {
  it('are a runtime that it doesn’t have', async () => {
    const error = await refusal({ runtime: 'nowhere' });
    expect(error).toBeInstanceOf(MeasureError);
    expect(String(error)).toMatch(
      /The engine has no runtime "nowhere", which variant "container" asks for; it has .*\brunc\b/,
    );
  });

  it('are a platform that the image isn’t for', async () => {
    const other = process.arch === 'arm64' ? 'linux/amd64' : 'linux/arm64';
    expect(String(await refusal({ platform: other }))).toMatch(
      /The image "joulediff-test:busybox" of variant "container" is for linux\/\w+, not for linux\/\w+\./,
    );
  });

  it.each([
    ['linux/arm64/v8', 'linux/arm64'],
    ['linux/x86_64', 'linux/amd64'],
    ['linux/aarch64', 'linux/arm64/v8'],
    ['linux/arm/7', 'linux/arm'],
    ['linux/arm', 'linux/arm/v6'],
  ])('are no other spellings of its platform: %s for %s', (platform, found) => {
    const image = { platform: found, facts: { image: IMAGE } } as FoundImage;
    expect(() => checkPlatform(container(IMAGE, {}, { platform }), image)).not.toThrow();
    expect(() => checkPlatform(container(IMAGE, {}, { platform }), { ...image, platform: 'linux/386' })).toThrow();
  });

  it('are what only a start shows, and is tried before the first run', async () => {
    const error = String(
      await refusal({
        security: ['apparmor=joulediff-has-none'],
        ulimits: { nofile: { soft: 2 ** 40, hard: 2 ** 40 } },
      }),
    );
    expect(error).toContain(
      'Variant "container" can\'t run with the ulimit nofile 1099511627776 and the security option apparmor=joulediff-has-none on this machine: ',
    );
    expect(await bench.containers()).toEqual([]);
  });
});

describe('a runtime that an engine lists', () => {
  const engine = new OwnEngine();
  const host = process.env.DOCKER_HOST;
  const hasCrun = spawnSync('crun', ['--version']).status === 0;
  let runtimes: string;
  beforeAll(async () => {
    runtimes = mkdtempSync(join(tmpdir(), 'joulediff-runtimes-'));
    // As next to nothing of a machine allows it: no control groups, no network, no KVM.
    const gvisor = join(runtimes, 'gvisor');
    const script = '#!/bin/sh\nexec runsc --ignore-cgroups --network=none --platform=ptrace "$@"\n';
    writeFileSync(gvisor, script, { mode: 0o755 });
    // Version 1 of control groups with a part in version 2 is beyond some versions of crun: here it doesn't see that part.
    const crun = join(runtimes, 'crun');
    const apart = 'unshare --mount sh -c \'umount /sys/fs/cgroup/unified 2> /dev/null; exec crun "$@"\' crun "$@"';
    writeFileSync(crun, `#!/bin/sh\nexec ${apart}\n`, { mode: 0o755 });
    await engine.start({ fails: '/bin/false', works: '/usr/sbin/runc', gvisor, crun, 'crun-as-it-is': 'crun' });
    engine.image('shell');
    process.env.DOCKER_HOST = engine.host;
  });
  afterAll(async () => {
    if (host === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = host;
    await engine.remove();
    rmSync(runtimes, { recursive: true });
  });

  it('is refused where it doesn’t start, and used where it does', async () => {
    const bare = (runtime: string) =>
      setUp({ runtime }, 'shell').then(
        (facts) => facts.runtime,
        (thrown: unknown) => String(thrown),
      );
    expect(await bare('works')).toBe('works');
    expect(await bare('fails')).toContain(`Variant "container" can't run with the runtime fails on this machine: `);
    expect(await engine.docker.listContainers({ all: true })).toEqual([]);
  });

  const hasGvisor = spawnSync('runsc', ['--version']).status === 0;
  (hasGvisor ? it : it.skip)('may be gVisor (Debian package runsc), whose kernel is another', async () => {
    const kernel = container('shell', { run: 'cat /proc/version' }, { runtime: 'gvisor' });
    expect((await bench.once(kernel)).exitCode).toBe(0);
    expect(bench.log()).toMatch(/^Linux version 4\.4\.0 /);
  });

  (hasCrun ? it : it.skip)('may be crun (Debian package crun), where it can do with the control groups', async () => {
    const greeting = container('shell', { run: 'echo started by crun' }, { runtime: 'crun' });
    const { exitCode, outputTail } = await bench.once(greeting);
    expect([exitCode, outputTail]).toEqual([0, '']);
    expect(bench.log()).toBe('started by crun\n');
    const asItIs = await setUp({ runtime: 'crun-as-it-is' }, 'shell').catch((thrown: unknown) => String(thrown));
    const isBeyondIt = /\S/.test(readText('/sys/fs/cgroup/unified/cgroup.controllers'));
    // What this version can't do, a later one may learn.
    if (isBeyondIt && typeof asItIs === 'string') {
      expect(asItIs).toMatch(
        /Variant "container" can't run with the runtime crun-as-it-is on this machine: .*cgroups in hybrid mode/,
      );
    } else {
      expect(asItIs).toMatchObject({ runtime: 'crun-as-it-is' });
    }
    expect(await engine.docker.listContainers({ all: true })).toEqual([]);
  });
});
