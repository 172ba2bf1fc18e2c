// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ownerState, ownerToken, parseOwner, readStat } from '../../src/processes/owner.ts';

const own = parseOwner(ownerToken())!;

describe('an owner', () => {
  it('is alive while its process is', () => {
    expect(own.pid).toBe(process.pid);
    expect(ownerState(own)).toBe('alive');
  });

  it('is dead when the process is gone, or another one has its pid', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    expect(ownerState({ ...own, pid: child.pid! })).toBe('dead');
    expect(ownerState({ ...own, startTicks: '1' })).toBe('dead');
  });

  it('can not be judged from another process namespace or after another boot', () => {
    expect(ownerState({ ...own, pidNamespace: '1' })).toBe('other-namespace');
    expect(ownerState({ ...own, bootId: '00000000-0000-0000-0000-000000000000' })).toBe('other-boot');
  });

  it('is null for what is no token', () => {
    for (const text of ['', 'x', '1:2:3', `${ownerToken()}:5`, 'a:b:c:d']) expect(parseOwner(text)).toBeNull();
  });
});

it('reads the stat of a process whose name has spaces and parentheses', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-owner-'));
  const program = join(folder, 'a) R (b');
  copyFileSync('/bin/sleep', program);
  const child = spawn(program, ['60'], { detached: true });
  try {
    await once(child, 'spawn');
    expect(readStat(child.pid!)).toMatchObject({ parent: process.pid, group: child.pid });
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  }
});
