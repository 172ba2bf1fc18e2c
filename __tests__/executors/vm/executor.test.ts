// Class: world, long.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Execution } from '../../../src/contracts/execution.ts';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import { makeExecutor, type Variant } from '../../../src/executors/registry.ts';
import { outputIn } from '../../../src/measure/surroundings.ts';
import { removeLeftFolders } from '../../../src/processes/left-folders.ts';
import { Bench, eventually } from '../bench.ts';
import { bytesOf, GUEST, type GuestSystem, guestSystem, vm } from './guest-system.ts';

// Real guests, whose processors QEMU emulates: Debian's kernel and a busybox.

const SOURCE = fileURLToPath(new URL('../../../src/executors/registry.ts', import.meta.url));

(GUEST === '' ? describe.skip : describe)('a workload in a virtual machine (needs QEMU and Debian’s kernel)', () => {
  let folder: string;
  let system: GuestSystem;
  let bench: Bench;
  let tmpBefore: string | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-vm-'));
    system = guestSystem(folder);
    // Folders of guests that are left would be seen here.
    tmpBefore = process.env.TMPDIR;
    process.env.TMPDIR = folder;
  });
  afterAll(() => {
    if (tmpBefore === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = tmpBefore;
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(async () => {
    await eventually(() => !bench.hasProcesses());
    expect(readdirSync(folder).filter((name) => name.startsWith('joulediff-guest-'))).toEqual([]);
    await bench.close();
  });

  it('runs the files of the experiment on a disk that is not written to, with a window on this machine’s clock', async () => {
    const disk = await bench.file('disk.img', 'as it was'.padEnd(2 ** 20, '.'));
    const stamp = `while read -r a b c d; do [ "$a" = now ] && echo "at $c" && break; done </proc/timer_list`;
    await bench.file(
      'inside/work.sh',
      `${stamp}\nsleep 0.3\n${stamp}\nhead -c 9 /dev/vda; echo; echo changed | dd of=/dev/vda conv=notrunc; sync; head -n 1 /dev/vda\ncat "$1"; pwd\nexit 3\n`,
    );
    await bench.file('inside/läuft.txt', 'of the folder\n');
    const [first, second] = ["it's", 'ä "$HOME"\n!`'];
    const run = `printf '%s|' "$FIRST" "$SECOND"; echo; setsid sleep 600 & tail /dev/zero; exec sh work.sh läuft.txt`;
    const workdir = bench.path('inside');
    const variant = vm(
      system,
      { run, workdir, prepare: 'sleep 601 & echo prepared', env: { FIRST: first, SECOND: second, 'odd.name': 'x' } },
      { image: disk },
    );
    const executor = await makeExecutor(variant, bench.environment());
    const context = bench.context();
    const prepared = await executor.prepare(context);
    expect(prepared.leftByPrepare).toEqual({ names: ['sleep'], runOn: true });
    const edges: string[] = [];
    const provisional = await prepared.execute({ onEdge: (edge) => edges.push(edge) });
    const execution = (await prepared.settle?.(provisional)) as Execution;
    const telemetry = await prepared.telemetry?.();
    await prepared.dispose();

    expect(edges).toEqual(['start', 'end']);
    expect(execution).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      limit: 'memory',
      leftRunning: { ended: ['sleep'], remaining: [] },
    });
    const log = bench.log();
    expect(log).toMatch(/^prepared\n/);
    expect(log).toContain(`${first}|${second}|\n`);
    expect(log).toMatch(/^as it was\n(?:.*\n)*?changed\n/m);
    expect(log).toContain('of the folder\n/tmp/joulediff/files/inside\n');
    expect(execution.outputTail).toContain('of the folder');
    expect(bytesOf(disk)).toMatch(/^as it was\.+$/);

    // By the guest's own clock, and by when this machine sent and heard: the window holds the one and lies in the other.
    const { startNs, endNs, clock } = execution;
    const [begin = 0, end = 0] = [...log.matchAll(/^at (\d+)$/gm)].map(([, ns]) => Number(ns));
    expect(end - begin).toBeGreaterThanOrEqual(0.3e9);
    const edgeNs = Math.ceil(1e9 * (clock?.edgeS ?? Number.NaN));
    const lengthNs = 1e9 * (clock?.lengthS ?? Number.NaN);
    expect(Number(endNs - startNs) + lengthNs).toBeGreaterThan(end - begin);
    expect(Number(startNs - provisional.startNs) + edgeNs).toBeGreaterThanOrEqual(0);
    expect(Number(provisional.endNs - endNs) + edgeNs).toBeGreaterThanOrEqual(0);
    expect(telemetry?.usage?.cpuS).toBeGreaterThan(0);
    expect(telemetry?.usage?.counters).toEqual([{ counter: 'guest_cpu_s', value: expect.any(Number), missing: null }]);
  });

  it('goes on only with the kernel, initrd and image that it began with', async () => {
    const executor = await makeExecutor(vm(system, {}), bench.environment());
    await expect(executor.setup(bench.stop.signal, { vm_initrd: 'sha256:other' })).rejects.toThrow(
      /^The initrd of variant "guest", .*, has changed since the experiment began\.$/,
    );
  });

  it('is not observed, and says so before anything is booted', async () => {
    const executor = await makeExecutor(vm(system, {}), bench.environment());
    const observed = { ...bench.context(), tracer: { words: ['strace'] } } as never;
    await expect(executor.prepare(observed)).rejects.toThrow(/^Runs in a virtual machine can’t be observed/);
  });

  it.each<[string, string, Partial<Execution>]>([
    ['takes longer than its timeout', 'sleep 600', { timedOut: true, exitCode: null }],
    ['is stopped', 'sleep 600', { timedOut: false, signal: 'SIGKILL' }],
  ])('is ended with its guest where it %s', async (what, run, expected) => {
    const isStopped = what === 'is stopped';
    const variant = vm(system, { run, timeoutS: isStopped ? null : 0.5 });
    const executor = await makeExecutor(variant, bench.environment());
    const prepared = await executor.prepare(bench.context());
    const execution = await prepared.execute({
      onEdge(edge) {
        if (edge === 'start' && isStopped) bench.stop.abort(new Error('stopped by the test'));
      },
    });
    expect(execution).toMatchObject(expected);
    await prepared.dispose();
  });

  it.each(['prepare', 'cleanup'] as const)('names the timeout of its %s', async (stage) => {
    const variant = vm(system, { run: 'true', [stage]: 'sleep 600', timeoutS: 0.5 });
    const executor = await makeExecutor(variant, bench.environment());
    const whole = async () => {
      const prepared = await executor.prepare(bench.context());
      await prepared.execute({ onEdge() {} }).finally(() => prepared.dispose());
    };
    await expect(whole()).rejects.toThrow(`The ${stage} command of variant "guest" ended at its timeout.`);
  });

  it('gives no output of an inspection that takes longer than its limit, and no error of a missing log', async () => {
    const request = { variant: vm(system, {}), facts: {}, folder, signal: bench.stop.signal };
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const limits = { timeoutS: 0.5, maxBytes: 100 };
    const seen = await outputIn({ ...request, environment: bench.environment() }, 'sleep 600', limits);
    expect(seen).toMatchObject({ execution: { timedOut: true, exitCode: null }, output: '' });
  });

  it('ends a run, however long it may take, whose guest has lost the shell that runs commands there', async () => {
    // The kernel ends first what has the highest score: joulediff's own, which would never be chosen by itself.
    const run = 'echo 1000 >/proc/$PPID/oom_score_adj; tail /dev/zero';
    const executor = await makeExecutor(vm(system, { run, cleanup: 'true' }), bench.environment());
    const prepared = await executor.prepare(bench.context());
    await expect(prepared.execute({ onEdge() {} })).rejects.toThrow(
      /^The guest of variant "guest" went on without the shell that runs its commands, which was ended because memory ran out there \(its kernel ended \d+ of its processes for that\)\.$/,
    );
    await prepared.dispose();
  });

  it('is repeated where its guest is lost after its window, before its output was brought', async () => {
    const executor = await makeExecutor(vm(system, { run: 'echo out', cleanup: 'true' }), bench.environment());
    const prepared = await executor.prepare(bench.context());
    const execution = await prepared.execute({ onEdge() {} });
    expect(await prepared.settle?.(execution)).toMatchObject({ exitCode: 0 });
    for (const pid of bench.processes()) process.kill(pid, 'SIGKILL');
    await prepared.telemetry?.();
    await expect(prepared.dispose()).rejects.toBeInstanceOf(PlaceLostError);
  });

  it('tells the reason where its guest panics, however much the console said after it', async () => {
    // 2: what memory is used for is told after the stack.
    const run = 'echo 2 >/proc/sys/kernel/panic_print; echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger';
    const executor = await makeExecutor(vm(system, { run }), bench.environment());
    const prepared = await executor.prepare(bench.context());
    await expect(prepared.execute({ onEdge() {} })).rejects.toThrow(
      /^The guest of variant "guest" ended by itself: it panicked, restarted or shut down\.\nIts last output:\n {2}.*Kernel panic - not syncing: sysrq triggered crash\n {2}…\n[\s\S]*Mem-Info/,
    );
    await prepared.dispose();
  });

  it('is not waited for longer than its time where it does not answer', async () => {
    const variant = vm(system, {}, { withinS: 0.1 });
    await expect(bench.ready(variant)).rejects.toThrow(
      /^The guest of variant "guest" did not answer at its second serial port within 0\.1 s\./,
    );
    const broken = vm({ ...system, kernel: await bench.file('kernel', 'no kernel') }, {});
    await expect(bench.ready(broken)).rejects.toThrow(
      /^qemu-system-x86_64 ended with exit code 1, and with it the guest of variant "guest"\.\nIts last output:/,
    );
  });

  it('goes with joulediff where that is killed, and its folder with the next start', async () => {
    const variant = vm(system, { run: 'sleep 600' });
    const { experimentId } = bench;
    const script = `
      const { makeExecutor } = await import(${JSON.stringify(SOURCE)});
      const environment = { experimentId: ${JSON.stringify(experimentId)}, directory: ${JSON.stringify(bench.folder)}, inheritedEnv: {}, passedEnv: {}, log() {} };
      const executor = await makeExecutor(${JSON.stringify(variant satisfies Variant)}, environment);
      const { signal } = new AbortController();
      const run = await executor.prepare({ experimentId: environment.experimentId, runId: 1, logFile: '/dev/null', signal });
      await run.execute({ onEdge: () => console.log('started') });
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(bench.hasProcesses()).toBe(true);
    child.kill('SIGKILL');
    await eventually(() => !bench.hasProcesses());
    expect(removeLeftFolders(({ experiment }) => experiment === experimentId)).toEqual([
      expect.stringMatching(/^Removed the disk of a guest in .*joulediff-guest-\w+ that an earlier experiment left\.$/),
    ]);
  });
});
