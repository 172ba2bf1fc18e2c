import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryGroup } from '../../../src/executors/usage/memory-group.ts';

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

describe('MemoryGroup', () => {
  it('goes in and out, and says that nothing is known where the kernel keeps no peak', () => {
    const group = new MemoryGroup('1-1', root);
    group.enter();
    group.leave();
    expect(readFileSync(join(own, 'cgroup.procs'), 'utf8')).toBe(String(process.pid));
    const { peakBytes, problem } = group.end();
    expect(peakBytes).toBeNull();
    expect(problem).toContain('peak memory of native runs could not be read');
  });

  it('does nothing where there is no such group', () => {
    const group = new MemoryGroup('1-1', join(root, 'elsewhere'));
    group.enter();
    group.leave();
    expect(group.end()).toMatchObject({ peakBytes: null, problem: expect.stringContaining('could not be read') });
  });

  it('removes the empty groups of a process that was killed', () => {
    const place = readFileSync('/proc/self/cgroup', 'latin1').includes(':memory:') ? own : dirname(own);
    mkdirSync(join(place, 'joulediff-999999-7'));
    new MemoryGroup('1-1', root).end();
    expect(readdirSync(place).filter((name) => name.startsWith('joulediff-'))).toEqual([]);
  });
});
