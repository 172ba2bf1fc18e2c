// Class: system.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ownerToken, readStat } from '../../src/processes/owner.ts';
import { RunGroup } from '../../src/processes/run-group.ts';

// Control groups as files in a folder; the real ones are in usage.test.ts.

let root: string;
let own: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-memory-'));
  const groups = readFileSync('/proc/self/cgroup', 'latin1');
  const memory = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1];
  own = memory === undefined ? join(root, /^0::(.*)$/m.exec(groups)?.[1] ?? '') : join(root, 'memory', memory);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(dirname(own), 'cgroup.subtree_control'), 'cpu memory\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('RunGroup', () => {
  it('goes in and out, and says that nothing is known where the kernel keeps no peak', () => {
    const group = new RunGroup('1-1', undefined, root);
    group.enter();
    group.leave();
    expect(readFileSync(join(own, 'cgroup.procs'), 'utf8')).toBe(String(process.pid));
    const { peakBytes, problem } = group.peak();
    expect(peakBytes).toBeNull();
    expect(problem).toContain('peak memory of native runs is not known');
  });

  it('comes back where its own group was taken for empty and removed meanwhile, as a service manager does', () => {
    const group = new RunGroup('1-1', undefined, root);
    group.enter();
    rmSync(own, { recursive: true });
    group.leave();
    expect(readFileSync(join(own, 'cgroup.procs'), 'utf8')).toBe(String(process.pid));
    expect(group.entered).toBe(true);
  });

  it('does nothing where there is no such group', () => {
    const group = new RunGroup('1-1', undefined, join(root, 'elsewhere'));
    group.enter();
    group.leave();
    expect(group.peak()).toMatchObject({ peakBytes: null, problem: expect.stringContaining('is not known') });
  });

  it('removes the empty groups of a process that was killed', () => {
    const place = readFileSync('/proc/self/cgroup', 'latin1').includes(':memory:') ? own : dirname(own);
    const [, namespace] = ownerToken().split(':');
    const named = (startTicks: string | undefined, run: number) =>
      `joulediff-${process.ppid}-${startTicks}-${namespace}-${run}`;
    // With a group that its workload made; one in use, and one of a process that lives.
    mkdirSync(join(place, named('1', 7), 'inside'), { recursive: true });
    const kept = [named('1', 8), named(readStat(process.ppid)?.startTicks, 1)];
    for (const name of kept) mkdirSync(join(place, name));
    writeFileSync(join(place, named('1', 8), 'in-use'), '');
    new RunGroup('1-1', undefined, root).remove();
    expect(readdirSync(place).filter((name) => name.startsWith('joulediff-'))).toEqual(kept.sort());
  });

  it.each([
    ['cpu.max', 'max 100000\n', '50000 100000\n'],
    ['cpu.weight', '100\n', '20\n'],
    ['cpu.uclamp.max', 'max\n', '50.00\n'],
    ['memory.swap.max', 'max\n', '0\n'],
    ['cpuset.mems', '\n', '0\n'],
  ])('is none where the workload would leave %s behind that its parent has', (name, usual, limited) => {
    const groups = '0::/system.slice/runner.service\n';
    const runner = join(root, 'system.slice', 'runner.service');
    mkdirSync(runner, { recursive: true });
    writeFileSync(join(root, 'system.slice', 'cgroup.subtree_control'), 'cpu memory\n');
    const made = () => {
      new RunGroup('1-1', undefined, root, groups).enter();
      return readdirSync(join(root, 'system.slice')).some((name) => /^joulediff-.*-1-1$/.test(name));
    };
    writeFileSync(join(runner, name), limited);
    expect(made()).toBe(false);
    writeFileSync(join(runner, name), usual);
    expect(made()).toBe(true);
  });
});
