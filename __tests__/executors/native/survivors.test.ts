// Class: system.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Survivors } from '../../../src/executors/native/survivors.ts';
import { readStat } from '../../../src/processes/owner.ts';
import type { RunGroup } from '../../../src/processes/run-group.ts';
import { itAsRoot } from '../../setup/as-root.ts';
import { eventually, isRunning } from '../bench.ts';

const identity = { experimentId: `test-${process.pid}`, runId: 1, variant: 'native' };

/** A daemon that nothing ties to a run but its time, and the folder that it is at work in: started in it, an orphan. */
async function startDaemon(folder = '/'): Promise<number> {
  const script = `cd ${folder}; setsid sleep 300 > /dev/null 2>&1 & echo $!`;
  const pid = Number(spawnSync('env', ['-i', '/bin/sh', '-c', script], { encoding: 'utf8' }).stdout);
  // It has its session before it is the program that it becomes.
  await eventually(() => readStat(pid)?.session === pid && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n');
  return pid;
}

it('an orphan of the time of the run that does nothing in its folder is told, and not ended: it may be somebody else’s', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'joulediff-survivors-'));
  const setup = {
    identity,
    stage: 'run',
    logFile: join(directory, 'log'),
    directory,
    uid: process.geteuid?.() ?? 0,
  } as const;
  const before = await startDaemon();
  // The kernel's time of a start is in hundredths of a second.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const survivors = new Survivors({ ...setup, isContained: false });
  const daemon = await startDaemon();
  try {
    survivors.note(null, null);
    const found = await survivors.end();
    const reported = found?.remaining.filter((name) => /^(sleep|setsid), /.test(name)) ?? [];
    expect(reported.map((name) => Number(/\d+$/.exec(name)?.[0]))).toContain(daemon);
    expect(reported.join()).not.toContain(String(before));
    expect([before, daemon].map(isRunning)).toEqual([true, true]);
  } finally {
    for (const pid of [before, daemon]) process.kill(pid, 'SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
});

it('an orphan of the time of the run that is at work in its folder is ended where no control group tells', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'joulediff-survivors-'));
  const uid = process.geteuid?.() ?? 0;
  const survivors = new Survivors({ identity, stage: 'run', logFile: join(directory, 'log'), directory, uid });
  const daemon = await startDaemon(directory);
  try {
    survivors.note(null, null);
    const found = await survivors.end();
    expect(found?.ended).toEqual(['sleep']);
    // Orphans of other programs on this machine may be told.
    expect(found?.remaining.join()).not.toContain(String(daemon));
    expect(isRunning(daemon)).toBe(false);
  } finally {
    if (isRunning(daemon)) process.kill(daemon, 'SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
});

/** What a program in a namespace of processes of its own prints, as in a container: no process of the machine is seen there, or ended. */
function contained(script: string): string {
  const words = ['--pid', '--fork', '--mount-proc', process.execPath, '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync('unshare', words, { encoding: 'utf8', cwd: import.meta.dirname });
  expect(stderr).toBe('');
  return stdout;
}

itAsRoot(
  'an orphan of the time of the run is ended in a container, where it can be nobody else’s, and what was there before is not',
  () => {
    const from = new URL('../../../src/executors/native/survivors.ts', import.meta.url).href;
    const made = contained(`
    import { spawnSync } from 'node:child_process';
    import { readFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    const { Survivors } = await import(${JSON.stringify(from)});
    const orphan = (name) => spawnSync('env', ['-i', '/bin/sh', '-c', 'cd /; setsid sleep ' + name + ' >/dev/null 2>&1 & echo $!']);
    const there = (pid) => { try { return /^State:\\s+[^ZX]/m.test(readFileSync('/proc/' + pid + '/status', 'utf8')); } catch { return false; } };
    const before = String(orphan(301).stdout).trim();
    await sleep(100);
    const survivors = new Survivors({ identity: { experimentId: 'x', runId: 1, variant: 'native' }, stage: 'run', logFile: '/nowhere', directory: '/nowhere', uid: 0 });
    await sleep(50);
    const hidden = String(orphan(302).stdout).trim();
    await sleep(100);
    survivors.note(null, null);
    const found = await survivors.end();
    console.log(JSON.stringify({ found, before: there(before), hidden: there(hidden) }));
    process.exit();
  `);
    expect(JSON.parse(made)).toEqual({ found: { ended: ['sleep'], remaining: [] }, before: true, hidden: false });
  },
);

it('a process that has the number of a group which ended is not ended where the control group knows all', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'joulediff-survivors-'));
  const uid = process.geteuid?.() ?? 0;
  const other = await startDaemon();
  const born = { entered: true, members: () => new Set<number>(), seal() {} } as unknown as RunGroup;
  try {
    const survivors = new Survivors({
      identity,
      stage: 'run',
      logFile: join(directory, 'log'),
      directory,
      uid,
      isContained: false,
    });
    survivors.note(other, born);
    expect(await survivors.end()).toBeNull();
    expect(isRunning(other)).toBe(true);
  } finally {
    process.kill(other, 'SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
});

itAsRoot('a process that gets the number of a group that is empty is not ended', () => {
  const from = new URL('../../../src/executors/native/survivors.ts', import.meta.url).href;
  const made = contained(`
    import { spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { writeFileSync } from 'node:fs';
    const { Survivors } = await import(${JSON.stringify(from)});
    const start = (...words) => spawn(words[0], words.slice(1), { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } });
    const survivors = new Survivors({ identity: { experimentId: 'x', runId: 1, variant: 'native' }, stage: 'run', logFile: '/nowhere', directory: '/nowhere', uid: 0, isContained: false });
    const own = start('true');
    await once(own, 'exit');
    survivors.note(own.pid, null);
    let other;
    for (let tries = 0; other?.pid !== own.pid && tries < 50; tries++) {
      other?.kill('SIGKILL');
      writeFileSync('/proc/sys/kernel/ns_last_pid', String(own.pid - 1));
      other = start('sleep', '300');
    }
    let ended = false;
    other.once('exit', () => { ended = true; });
    await survivors.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(JSON.stringify({ isSame: other.pid === own.pid, ended }));
    other.kill('SIGKILL');
    process.exit();
  `);
  expect(JSON.parse(made)).toEqual({ isSame: true, ended: false });
});
