// Class: system, alone.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Limit } from '../../src/contracts/execution.ts';
import type { Workload } from '../../src/contracts/variant.ts';
import { InputError } from '../../src/errors.ts';
import type { Executor } from '../../src/executors/executor.ts';
import { holdToLimits } from '../../src/executors/native/limits.ts';
import { makeExecutor, type Variant } from '../../src/executors/registry.ts';
import { MAX_PIDS, usableMemory } from '../../src/processes/limits.ts';
import { RunGroup, SPARE_THREADS } from '../../src/processes/run-group.ts';
import { Bench, container, docker, eventually, native, testImage } from '../executors/bench.ts';
import { itAsRoot } from '../setup/as-root.ts';

const IMAGE = 'joulediff-test:busybox';
const GIB = 2 ** 30;
const MAX = 40;

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

/** What control groups hold a native workload to on this machine: nothing, where none can be made. */
function heldHere() {
  const probe = new RunGroup('test', { pids: 100, memoryBytes: GIB });
  const held = probe.held();
  probe.remove();
  return held;
}

type Given = { pids?: number; memoryBytes?: number };
const kinds: [string, (work: Partial<Workload>, given: Given) => Variant][] = [
  ['in a container', (work, given) => container(IMAGE, work, given)],
];
const { pids, memoryBytes } = heldHere();
if (pids !== null && memoryBytes !== null) kinds.push(['natively', (work, given) => ({ ...native(work), ...given })]);

/** Executes a run. Whether its limit was told, or else that it failed and a container's accounts were gone before they were read. */
async function executed(executor: Executor, more: Parameters<Bench['context']>[0], limit: Limit): Promise<boolean> {
  const prepared = await executor.prepare(bench.context(more));
  try {
    const seen = await prepared.execute({ onEdge() {} });
    const execution = (await prepared.settle?.(seen)) ?? seen;
    if (execution.limit === limit) return true;
    if (limit === 'memory' ? execution.exitCode !== 137 : execution.exitCode === 0) return false;
    const { usage } = (await prepared.telemetry?.()) ?? { usage: null };
    return usage?.unread.some((sentence) => sentence.includes('its control group had been removed')) ?? false;
  } finally {
    await prepared.dispose();
  }
}

/** Twice as many processes each time, and 1,023 of them at most: a test without the limit ends, too. Fails where one could not be started. */
const BOMB =
  'bomb() { if [ $1 -gt 0 ]; then bomb $(($1 - 1)) & a=$!; bomb $(($1 - 1)) & b=$!; fi; sleep 1 || exit 1; ' +
  'if [ $1 -gt 0 ]; then wait $a && wait $b || exit 1; fi; }; bomb 9';

describe.each(kinds)('a workload %s', (name, variant) => {
  it('that starts processes without end has no more than its limit, and has failed', async () => {
    // Each stays, so that as many as are counted are there at a time.
    const run = 'i=0; while [ $i -lt 300 ]; do sleep 300 & i=$((i + 1)); echo $i; done';
    const many = await bench.once(variant({ run }, { pids: MAX }));
    expect(many.exitCode).not.toBe(0);
    const counted = bench.log().match(/^\d+$/gm)?.length ?? 0;
    expect(counted).toBeGreaterThan(MAX / 2);
    // Until joulediff has left the group that both are born in, which a busy machine puts off, the limit is larger by its own threads.
    const threads = readdirSync('/proc/self/task').length + SPARE_THREADS;
    expect(counted).toBeLessThanOrEqual(MAX + (name === 'natively' ? threads : 0));
  });

  it('that is a fork bomb is bounded, told and gone', async () => {
    const executor = await bench.ready(variant({ run: BOMB }, { pids: MAX }));
    expect(await executed(executor, {}, 'processes')).toBe(true);
    await eventually(() => !bench.hasProcesses());
  });

  it('that needs more memory than it may have is ended, and that is why it failed', async () => {
    const run = { run: ['tail', '/dev/zero'] };
    const executor = await bench.ready(variant(run, { memoryBytes: 32 * 2 ** 20 }));
    expect(await executed(executor, {}, 'memory')).toBe(true);
    const prepare = { prepare: ['tail', '/dev/zero'] };
    await expect(bench.once(variant(prepare, { memoryBytes: 32 * 2 ** 20 }))).rejects.toThrow(
      /prepare command .* ended .*: (one of its processes was ended because|it was killed, perhaps because) memory ran out: .*see the key memory/,
    );
  });

  it.each([false, true])('is held in all its executions, not in the first alone, own starts: %s', async (ownStarts) => {
    // One that meets the limit in the second execution.
    const second = 'if [ -e first ]; then exec tail /dev/zero; fi; : > first';
    const prepare = 'rm -f first';
    const executor = await bench.ready(variant({ prepare, run: second }, { memoryBytes: 32 * 2 ** 20 }));
    expect(await executed(executor, { executions: 2, ownStarts }, 'memory')).toBe(true);
  });

  it('has limits where none are given, and they are recorded', async () => {
    const executor = await makeExecutor(variant({}, {}), bench.environment());
    const facts = await executor.setup(bench.stop.signal);
    expect(facts).toMatchObject({ limit_processes: MAX_PIDS, limit_memory_bytes: usableMemory(totalmem()) });
  });
});

