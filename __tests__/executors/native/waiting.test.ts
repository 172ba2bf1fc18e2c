// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { canWait, takeWaiting, WAITING_WORDS } from '../../../src/executors/native/waiting.ts';
import { readStat } from '../../../src/processes/owner.ts';

/** What a program prints that was let go on, and what it was until then. */
async function waited(env: Record<string, string>, argv: readonly string[]) {
  const [program = '', ...args] = [...WAITING_WORDS, ...argv];
  const child = spawn(program, args, { cwd: '/usr', env, stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = child.pid as number;
  let state: string | undefined;
  try {
    takeWaiting('It', pid, (taken) => {
      state = readStat(taken)?.state;
      return taken === pid;
    });
    process.kill(pid, 'SIGCONT');
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { state, printed };
  } finally {
    child.kill('SIGKILL');
  }
}

const PATH = process.env.PATH as string;

it('a process waits until it is let go on, and is then the program with its own words and variables', async () => {
  const words = ['sh', '-c', 'echo "$$" "$@"', 'sh', 'two words', '', '$HOME'];
  expect(await waited({ PATH }, words)).toEqual({
    state: 'T',
    printed: expect.stringMatching(/^\d+ two words {2}\$HOME\n$/),
  });
  const variables = ({ printed }: { printed: string }) => printed.trim().split('\n').sort();
  // Shells tell some of their own (`_`, `SHLVL`).
  const given = await waited({ PATH, A: '1', PWD: '/usr' }, ['env']);
  expect(variables(given)).toEqual(expect.arrayContaining(['A=1', `PATH=${PATH}`, 'PWD=/usr']));
});

it('it waits whatever its PATH holds', async () => {
  const [busybox] = (process.env.PATH as string)
    .split(':')
    .map((folder) => join(folder, 'busybox'))
    .filter(existsSync);
  expect(await waited({ PATH: '/nowhere' }, [busybox as string, 'echo', 'on'])).toEqual({
    state: 'T',
    printed: 'on\n',
  });
});

it('one that can not be taken in is ended, and nobody waits for it', async () => {
  const [program = '', ...args] = [...WAITING_WORDS, 'sleep', '1000'];
  const child = spawn(program, args, { env: { PATH }, stdio: 'ignore', detached: true });
  const ended = once(child, 'close');
  expect(() => takeWaiting('The run command', child.pid as number, () => false)).toThrow(
    'The run command could not be put into the control group that is looked at.',
  );
  expect(await ended).toEqual([null, 'SIGKILL']);
});

it('one that ended before it waited is not taken in, and variables that a shell can not have are known', async () => {
  const child = spawn('true', { stdio: 'ignore' });
  const pid = child.pid as number;
  const takeIn = (): never => {
    throw new Error('it was taken in');
  };
  takeWaiting('It', pid, takeIn);
  await once(child, 'close');
  takeWaiting('It', pid, takeIn);
  expect([canWait({ PATH, A_1: '' }), canWait({ 'npm.config': '' })]).toEqual([true, false]);
});
