// Class: system.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { hasLimitsWithin } from '../../src/processes/hierarchies.ts';
import { itAsRoot } from '../setup/as-root.ts';

it('a group at the root would be outside of the limits of our own group, and of those around it', () => {
  const tree = mkdtempSync(join(tmpdir(), 'joulediff-tree-'));
  try {
    const own = join(tree, 'a.slice', 'b.scope');
    mkdirSync(own, { recursive: true });
    const groups = '0::/a.slice/b.scope\n';
    writeFileSync(join(own, 'memory.max'), '1000000\n');
    // Version 1 has limits in other trees.
    expect(hasLimitsWithin(tree, groups)).toBe(false);
    writeFileSync(join(tree, 'cgroup.controllers'), 'memory\n');
    expect(hasLimitsWithin(tree, groups)).toBe(true);
    writeFileSync(join(own, 'memory.max'), 'max\n');
    expect(hasLimitsWithin(tree, groups)).toBe(false);
    writeFileSync(join(tree, 'a.slice', 'cpu.max'), '50000 100000\n');
    expect(hasLimitsWithin(tree, groups)).toBe(true);
    expect(hasLimitsWithin(tree, '0::/\n')).toBe(false);
  } finally {
    rmSync(tree, { recursive: true });
  }
});

itAsRoot('a group is made inside our own where systemd gave that to us alone, and beside it where it may be', () => {
  const tree = mkdtempSync(join(tmpdir(), 'joulediff-delegated-'));
  try {
    chmodSync(tree, 0o755);
    const slice = join(tree, 'system.slice');
    const own = join(slice, 'runner.service');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(slice, 'cgroup.subtree_control'), 'cpu memory pids\n');
    chownSync(own, 1, 1);
    const url = new URL('../../src/processes/hierarchies.ts', import.meta.url).href;
    const script = `const { findHierarchies } = await import(${JSON.stringify(url)}); console.log(JSON.stringify(findHierarchies(${JSON.stringify(tree)}, '0::/system.slice/runner.service\\n')))`;
    const foundBy = (uid: number) => {
      const words = [`--reuid=${uid}`, '--clear-groups', process.execPath, '--input-type=module', '-e', script];
      return JSON.parse(spawnSync('setpriv', words, { encoding: 'utf8' }).stdout);
    };
    expect(foundBy(1)).toEqual([{ parent: own, own, memory: null, countsProcesses: false }]);
    expect(foundBy(0)).toEqual([{ parent: slice, own, memory: expect.any(Object), countsProcesses: true }]);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
});
