// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { endProcesses, findProcesses } from '../../src/processes/left-processes.ts';

describe('findProcesses', () => {
  it('finds by a variable of the environment, whole names and whole values only', async () => {
    const value = `v-${process.pid}-${process.hrtime.bigint()}`;
    const child = spawn('sleep', ['300'], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, FIRST: '1', NAME_X: value, LAST: '' },
    });
    try {
      await once(child, 'spawn');
      const find = (name: string, wanted: string) => findProcesses((found) => found.variable(name) === wanted);
      expect(find('NAME_X', value)).toEqual([child.pid]);
      expect(find('X', value)).toEqual([]);
      expect(find('NAME_X', value.slice(0, -1))).toEqual([]);
      expect(findProcesses((found) => found.pid === child.pid && found.variable('LAST') === '')).toEqual([child.pid]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('never finds itself or what started it', () => {
    const found = findProcesses(() => true);
    expect(found.length).toBeGreaterThan(0);
    expect(found).not.toContain(process.pid);
    expect(found).not.toContain(process.ppid);
  });
});

describe('endProcesses', () => {
  it('ends with SIGTERM what complies, and by force what does not', async () => {
    const value = `v-${process.pid}-${process.hrtime.bigint()}`;
    const start = (script: string) =>
      spawn('sh', ['-c', script], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { PATH: process.env.PATH, MARK: value },
      });
    const kind = start('trap "exit 7" TERM; echo up; while :; do sleep 0.01; done');
    const stubborn = start('trap "" TERM; echo up; while :; do sleep 0.01; done');
    await Promise.all([once(kind.stdout, 'data'), once(stubborn.stdout, 'data')]);
    const ends = Promise.all([once(kind, 'exit'), once(stubborn, 'exit')]);
    const names = await endProcesses(() => findProcesses((found) => found.variable('MARK') === value), 500);
    expect(names).toContain('sh');
    expect(await ends).toEqual([
      [7, null],
      [null, 'SIGKILL'],
    ]);
  });
});