it('are what the engine is given for a container', async () => {
  const executor = await bench.ready(container(IMAGE));
  const prepared = await executor.prepare(bench.context());
  const [{ Id: id = '' } = {}] = await bench.containers();
  expect((await docker.getContainer(id).inspect()).HostConfig).toMatchObject({
    PidsLimit: MAX_PIDS,
    Memory: usableMemory(totalmem()),
    MemorySwap: -1,
  });
  await prepared.dispose();
});

const itWithGroups = kinds.length > 1 ? it : it.skip;
itWithGroups('hold every execution of a window where none are given, however they are started', async () => {
  const executor = await bench.ready(native({ run: '(grep -E ":(memory|pids):|^0::" /proc/self/cgroup)' }));
  const prepared = await executor.prepare(bench.context({ executions: 3, ownStarts: true }));
  await prepared.execute({ onEdge() {} });
  await prepared.dispose();
  const lines = bench.log().trim().split('\n');
  const each = lines.slice(0, lines.length / 3);
  expect(lines).toEqual([...each, ...each, ...each]);
  expect(each.join()).toMatch(/\/joulediff-[\d-]+-1(,|$)/);
});

itWithGroups('end what had more memory than it may before the limit could be set, as on a busy machine', async () => {
  const group = new RunGroup('late', { pids: null, memoryBytes: 32 * 2 ** 20 });
  group.enter();
  const hog = spawn(process.execPath, ['-e', 'globalThis.held = Buffer.alloc(200e6, 1); setInterval(() => {}, 1000)']);
  const ended = once(hog, 'exit');
  const residentKiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${hog.pid}/status`, 'latin1'))?.[1] ?? 0);
  await eventually(() => residentKiB() > 200_000);
  group.leave();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(group.reached()).toBe('memory');
  group.remove();
});

itWithGroups('hold what cleans up after a run, too, where nothing was prepared', async () => {
  const hog = native({ cleanup: 'head -c 200000000 /dev/zero | tail > /dev/null' });
  await expect(bench.once({ ...hog, memoryBytes: 32 * 2 ** 20 })).rejects.toThrow(/cleanup command .* memory ran out/);
});

it('end every command of a workload before anything else where the machine’s own memory runs out', async () => {
  const run = '(cat /proc/self/oom_score_adj)';
  const executor = await bench.ready(native({ prepare: run, run, cleanup: run }));
  const prepared = await executor.prepare(bench.context({ executions: 2, ownStarts: true }));
  await prepared.execute({ onEdge() {} });
  await prepared.dispose();
  expect(bench.log()).toBe('500\n'.repeat(4));
  expect(Number(readFileSync('/proc/self/oom_score_adj', 'utf8'))).toBeLessThan(500);
});

it('leave the machine its reserve', () => {
  expect(usableMemory(0.5 * GIB)).toBe(0.375 * GIB);
  expect(usableMemory(8 * GIB)).toBe(7.5 * GIB);
  expect(usableMemory(256 * GIB)).toBe(255 * GIB);
});

it('that are given and can’t be held natively are refused', () => {
  const nowhere = { limits: { pids: null, memoryBytes: null } };
  const request = { variant: { name: 'native', pids: 20 }, uid: 0, held: () => nowhere.limits };
  expect(() => holdToLimits(request)).toThrow(InputError);
  expect(() => holdToLimits(request)).toThrow(/The limit pids of variant "native" can't be held/);
});

it('that can’t be held natively are watched', () => {
  const request = { variant: { name: 'native' }, uid: 0, held: () => ({ pids: null, memoryBytes: null }) };
  const limits = { pids: MAX_PIDS, memoryBytes: usableMemory(totalmem()) };
  expect(holdToLimits(request)).toMatchObject({ ...limits, watched: limits });
  const another = { ...request, uid: 61_000, held: () => ({ pids: 100, memoryBytes: null }) };
  expect(holdToLimits(another)).toMatchObject({ pids: 100, watched: { ...limits, pids: null } });
});

itAsRoot('hold another user to a number of processes where there is no control group', async () => {
  // A process of its own: what it is limited to, everything that it starts is limited to.
  const uid = 61_000 + (process.pid % 4000);
  const loop = 'i=0; while [ $i -lt 100 ]; do sleep 300 > /dev/null 2>&1 & i=$((i + 1)); echo $i; done';
  const script = `
    const { limitUser } = await import(${JSON.stringify(new URL('../../src/processes/user-limit.ts', import.meta.url).href)});
    const { spawnSync } = await import('node:child_process');
    console.log('limit', limitUser(${uid}, ${MAX}), limitUser(0));
    const bomb = spawnSync('setpriv', ['--reuid=${uid}', '--clear-groups', '--', 'sh', '-c', ${JSON.stringify(loop)}], { encoding: 'utf8' });
    spawnSync('setpriv', ['--reuid=${uid}', '--clear-groups', '--', 'sh', '-c', 'kill -9 -1']);
    console.log(bomb.stdout + bomb.stderr);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toContain(`limit ${MAX} null`);
  const counted = stdout.match(/^\d+$/gm)?.length ?? 0;
  expect(counted).toBeGreaterThan(MAX / 2);
  expect(counted).toBeLessThanOrEqual(MAX);
  expect(readFileSync('/proc/self/limits', 'utf8')).not.toMatch(new RegExp(`^Max processes +${MAX} `, 'm'));
});
