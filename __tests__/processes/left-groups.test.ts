// Class: system.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { removeLeftGroups } from '../../src/processes/left-groups.ts';
import { ownerToken } from '../../src/processes/owner.ts';
import { itAsRoot } from '../setup/as-root.ts';

itAsRoot(
  'what a killed joulediff left is found in the group of another login or service, and nobody else’s is touched',
  async () => {
    const tree =
      ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'].find((folder) => existsSync(join(folder, 'cgroup.procs'))) ?? '';
    const elsewhere = join(tree, `session-${process.pid}.scope`);
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
    // Field by field another process than any that there is: the second of ours began at the machine's start.
    const left = join(elsewhere, `joulediff-${process.pid}-1-${namespace}-1`);
    const alive = join(elsewhere, `joulediff-${ownerToken().split(':').slice(2).join('-')}-${namespace}-1`);
    for (const folder of [elsewhere, left, alive]) mkdirSync(folder);
    const hidden = spawn('sleep', ['303'], { stdio: 'ignore', env: {} });
    const owner = [ownerToken().split(':')[0], namespace, process.pid, 1].join(':');
    try {
      writeFileSync(join(left, 'cgroup.procs'), String(hidden.pid));
      const lines = await removeLeftGroups((mark) => mark.owner === owner);
      expect(lines).toEqual(['Ended the process sleep that an earlier experiment left.']);
      expect(hidden.signalCode ?? hidden.exitCode).not.toBeNull();
      expect([left, alive].map((folder) => existsSync(folder))).toEqual([false, true]);
    } finally {
      hidden.kill('SIGKILL');
      for (const folder of [left, alive, elsewhere]) if (existsSync(folder)) rmdirSync(folder);
    }
  },
);
