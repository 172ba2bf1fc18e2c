// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeNote } from '../../src/processes/left-folders.ts';
import { ownerToken, readStat } from '../../src/processes/owner.ts';
import { endLeftSessions } from '../../src/processes/sessions.ts';

const { XDG_STATE_HOME: state } = process.env;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-sessions-'));
  process.env.XDG_STATE_HOME = folder;
  mkdirSync(join(folder, 'joulediff'), { mode: 0o700 });
});
afterEach(() => {
  if (state === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = state;
  rmSync(folder, { recursive: true, force: true });
});
const notes = () => readdirSync(join(folder, 'joulediff')).filter((name) => name.startsWith('joulediff-session-'));

it('ends what a session number names only where a process of this boot and pid namespace wrote it down', async () => {
  // The first process of a daemon’s session has often ended.
  const leader = spawn('sh', ['-c', 'sleep 300 > /dev/null 2>&1 & echo $!'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const session = leader.pid as number;
  const [[line]] = await Promise.all([once(leader.stdout, 'data'), once(leader, 'exit')]);
  const pid = Number(line);
  // Its number is known before it has become what its shell starts.
  while (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'sleep\n') await sleep(5);
  const dead = ownerToken().replace(/:\d+$/, ':1');
  try {
    for (const owner of [
      dead.replace(/^[0-9a-f-]+/, '00000000-0000-0000-0000-000000000000'),
      dead.replace(/^([0-9a-f-]+):\d+/, '$1:1'),
    ]) {
      makeNote('joulediff-session-', 'x', { owner, session, startTicks: '1' });
      expect(await endLeftSessions(() => true)).toEqual([]);
      expect([readStat(pid)?.session, notes()]).toEqual([session, []]);
    }
    makeNote('joulediff-session-', 'x', { owner: dead, session, startTicks: '1' });
    expect(await endLeftSessions(() => true)).toEqual(['Ended the process sleep that an earlier experiment left.']);
    expect([readStat(pid)?.session === session && readStat(pid)?.state !== 'Z', notes()]).toEqual([false, []]);
  } finally {
    if (readStat(pid)?.session === session) process.kill(pid, 'SIGKILL');
  }
});
