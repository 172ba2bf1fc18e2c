// Class: system.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { busyProcessors, type Load } from '../../../../src/parts/bench/tools/busy-processors.ts';

let load: Load | undefined;
afterEach(() => load?.end());

/** The processes that hold the loop for this parent. */
function workersOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent && isWorker(pid));
}

function parentOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1]);
  } catch {
    return null; // gone
  }
}

function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes('JOULEDIFF_BUSY_THREADS=');
  } catch {
    return false; // gone, or somebody else's
  }
}

/** Time that a process has worked, seconds. */
function workedS(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const work = async (pid: number) => {
  const before = workedS(pid);
  await wait(400);
  return workedS(pid) - before;
};

describe('busyProcessors', () => {
  it('tells its work as a share of the processors that it may use, however many there are', async () => {
    load = await busyProcessors(11, 1);
    await load.on();
    const [before, fromMs] = [load.workedS() as number, performance.now()];
    await wait(800);
    const share = (1000 * ((load.workedS() as number) - before)) / (performance.now() - fromMs);
    expect(share).toBeGreaterThan(0.85);
  });

  it('works when it is on, again and again, at the lowest priority, and not at all when it is off', async () => {
    load = await busyProcessors(11, 2);
    const [pid = 0] = workersOf(process.pid);
    expect(load.words).toBe('2 processors busy');
    for (let time = 0; time < 2; time++) {
      const fromNs = process.hrtime.bigint();
      const onNs = await load.on();
      expect(onNs).toBeGreaterThan(fromNs);
      expect(onNs).toBeLessThan(process.hrtime.bigint());
      // However busy the machine is otherwise, it gets something.
      let workedWhileOn = 0;
      while (workedWhileOn < 0.1) workedWhileOn += await work(pid);
      const offNs = await load.off();
      expect(offNs).toBeGreaterThan(onNs);
      await wait(100);
      expect(await work(pid)).toBeLessThan(0.1);
    }
    const nice = spawnSync('ps', ['-o', 'ni=', '-L', '-p', String(pid)], { encoding: 'utf8' }).stdout;
    expect(nice.match(/^ *19$/gm)?.length).toBeGreaterThanOrEqual(3);
    await load.end();
    expect(isWorker(pid)).toBe(false);
  });

  it('ends with the process that started it, even when that is killed in the middle', async () => {
    const source = fileURLToPath(new URL('../../../../src/parts/bench/tools/busy-processors.ts', import.meta.url));
    const script = `import(${JSON.stringify(source)}).then(async ({ busyProcessors }) => {
      const load = await busyProcessors(11, 1);
      await load.on();
      console.log('on');
    });`;
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    await once(child.stdout, 'data');
    const [pid = 0] = workersOf(child.pid ?? 0);
    expect(pid).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (isWorker(pid)) await wait(20);
  });

  it('is not taken for forgotten within the phases of a slow meter', async () => {
    load = await busyProcessors(400, 1);
    const [pid = 0] = workersOf(process.pid);
    const [, forgottenMs] = /JOULEDIFF_BUSY_MS=(\d+)/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? [];
    expect(Number(forgottenMs)).toBeGreaterThan(800_000);
  });

  it('says so when its process is ended under it', async () => {
    load = await busyProcessors(11, 1);
    const [pid = 0] = workersOf(process.pid);
    process.kill(pid, 'SIGKILL');
    await expect(load.on()).rejects.toThrow('The processors could not be kept busy for the test');
  });
});
