import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { readStat } from '../../../src/executors/leftovers/owner.ts';
import { canWait, waitingWords, waitsBefore } from '../../../src/executors/native/waiting.ts';

/** What a program prints that was let go on, and what it was until then. */
async function waited(env: Record<string, string>, argv: readonly string[]) {
  const [program = '', ...args] = [...waitingWords(env), ...argv];
  const child = spawn(program, args, { cwd: '/usr', env, stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = child.pid as number;
  try {
    const waits = waitsBefore(pid);
    const state = readStat(pid)?.state;
    process.kill(pid, 'SIGCONT');
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { waits, state, printed };
  } finally {
    child.kill('SIGKILL');
  }
}

const PATH = process.env.PATH as string;

it('a process waits until it is let go on, and is then the program with its own words and variables', async () => {
  const words = ['sh', '-c', 'echo "$$" "$@"', 'sh', 'two words', '', '$HOME'];
  expect(await waited({ PATH }, words)).toEqual({
    waits: true,
    state: 'T',
    printed: expect.stringMatching(/^\d+ two words {2}\$HOME\n$/),
  });
  const variables = ({ printed }: { printed: string }) => printed.trim().split('\n').sort();
  // Shells tell some of their own (`_`, `SHLVL`), but none tells the folder where nobody gave it.
  const [without, given] = [await waited({ PATH, A: '1' }, ['env']), await waited({ PATH, PWD: '/usr' }, ['env'])];
  expect(variables(without)).toEqual(expect.arrayContaining(['A=1', `PATH=${PATH}`]));
  expect(variables(without).filter((one) => one.startsWith('PWD='))).toEqual([]);
  expect(variables(given)).toContain('PWD=/usr');
});

it('one that ended before it waited does not, and variables that a shell can not have are known', async () => {
  const child = spawn('true', { stdio: 'ignore' });
  const pid = child.pid as number;
  expect(waitsBefore(pid)).toBe(false);
  await once(child, 'close');
  expect(waitsBefore(pid)).toBe(false);
  expect([canWait({ PATH, A_1: '' }), canWait({ 'npm.config': '' })]).toEqual([true, false]);
});
