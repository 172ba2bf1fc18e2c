// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { observedGroup, removeLeftObserved } from '../../../src/executors/leftovers/observed-groups.ts';
import { makeObservedGroup, removeObservedGroup } from '../../../src/processes/observed-group.ts';
import { ownerToken } from '../../../src/processes/owner.ts';

// Of this process, which lives: nobody else on this machine takes it for a left one.
const [, namespace, pid, startTicks] = ownerToken().split(':');
const name = `joulediff_${pid}_${startTicks}_${namespace}_1000000`;
const group = makeObservedGroup(name);
const where = group === null ? it.skip : it;

where('what hides in the group of a killed process is ended, and the group removed', async () => {
  if (group === null) return;
  const child = spawn('sleep', ['1000'], { env: {}, detached: true, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    await once(child, 'spawn');
    const folder = join(group.host.folder, 'its-own');
    mkdirSync(folder);
    writeFileSync(join(folder, 'cgroup.procs'), String(child.pid));
    expect(await removeLeftObserved(() => false)).toEqual([]);
    const isAbandoned = ({ owner }: { readonly owner: string | null }) => owner === ownerToken();
    const lines = await removeLeftObserved(isAbandoned);
    expect(lines).toEqual(['Ended the process sleep that an earlier experiment left.']);
    await ended;
    // A kernel may need a moment to see that nothing is in it.
    for (const untilMs = Date.now() + 60_000; existsSync(group.folder) && Date.now() < untilMs; ) {
      await removeLeftObserved(isAbandoned);
    }
    expect(existsSync(group.folder)).toBe(false);
  } finally {
    child.kill('SIGKILL');
    await ended;
    removeObservedGroup(group.name);
  }
});

it('none is made where this process has limits that it would be outside of, and that is the reason', () => {
  const tree = mkdtempSync(join(tmpdir(), 'joulediff-tree-'));
  try {
    writeFileSync(join(tree, 'cgroup.controllers'), 'cpu memory\n');
    mkdirSync(join(tree, 'limited', 'inside'), { recursive: true });
    writeFileSync(join(tree, 'limited', 'cpu.max'), '50000 100000\n');
    using within = observedGroup(tree, '0::/limited/inside\n');
    expect(within).toMatchObject({ group: null, limitation: 'limits' });
    using nowhere = observedGroup(null);
    expect(nowhere).toMatchObject({ group: null, limitation: 'no-group' });
    expect(readdirSync(tree).sort()).toEqual(['cgroup.controllers', 'limited']);
  } finally {
    rmSync(tree, { recursive: true });
  }
});
