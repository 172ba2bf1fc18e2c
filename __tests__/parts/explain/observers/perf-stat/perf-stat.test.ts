// Class: world.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { observedGroup } from '../../../../../src/executors/leftovers/observed-groups.ts';
import { perfStat, toStretchCount } from '../../../../../src/parts/explain/observers/perf-stat/perf-stat.ts';
import { nowNs } from '../../../../../src/system/clock.ts';
import { canLook } from '../can-look.ts';

const CALLS = 100_000;
const signal = new AbortController().signal;

const itLooking = canLook() ? it : it.skip;
itLooking('misses no call, even where joulediff itself gets no processor until long after the run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-perf-stat-'));
  try {
    using made = observedGroup();
    const group = made.group!;
    const observation = await perfStat.start({ group, folder, filesOf: null, signal });
    const startNs = nowNs();
    // Nothing else is done here until it has ended: whatever perf has to say waits.
    const work = `echo $$ > ${group.host.folder}/cgroup.procs; exec dd if=/dev/zero of=/dev/null bs=1 status=none count=${CALLS}`;
    expect(spawnSync('sh', ['-c', work]).status).toBe(0);
    const endNs = nowNs();
    const { counts } = await observation.end({ startNs, endNs });
    const writes = counts.filter(({ name }) => name === 'write');
    const inWindow = writes.filter(({ fromNs, toNs }) => toNs > startNs && fromNs < endNs);
    expect(inWindow.reduce((sum, { value }) => sum + value, 0)).toBe(CALLS);
    expect(inWindow).toHaveLength(writes.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Skipped by name where this user may mount nothing. */
const itMounting =
  canLook() && spawnSync('unshare', ['--mount', 'umount', '--types', 'tracefs', '--all']).status === 0 ? it : it.skip;
itMounting('counts calls where the folder of tracepoints was not mounted before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-perf-stat-'));
  try {
    const program = fileURLToPath(new URL('unmounted.ts', import.meta.url));
    const { stdout, stderr } = spawnSync(
      'unshare',
      [
        '--mount',
        'sh',
        '-c',
        'umount --types tracefs --all; exec "$@"',
        'sh',
        process.execPath,
        program,
        folder,
        '777',
      ],
      { encoding: 'utf8' },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '777\n', stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Skipped by name where there is no strace, which npm test installs. */
const itSlowed = canLook() && spawnSync('strace', ['-V']).status === 0 ? it : it.skip;
itSlowed('misses no call at the begin of a run, however long perf takes to read its counters', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-perf-stat-'));
  try {
    // On a busy machine it takes as long by itself, now and then: counters are read a millisecond late, but not when it is asked for its clock.
    const perf = execFileSync('sh', ['-c', 'command -v perf'], { encoding: 'utf8' }).trim();
    const slowed = `strace -D -o /dev/null -e trace=read -e inject=read:delay_enter=1000:when=1..600 ${perf}`;
    writeFileSync(join(folder, 'perf'), `#!/bin/sh\nexec ${slowed} "$@"\n`, { mode: 0o755 });
    process.env.PATH = `${folder}${delimiter}${process.env.PATH}`;
    using made = observedGroup();
    const group = made.group!;
    const observation = await perfStat.start({ group, folder, filesOf: null, signal });
    // In the middle of the first reading.
    await sleep(70);
    const startNs = nowNs();
    // Each look at what its input is takes a call, of the kind that is read last.
    const work = `echo $$ > ${group.host.folder}/cgroup.procs; i=0; while [ $i -lt 1000 ]; do [ -t 0 ]; i=$((i+1)); done`;
    expect(spawnSync('sh', ['-c', work]).status).toBe(0);
    const endNs = nowNs();
    const { counts } = await observation.end({ startNs, endNs });
    const looks = counts.filter(({ name, toNs, fromNs }) => name === 'ioctl' && toNs > startNs && fromNs < endNs);
    expect(looks.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(1000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('knows what it asked for by the names that perf gives it back', () => {
  const of = (event: string, value: number) => toStretchCount({ fromNs: 1n, toNs: 2n, event, value });
  const reported = (kind: string, name: string, value: number) => ({
    fromNs: 1n,
    toNs: 2n,
    kind,
    name,
    value,
    errors: null,
  });
  expect(of('syscalls:sys_enter_write', 12)).toEqual(reported('syscall', 'write', 12));
  expect(of('raw_syscalls:sys_enter', 3)).toEqual(reported('syscall', 'all', 3));
  expect(of('task-clock', 25.5)).toEqual(reported('cpu', 'task-clock', 0.0255));
  expect(of('page-faults:u', 4)).toEqual(reported('fault', 'page-faults', 4));
  expect(of('context-switches', 5)).toEqual(reported('switch', 'context-switches', 5));
  expect(of('something-new', 7)).toBeNull();
});
