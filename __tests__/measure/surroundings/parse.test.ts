// Class: system.
import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { fileSystemAt, parseSurroundings } from '../../../src/measure/surroundings/parse.ts';
import { MARK, scriptFor } from '../../../src/measure/surroundings/script.ts';

/** What the script prints, of these parts. */
const reported = (parts: Readonly<Record<string, string>>) =>
  parseSurroundings(
    Object.entries({ ...parts, end: '' })
      .map(([part, lines]) => `\n${MARK}${part}\n${lines}`)
      .join('\n'),
  );

// As they come from Debian's getconf, from ldd of glibc and of musl (on stderr, exit code 1), and from an image with nothing but the loader.
it.each([
  ['glibc 2.36', { libc: 'glibc 2.36' }],
  [
    'glibc 2.31',
    { libc: 'ldd (Debian GLIBC 2.31-13+deb11u13) 2.31\nCopyright (C) 2020 Free Software Foundation, Inc.' },
  ],
  ['glibc 2.39', { libc: 'ldd (Ubuntu GLIBC 2.39-0ubuntu8.6) 2.39' }],
  [
    'musl 1.2.5',
    { libc: 'musl libc (x86_64)\nVersion 1.2.5\nDynamic Program Loader\nUsage: /lib/ld-musl-x86_64.so.1' },
  ],
  ['musl', { loader: '/lib/ld-musl-x86_64.so.1' }],
  ['glibc', { loader: '/lib64/ld-linux-x86-64.so.2' }],
  [null, { libc: 'sh: ldd: not found' }],
])('knows %s', (libc, parts) => {
  expect(reported(parts)?.libc).toBe(libc);
});

