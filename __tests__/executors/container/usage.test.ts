// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ContainerUsage, containerUse } from '../../../src/executors/container/usage.ts';
import { eventually } from '../bench.ts';

// Control groups of version 2 as files in a folder: what a machine with the other version can't show.

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-cgroup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function group(name: string, files: Record<string, string>): (file: string, text: string) => void {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  for (const [file, text] of Object.entries(files)) write(file, text);
  return write;
}

const AT_END = {
  'cgroup.events': 'populated 1\nfrozen 0\n',
  'cpu.stat':
    'usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\nnr_periods 9\nnr_throttled 3\nthrottled_usec 250000\n',
  'memory.peak': '209715200\n',
  'memory.stat': 'anon 4096\nfile_dirty 1048576\nfile_writeback 0\npgfault 900\npgmajfault 40\n',
  'cpu.pressure': 'some avg10=1.00 avg60=0.50 avg300=0.10 total=120000\nfull avg10=0 avg60=0 avg300=0 total=0\n',
  'memory.pressure': 'some avg10=0 avg60=0 avg300=0 total=3000\nfull avg10=0 avg60=0 avg300=0 total=2000\n',
  'io.pressure': 'some avg10=0 avg60=0 avg300=0 total=0\nfull avg10=0 avg60=0 avg300=0 total=0\n',
  'io.stat': '8:0 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=0 dios=0\n259:0 rbytes=100 wbytes=1000 rios=1 wios=1\n',
};

async function ended(write: (file: string, text: string) => void, usage: ContainerUsage) {
  usage.started();
  write('cgroup.events', 'populated 0\nfrozen 0\n');
  await eventually(() => usage.total().cpuS !== null);
  usage.ended();
  return usage.total();
}

describe('ContainerUsage', () => {
  it.each([
    'docker/abc',
    'system.slice/docker-abc.scope',
  ])('reads the accounts of %s when it has become empty', async (name) => {
    expect(await ended(group(name, AT_END), new ContainerUsage('abc', root))).toEqual({
      cpuS: 2.5,
      peakMemoryBytes: 209_715_200,
      readBytes: 4196,
      writtenBytes: 9192 + 1_048_576,
      unread: [],
      counters: expect.any(Array),
    });
  });

  it('reads what else version 2 counts: each kind of time, of fault, and of waiting', async () => {
    const { counters = [] } = await ended(group('docker/abc', AT_END), new ContainerUsage('abc', root));
    const known = counters.flatMap(({ counter, value }) => (value === null ? [] : [[counter, value]]));
    expect(Object.fromEntries(known)).toEqual({
      user_s: 2,
      system_s: 0.5,
      throttled_s: 0.25,
      minor_faults: 860,
      major_faults: 40,
      cpu_stall_s: 0.12,
      memory_stall_s: 0.003,
      memory_full_stall_s: 0.002,
      io_stall_s: 0,
      io_full_stall_s: 0,
    });
    expect(counters).toContainEqual({ counter: 'received_bytes', value: null, missing: 'not-allowed' });
  });

  it('knows nothing of a kernel without the files, and says so', async () => {
    const write = group('docker/abc', { 'cgroup.events': 'populated 1\n', 'cpu.stat': 'usage_usec 1\n' });
    const { unread, counters, ...used } = await ended(write, new ContainerUsage('abc', root));
    expect(used).toEqual({ cpuS: 1e-6, peakMemoryBytes: null, readBytes: null, writtenBytes: null });
    expect(counters?.filter(({ value }) => value !== null)).toEqual([]);
    // A kernel that is new enough is not told to be newer.
    const [major = 0, minor = 0] = release().split('.').map(Number.parseFloat);
    const isOld = major < 5 || (major === 5 && minor < 19);
    expect(unread[0]).toMatch(isOld ? /from 5\.19 on, and this is/ : /memory controller is not enabled/);
  });

  it('tells a peak that was gone from a kernel that keeps none', async () => {
    const write = group('docker/abc', AT_END);
    const usage = new ContainerUsage('abc', root);
    usage.started();
    rmSync(join(root, 'docker/abc/memory.peak'));
    write('cgroup.events', 'populated 0\nfrozen 0\n');
    await eventually(() => usage.total().cpuS !== null);
    usage.ended();
    expect(usage.total()).toMatchObject({
      peakMemoryBytes: null,
      unread: [
        'The peak memory of at least one run in a container could not be read: its control group had been removed already.',
      ],
    });
  });

  it.each([
    ['is there', 'max 0', false, null],
    ['is there and tells of one', 'max 3', false, 'processes'],
    ['was removed before the others', null, true, null],
  ])('of version 1 knows no limit where the group that tells it %s', async (_, told, isGone, limit) => {
    group('cpuacct/docker/abc', { 'cpuacct.usage': '2500000000\n' });
    group('memory/docker/abc', { 'memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 0\n' });
    group('pids/docker/abc', { 'pids.events': `${told}\n` });
    const usage = new ContainerUsage('abc', root);
    const write = group('unified/docker/abc', { 'cgroup.events': 'populated 1\nfrozen 0\n' });
    usage.started();
    if (told === null) rmSync(join(root, 'pids/docker/abc'), { recursive: true });
    write('cgroup.events', 'populated 0\nfrozen 0\n');
    await eventually(() => usage.total().cpuS === 2.5);
    usage.ended();
    expect({ isGone: usage.isGone, limit: usage.limit() }).toEqual({ isGone, limit });
  });

  it('says of memory whose group was removed first that it was gone, and not that nobody counts it', async () => {
    group('cpuacct/docker/abc', { 'cpuacct.usage': '2500000000\n' });
    group('memory/docker/abc', { 'memory.max_usage_in_bytes': '4096\n' });
    const write = group('unified/docker/abc', { 'cgroup.events': 'populated 1\nfrozen 0\n' });
    const usage = new ContainerUsage('abc', root);
    usage.started();
    rmSync(join(root, 'memory/docker/abc'), { recursive: true });
    write('cgroup.events', 'populated 0\nfrozen 0\n');
    await eventually(() => usage.total().cpuS === 2.5);
    usage.ended();
    expect(usage.total().unread).toContain(
      'The peak memory of at least one run in a container could not be read: its control group had been removed already.',
    );
  });

  it('adds up nothing where one of several starts is not known', async () => {
    const usage = new ContainerUsage('abc', root);
    const write = group('docker/abc', AT_END);
    await ended(write, usage);
    usage.started();
    usage.ended();
    expect(usage.total()).toMatchObject({
      cpuS: null,
      unread: [expect.stringContaining('control group had been removed')],
    });
  });
});

describe('containerUse', () => {
  it('tells what a service has used up to now, as its group of version 2 has it', () => {
    group('docker/abc', { ...AT_END, 'cgroup.procs': `${process.pid}\n` });
    expect(containerUse('abc', root)).toEqual({
      cpuS: 2.5,
      peakMemoryBytes: 209_715_200,
      readBytes: 4196,
      writtenBytes: 9192 + 1_048_576,
      network: 'shared-network',
    });
  });

  it('knows nothing of a container of another machine', () => {
    expect(new Set(Object.values(containerUse('abc', root)))).toEqual(new Set(['gone']));
  });
});
