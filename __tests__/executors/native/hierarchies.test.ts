import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { hasLimitsWithin } from '../../../src/executors/native/hierarchies.ts';

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