it.each([
  'sh',
  'bash',
])('learns the C library and the variables from %s alone, where a place has no other program', (shell) => {
  const path = execFileSync('sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' }).trim();
  const env = { PATH: '/nowhere', LANG: 'C.UTF-8', QUOTED: `a'b "c" \\d $e` };
  const bare = parseSurroundings(
    execFileSync(path, ['-c', scriptFor([])], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  expect(bare).toMatchObject({ locale: 'C.UTF-8', environment: env });
  const whole = parseSurroundings(execFileSync(path, ['-c', scriptFor([])], { encoding: 'utf8' }));
  expect(bare?.libc).toBe(whole?.libc);
  expect(bare?.libc).toMatch(/^(?:glibc|musl) \d/);
});

it('takes the lowest limit from a group to the root, in both versions of control groups', () => {
  const second = [
    'memory.max 1073741824',
    'cpu.max 50000 100000',
    'pids.max max',
    'memory.max max',
    'cpu.max max 100000',
  ];
  expect(reported({ groups: second.join('\n') })?.groupLimits).toEqual({
    cpus: 0.5,
    memoryBytes: 2 ** 30,
    swapBytes: null,
    processes: null,
  });
  const first = [
    ...['memory.limit_in_bytes 536870912', 'memory.memsw.limit_in_bytes 1073741824'],
    ...['memory.limit_in_bytes 9223372036854771712', 'pids.max 512'],
    ...['cpu.cfs_quota_us -1', 'cpu.cfs_period_us 100000', 'cpu.cfs_quota_us 150000', 'cpu.cfs_period_us 100000'],
  ];
  expect(reported({ groups: first.join('\n') })?.groupLimits).toEqual({
    cpus: 1.5,
    memoryBytes: 2 ** 29,
    swapBytes: 2 ** 30,
    processes: 512,
  });
});

it('takes packages from dpkg, rpm and apk, and what a program is linked with from ldd', () => {
  expect(reported({ packages: 'zlib1g 1:1.2.13.dfsg-1\nca-certificates 20230311' })?.packages).toEqual({
    zlib1g: '1:1.2.13.dfsg-1',
    'ca-certificates': '20230311',
  });
  expect(
    reported({ packages: 'ca-certificates-bundle-20250619-r0\nmusl-1.2.5-r10\nWARNING: no index' })?.packages,
  ).toEqual({
    'ca-certificates-bundle': '20250619-r0',
    musl: '1.2.5-r10',
  });
  const libraries =
    'libz.so.1 /usr/lib/libz.so.1.2.13\nlibfoo.so /lib/libfoo.so\nlibc.so.6 /lib/libc.so.6\nlibtcmalloc.so.4 ';
  expect(reported({ 'libraries 0': libraries })).toMatchObject({
    libraries: { 'libz.so': '1.2.13', 'libfoo.so': 'no version', 'libtcmalloc.so': '4' },
    allocator: 'tcmalloc',
  });
  expect(reported({ 'libraries 0': '', environment: 'LD_PRELOAD=/usr/lib/libjemalloc.so.2' })).toMatchObject({
    libraries: null,
    allocator: 'jemalloc',
    compiler: null,
    packages: null,
  });
});

it.each([
  ['glibc, linked statically', 'GCC: (Debian) 12.2.0\nGLIBC_TUNABLES'],
  ['musl, linked statically', 'GCC: (Debian) 12.2.0\nMUSL_LOCPATH'],
  ['linked statically', 'GCC: (Debian) 12.2.0'],
])('tells of a program that it is %s', (libc, compiler) => {
  expect(reported({ 'elf 0': 'yes', 'libraries 0': '', 'compiler 0': compiler })).toMatchObject({
    libc,
    compiler: 'GCC: (Debian) 12.2.0',
  });
});

it('takes the mitigations of a process from its status, and null where the kernel tells none', () => {
  const status = 'Speculation_Store_Bypass:\tthread force mitigated\nSpeculationIndirectBranch:\talways enabled';
  expect(reported({ status })?.mitigations).toBe(
    'store bypass: thread force mitigated, indirect branches: always enabled',
  );
  expect(reported({ status: 'Seccomp:\t2' })?.mitigations).toBeNull();
});

it('leaves out the variables that every run has anew, and keeps values of several lines together', () => {
  const environment = 'JOULEDIFF_RUN=3\nHOSTNAME=4f2a\nA=1\u00012=3\nEMPTY=\nPWD=/x';
  expect(reported({ environment })?.environment).toEqual({ A: '1\u00012=3', EMPTY: '' });
});

it.each([
  ['C', ''],
  ['C', 'LANG=POSIX'],
  ['de_DE.UTF-8', 'LANG=de_DE.UTF-8'],
  ['C.UTF-8', 'LANG=de_DE.UTF-8\nLC_CTYPE=C.UTF-8'],
  ['C', 'LANG=de_DE.UTF-8\nLC_CTYPE=C.UTF-8\nLC_ALL=C'],
])('takes the locale %s from %j', (locale, environment) => {
  expect(reported({ environment: `A=1\n${environment}` })?.locale).toBe(locale);
});

it('finds the file system that holds a path: the longest mount point, and of several there the last', () => {
  const mountinfo = [
    '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
    '30 22 0:25 / /tmp rw - tmpfs tmpfs rw',
    '31 22 0:26 / /my\\040data rw master:3 - xfs /dev/vdb rw',
    '32 31 0:27 / /my\\040data rw - nfs4 host:/x rw',
  ].join('\n');
  const mounts = reported({ mountinfo })?.fileSystems ?? {};
  const types = ['/home/me', '/tmp', '/tmp/a/b', '/tmpx', '/my data/in', 'relative'].map((path) =>
    fileSystemAt(mounts, path),
  );
  expect(types).toEqual(['ext4', 'tmpfs', 'tmpfs', 'ext4', 'nfs4', null]);
});

it('is nothing where the script did not come to its end', () => {
  expect(parseSurroundings(`${MARK}status\nUid:\t0`)).toBeNull();
});

it('keeps all that was told before the script’s time was over, and no part that was told in part', () => {
  const early = `${MARK}kernel\n6.1\n${MARK}end\n${MARK}packages\nzlib1g 1.2\n`;
  expect(parseSurroundings(early)).toMatchObject({ kernel: '6.1', packages: null });
  const later = `${early}${MARK}libraries 0\nlibz.so.1 /lib/libz.so.1`;
  expect(parseSurroundings(later)).toMatchObject({ packages: { zlib1g: '1.2' }, libraries: null });
  expect(parseSurroundings(`${later}\n${MARK}all\n`)).toMatchObject({ libraries: { 'libz.so': '1' } });
});

it('names all versions of a package, whatever their order', () => {
  const lines = ['kernel 6.1-2', 'kernel 6.1-1', 'bash 5.2-1'];
  for (const packages of [lines, lines.toReversed()]) {
    expect(reported({ packages: packages.join('\n') })?.packages).toEqual({ kernel: '6.1-1, 6.1-2', bash: '5.2-1' });
  }
});
