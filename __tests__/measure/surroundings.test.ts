// Class: system.
import { mkdirSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { fairness } from '../../src/analysis/fairness.ts';
import type { PlaceFacts } from '../../src/contracts/variant.ts';
import { makeExecutor, type Variant } from '../../src/executors/registry.ts';
import type { Service } from '../../src/executors/service.ts';
import { isPlaceSeen, type PlaceDifference } from '../../src/findings/surroundings.ts';
import { seePlace } from '../../src/measure/surroundings.ts';
import type { VariantRecord } from '../../src/store/records.ts';
import { Bench, container, native, testImage } from '../executors/bench.ts';

const IMAGE = 'joulediff-test:busybox';
const NO_SHELL = 'joulediff-test:no-shell-fair';

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
  await testImage(NO_SHELL, ['RUN ["/bin/busybox", "rm", "/bin/sh", "/bin/ash"]']);
});
beforeEach(() => {
  bench = new Bench();
  mkdirSync(bench.path('logs'));
});
afterEach(() => bench.close());

/** The variant as it would be in an experiment's record. */
async function seen(variant: Variant, name = variant.name, services: readonly Service[] = []): Promise<VariantRecord> {
  const inherited = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', SESSION_OF_MINE: 'x' };
  const environment = bench.environment(inherited);
  const named = { ...variant, name };
  const facts: PlaceFacts = await (await makeExecutor(named, environment)).setup(bench.stop.signal);
  const { signal } = bench.stop;
  const { folder } = bench;
  const place = await seePlace({ variant: named, environment, facts, folder, signal, services, log: () => {} });
  return { name, position: 1, kind: variant.kind, definition: named, facts, revision: null, hidden: false, ...place };
}

const between = (a: VariantRecord, b: VariantRecord): readonly PlaceDifference[] => {
  const found = fairness([a, b], [{ baseline: a.name, variant: b.name }], 16 * 2 ** 30);
  return found?.pairs[0]?.differences ?? [];
};

it('sees no difference between two places that are the same', async () => {
  const options = { volumes: [`${bench.folder}:/data`] };
  const inContainers = [await seen(container(IMAGE, {}, options), 'a'), await seen(container(IMAGE, {}, options), 'b')];
  expect(between(inContainers[0] as VariantRecord, inContainers[1] as VariantRecord)).toEqual([]);
  expect(between(await seen(native(), 'a'), await seen(native(), 'b'))).toEqual([]);
  expect(await bench.containers()).toEqual([]);
});

it('sees no other C library where one place tells no version of it', async () => {
  const own = await seen(native(), 'a');
  const withLibc = (libc: string, name: string): VariantRecord => ({
    ...own,
    name,
    surroundings: { ...own.surroundings!, libc },
  });
  const libcs = (a: string, b: string) =>
    between(withLibc(a, 'a'), withLibc(b, 'b')).filter(({ aspect }) => aspect === 'libc').length;
  expect([libcs('glibc 2.36', 'glibc'), libcs('musl', 'musl 1.2.5')]).toEqual([0, 0]);
  expect([libcs('glibc 2.36', 'glibc 2.41'), libcs('glibc', 'musl 1.2.5')]).toEqual([1, 1]);
});

it('calls a locale asked for that the experiment sets itself', async () => {
  const [c, utf8] = [
    await seen(native({ env: { LC_ALL: 'C' } }), 'a'),
    await seen(native({ env: { LC_ALL: 'C.UTF-8' } }), 'b'),
  ];
  expect(between(c, utf8).find(({ aspect }) => aspect === 'locale')).toMatchObject({ weight: 'asked' });
});

