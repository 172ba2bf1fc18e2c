import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { lockMachine } from '../../src/measure/lock.ts';

const NAME = `joulediff.test.${process.pid}`;

describe('lockMachine', () => {
  it('lets one experiment in at a time', async () => {
    const lock = await lockMachine(NAME);
    await expect(lockMachine(NAME)).rejects.toThrow('Another experiment is being measured on this machine');
    lock[Symbol.dispose]();
    using _again = await lockMachine(NAME);
  });

  it('goes with a process that is killed', async () => {
    const script = `import { lockMachine } from './src/measure/lock.ts';
      await lockMachine('${NAME}.killed'); process.stdout.write('locked'); process.kill(process.pid, 'SIGKILL');`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([child.stdout, child.signal]).toEqual(['locked', 'SIGKILL']);
    using _lock = await lockMachine(`${NAME}.killed`);
  });
});
