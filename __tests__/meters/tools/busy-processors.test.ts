import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { busyProcessors, type Load } from '../../../src/meters/tools/busy-processors.ts';

let load: Load | undefined;
afterEach(() => load?.end());

/** Processes that are children of this one, or orphans, and hold the loop. */
function workers(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes('JOULEDIFF_BUSY_THREADS=');
      } catch {
        return false;
      }
    })
    .map(Number);
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
  it('works when it is on, again and again, at the lowest priority, and not at all when it is off', async () => {
    const before = workers();
    load = await busyProcessors(2);
    const [pid = 0] = workers().filter((one) => !before.includes(one));
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
    expect(workers()).not.toContain(pid);
  });

  it('ends with the process that started it, even when that is killed in the middle', async () => {
    const source = fileURLToPath(new URL('../../../src/meters/tools/busy-processors.ts', import.meta.url));
    const before = workers();
    const script = `import(${JSON.stringify(source)}).then(async ({ busyProcessors }) => {
      const load = await busyProcessors(1);
      await load.on();
      console.log('on');
    });`;
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    await once(child.stdout, 'data');
    const [pid = 0] = workers().filter((one) => !before.includes(one));
    expect(pid).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (workers().includes(pid)) await wait(20);
  });

  it('says so when its process is ended under it', async () => {
    const before = workers();
    load = await busyProcessors(1);
    const [pid = 0] = workers().filter((one) => !before.includes(one));
    process.kill(pid, 'SIGKILL');
    await expect(load.on()).rejects.toThrow('The processors could not be kept busy for the test');
  });
});