it('names what differs between the host and a container, and keeps no value of a variable', async () => {
  const host = await seen(native({ env: { GOGC: 'secret-of-the-host' } }));
  const inside = await seen(container(IMAGE, { env: { GOGC: 'other', OMP_NUM_THREADS: '1' } }, { cpuset: '0' }));
  const differences = between(host, inside);
  const of = (aspect: string, which: string | null = null) =>
    differences.find((one) => one.aspect === aspect && one.of === which);
  expect(of('seccomp')).toMatchObject({ baseline: 'off', variant: 'filter', weight: 'usual' });
  expect(of('new-privileges')).toMatchObject({ baseline: 'off', variant: 'on', weight: 'usual' });
  expect(of('locale')).toMatchObject({ baseline: 'C.UTF-8', variant: 'C', weight: 'may-matter' });
  expect(of('file-system', 'workdir')).toMatchObject({ variant: 'overlay' });
  expect(of('cpus')).toMatchObject({ variant: '0', weight: 'asked' });
  expect(of('environment', 'GOGC')).toMatchObject({ baseline: 'other value', variant: 'other value', weight: 'asked' });
  expect(of('environment', 'OMP_NUM_THREADS')).toMatchObject({ baseline: null, variant: 'set', weight: 'asked' });
  expect(of('environment', 'SESSION_OF_MINE')).toMatchObject({ baseline: 'set', variant: null, weight: 'usual' });
  expect(JSON.stringify(host.surroundings)).not.toContain('secret-of-the-host');
  expect(JSON.stringify(differences)).not.toContain('hmac');
});

it('sees a temporary folder in memory, a limit of memory and one of processor time', async () => {
  const plain = await seen(container(IMAGE), 'plain');
  const other = await seen(
    container(IMAGE, { env: { TMPDIR: '/dev/shm' } }, { memoryBytes: 2 ** 28, cpus: 0.5 }),
    'other',
  );
  const differences = between(plain, other);
  expect(differences).toContainEqual({
    aspect: 'file-system',
    of: 'temporary',
    baseline: 'overlay',
    variant: 'tmpfs',
    weight: 'may-matter',
  });
  expect(differences).toContainEqual(
    expect.objectContaining({ aspect: 'memory-limit', variant: String(2 ** 28), weight: 'asked' }),
  );
  expect(differences).toContainEqual({
    aspect: 'cpu-limit',
    of: null,
    baseline: 'none',
    variant: '0.5',
    weight: 'asked',
  });
});

/** An image whose tools tell of its packages and of what its program is linked with as apk and ldd do. */
async function imageWith(name: string, zlib: string, library: string): Promise<string> {
  const image = `joulediff-test:parts-${name}`;
  const tool = (path: string, ...lines: string[]): string =>
    `RUN printf '%s\\n' '#!/bin/sh' ${lines.map((line) => `'${line}'`).join(' ')} > ${path} && chmod +x ${path}`;
  await testImage(image, [
    tool('/bin/apk', `echo zlib-${zlib}-r2`, 'echo busybox-1.36.1-r5', `echo only-${name}-1-r0`),
    tool('/bin/ldd', `echo "libz.so.1 => /lib/${library} (0x1)"`, 'echo "libc.so.6 => /lib/libc.so.6 (0x2)"'),
    tool('/bin/serve', `# GCC: (Debian ${zlib}) 12.2.0`),
    `RUN mkdir -p /lib && touch /lib/${library}`,
  ]);
  return image;
}

it('names the packages, libraries, allocator, compiler and network path of two images that differ', async () => {
  const [older, newer] = [
    await imageWith('older', '1.2.13', 'libz.so.1.2.13'),
    await imageWith('newer', '1.3.1', 'libjemalloc.so.2'),
  ];
  const run = ['serve', '--quietly'];
  const from = await seen(container(older, { run }, { network: 'bridge' }), 'older');
  const to = await seen(container(newer, { run }, { network: 'bridge', ports: ['127.0.0.1::80'] }), 'newer');
  expect(between(from, to)).toEqual(
    [
      ['allocator', null, 'that of the C library', 'jemalloc', 'may-matter'],
      ['compiler', null, 'GCC: (Debian 1.2.13) 12.2.0', 'GCC: (Debian 1.3.1) 12.2.0', 'may-matter'],
      ['library', 'libjemalloc.so', null, '2', 'may-matter'],
      ['library', 'libz.so', '1.2.13', null, 'may-matter'],
      ['package', 'zlib', '1.2.13-r2', '1.3.1-r2', 'usual'],
      [
        'network',
        null,
        'bridge',
        expect.stringMatching(/^bridge, published ports(?:, (?:no )?docker-proxy)?$/),
        'may-matter',
      ],
    ].map(([aspect, of, baseline, variant, weight]) => ({ aspect, of, baseline, variant, weight })),
  );
  const host = await seen(native());
  expect(between(host, from)).toContainEqual({
    aspect: 'network',
    of: null,
    baseline: 'host',
    variant: 'bridge',
    weight: 'asked',
  });
});

