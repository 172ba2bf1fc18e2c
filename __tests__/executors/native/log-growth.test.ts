// Class: system.
import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogGrowth } from '../../../src/executors/native/log-growth.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-growth-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('LogGrowth', () => {
  it('takes what was written while the process slept for as old as that may be', async () => {
    const file = join(folder, 'run.log');
    const growth = new LogGrowth(file);
    appendFileSync(file, 'a\n');
    // As while a process is made on a busy machine: the kernel's word of the write waits as long.
    const startNs = process.hrtime.bigint();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80);
    const sleptNs = process.hrtime.bigint() - startNs;
    growth.awake();
    await sleep(50);
    growth.stop();
    expect(growth.when(2).lateNs).toBeGreaterThanOrEqual(sleptNs);
  });

  it('says so where a workload has emptied its output: what follows stands where something else did', async () => {
    const file = join(folder, 'run.log');
    const growth = new LogGrowth(file);
    appendFileSync(file, 'a\nb\n');
    await sleep(100);
    truncateSync(file, 0);
    appendFileSync(file, 'c\n');
    await sleep(100);
    growth.stop();
    expect(growth.problem).toBe('its output was made shorter while it ran');
  });

  it.each([
    ['was busy', () => spin(40)],
    ['stood still', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40)],
  ])('holds the moment of a write that it heard of late because it %s', async (_, keep) => {
    const file = join(folder, 'run.log');
    const growth = new LogGrowth(file);
    await sleep(100);
    const [before, after] = await new Promise<bigint[]>((resolve) =>
      setImmediate(() => {
        const from = process.hrtime.bigint();
        appendFileSync(file, 'a\n');
        const to = process.hrtime.bigint();
        keep();
        resolve([from, to]);
      }),
    );
    await sleep(50);
    growth.stop();
    const { tNs, lateNs } = growth.when(2);
    expect(tNs).toBeGreaterThanOrEqual(before!);
    expect(tNs - lateNs).toBeLessThanOrEqual(after!);
  });
});

function spin(ms: number): void {
  const end = process.hrtime.bigint() + BigInt(ms) * 1_000_000n;
  while (process.hrtime.bigint() < end);
}
