// Class: system.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { askProgram } from '../../src/processes/ask-program.ts';
import { findProcesses } from '../../src/processes/left-processes.ts';
import { itAsRoot } from '../setup/as-root.ts';

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

// Who may make no control group, as nearly everybody.
itAsRoot(
  'an ordinary user’s is held to a number of processes, and what it left is ended, however it hides',
  async () => {
    const uid = 61_000 + (process.pid % 4000);
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-ask-'));
    const bomb = `#!/bin/sh
    env -i setsid sh -c 'echo $$ > daemon; exec sleep 300' > /dev/null 2>&1 &
    until [ -s daemon ]; do sleep 0.01; done
    i=0; while [ $i -lt 100 ]; do sleep 300 > /dev/null 2>&1 & i=$((i + 1)); echo $i; done`;
    writeFileSync(join(folder, 'bomb'), bomb);
    for (const path of [folder, join(folder, 'bomb')]) chmodSync(path, 0o777);
    const asking = new URL('../../src/processes/ask-program.ts', import.meta.url).href;
    const script = `
    const { askProgram } = await import(${JSON.stringify(asking)});
    const { stdout } = askProgram('bomb', [], undefined, { pids: 40, memoryBytes: ${2 ** 30} });
    console.log(stdout);
  `;
    const env = { PATH: `${folder}:${process.env.PATH}` };
    try {
      const { stdout } = await promisify(execFile)(
        'setpriv',
        [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', process.execPath, '--input-type=module', '-e', script],
        { cwd: folder, env },
      );
      const started = stdout.match(/^\d+$/gm)?.length ?? 0;
      expect(started).toBeGreaterThan(20);
      expect(started).toBeLessThan(40);
      expect(Number(readFileSync(join(folder, 'daemon'), 'utf8'))).toBeGreaterThan(1);
      expect(processesOf(uid)).toEqual([]);
    } finally {
      for (const pid of processesOf(uid)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

const processesOf = (uid: number): number[] =>
  findProcesses(({ pid }) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid);