it('takes a compiler that two statically linked programs share for that of both, whatever their C libraries bring', async () => {
  const [glibc, musl, other] = await Promise.all(
    [['(Own) 12.2.0'], ['(Of musl) 11.2.0', '(Own) 12.2.0'], ['(Other) 13.2.0']].map(async (compilers, i) => {
      const name = `linked-${i}`;
      const comment = compilers.map((one) => `GCC: ${one}\\0`).join('');
      await testImage(`joulediff-test:${name}`, [
        `RUN cp /bin/busybox /bin/serve && printf '\\0${comment}' >> /bin/serve`,
      ]);
      return seen(container(`joulediff-test:${name}`, { run: ['serve'] }), name);
    }),
  );
  const compilers = (from: typeof glibc, to: typeof glibc) =>
    between(from!, to!).filter(({ aspect }) => aspect === 'compiler');
  expect(compilers(glibc, musl)).toEqual([]);
  expect(compilers(musl, other)).toEqual([
    expect.objectContaining({ baseline: 'GCC: (Of musl) 11.2.0; GCC: (Own) 12.2.0', variant: 'GCC: (Other) 13.2.0' }),
  ]);
});

const serving = (run: readonly string[]): Service => ({
  name: 'db',
  run,
  env: {},
  workdir: null,
  place: 'variant',
  lifetime: 'run',
  ready: null,
  readyWithinS: 30,
  stop: { signal: 'SIGTERM', withinS: 10 },
});

it('names what the program of a service is made of, and once what differs in the whole place', async () => {
  const [older, newer] = [
    await imageWith('older', '1.2.13', 'libz.so.1.2.13'),
    await imageWith('newer', '1.3.1', 'libjemalloc.so.2'),
  ];
  const services = [serving(['serve', '--quietly'])];
  const client = { run: ['client-of-the-host'], place: 'host' as const };
  const from = await seen(container(older, client), 'older', services);
  const to = await seen(container(newer, client), 'newer', services);
  expect(between(from, to)).toEqual([
    expect.objectContaining({ aspect: 'package', of: 'zlib' }),
    expect.objectContaining({ service: 'db', aspect: 'allocator', variant: 'jemalloc' }),
    expect.objectContaining({ service: 'db', aspect: 'compiler' }),
    expect.objectContaining({ service: 'db', aspect: 'library', of: 'libjemalloc.so' }),
    expect.objectContaining({ service: 'db', aspect: 'library', of: 'libz.so' }),
  ]);
  // A server of another name is not there; what is no service of either is no difference.
  expect(between(from, await seen(container(older, client), 'newer'))).toEqual([
    { aspect: 'service', of: 'db', baseline: 'there', variant: null, weight: 'may-matter' },
  ]);
});

it('tells the C library of a program from that of its place', async () => {
  const of = async (program: string): Promise<string | null> => {
    const { surroundings } = await seen(native({ run: [program] }), program);
    return isPlaceSeen(surroundings) ? surroundings.libc : null;
  };
  expect(await of('busybox')).toBe('glibc, linked statically');
  expect(await of('cat')).toMatch(/^glibc \d+\.\d+$/);
});

it('asks for the version in every place, and compares what was told', async () => {
  const version = 'echo "program $MINOR"';
  const one = await seen(container(IMAGE, { version, env: { MINOR: '1' } }), 'one');
  const two = await seen(container(IMAGE, { version, env: { MINOR: '2' } }), 'two');
  const failing = await seen(container(IMAGE, { version: 'echo broken; exit 3' }), 'failing');
  expect(one.version).toEqual({ output: 'program 1', exitCode: 0 });
  expect(between(one, two)[0]).toEqual({
    aspect: 'version',
    of: null,
    baseline: 'program 1',
    variant: 'program 2',
    weight: 'may-matter',
  });
  expect(failing.version).toEqual({ output: 'broken', exitCode: 3 });
  expect(between(one, failing).map(({ aspect }) => aspect)).not.toContain('version');
});

it('says why it does not know where a place has no shell, and finds no difference there', async () => {
  const blind = await seen(container(NO_SHELL, { run: ['busybox', 'true'], version: ['busybox', 'echo', '7'] }));
  expect(blind).toMatchObject({ surroundings: null, unseen: 'no-shell', version: { output: '7', exitCode: 0 } });
  expect(between(await seen(native({ run: ['busybox', 'true'] })), blind)).toEqual([]);
  expect(await bench.containers()).toEqual([]);
});
