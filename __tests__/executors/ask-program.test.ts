import { expect, it } from '@jest/globals';
import { askProgram } from '../../src/executors/ask-program.ts';

it('a program that hangs, and will not be stopped, is killed', () => {
  expect(askProgram('sh', ['-c', 'trap "" TERM; exec sleep 300'], 50)).toMatchObject({
    status: null,
    signal: 'SIGKILL',
  });
});

it('a program that floods is killed, too', () => {
  const { status, stdout } = askProgram('yes', []);
  expect(status).toBeNull();
  expect(stdout.length).toBeLessThan(2 ** 22);
});

it('gives what a program answers', () => {
  expect(askProgram('sh', ['-c', 'echo one; echo two >&2; exit 3'])).toMatchObject({
    status: 3,
    stdout: 'one\n',
    stderr: 'two\n',
  });
});
