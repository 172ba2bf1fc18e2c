import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { observedGroup } from '../../../src/executors/leftovers/observed-groups.ts';
import { countedOf, perfStat } from '../../../src/observers/perf-stat/perf-stat.ts';
import { nowNs } from '../../../src/system/clock.ts';
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

it('knows what it asked for by the names that perf gives it back', () => {
  const of = (event: string, value: number) => countedOf({ fromNs: 1n, toNs: 2n, event, value });
  const told = (kind: string, name: string, value: number) => ({
    fromNs: 1n,
    toNs: 2n,
    kind,
    name,
    value,
    errors: null,
  });
  expect(of('syscalls:sys_enter_write', 12)).toEqual(told('syscall', 'write', 12));
  expect(of('raw_syscalls:sys_enter', 3)).toEqual(told('syscall', 'all', 3));
  expect(of('task-clock', 25.5)).toEqual(told('cpu', 'task-clock', 0.0255));
  expect(of('page-faults:u', 4)).toEqual(told('fault', 'page-faults', 4));
  expect(of('context-switches', 5)).toEqual(told('switch', 'context-switches', 5));
  expect(of('something-new', 7)).toBeNull();
});
