// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { InputError, MeasureError } from '../../../src/errors.ts';
import { openPty } from '../../../src/meters/emulator/pty.ts';
import { SerialLine } from '../../../src/meters/serial/line.ts';
import { rejection } from '../collect.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-pty-'));
afterAll(() => rmSync(folder, { recursive: true }));
const link = (name: string) => join(folder, name);

const text = (wanted: string, listen: (take: (chunk: Uint8Array) => void) => void) =>
  new Promise<string>((resolve) => {
    let seen = '';
    listen((chunk) => {
      seen += Buffer.from(chunk).toString('latin1');
      if (seen.length >= wanted.length) resolve(seen);
    });
  });

describe.each(['socat', 'python3'])('a pseudo-terminal of %s', (program) => {
  it('carries every byte both ways to each program that opens it, and leaves no link', async () => {
    const pty = await openPty(link(program), [program]);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    for (let time = 0; time < 2; time++) {
      const line = await SerialLine.open(pty.path, { baudRate: 9600 });
      const there = text(bytes.toString('latin1'), (take) => pty.onData(take));
      await line.write(bytes);
      expect(await there).toBe(bytes.toString('latin1'));
      const back = text(bytes.toString('latin1'), (take) => line.onData(take));
      pty.write(bytes);
      expect(await back).toBe(bytes.toString('latin1'));
      await line.close();
    }
    await pty.close();
    expect(existsSync(pty.path)).toBe(false);
  });

  it('goes with the process that made it, even when that is killed', async () => {
    const source = fileURLToPath(new URL('../../../src/meters/emulator/pty.ts', import.meta.url));
    const path = link(`${program}-killed`);
    const script = `import(${JSON.stringify(source)}).then(async ({ openPty }) => {
      await openPty(${JSON.stringify(path)}, [${JSON.stringify(program)}]);
      process.kill(process.pid, 'SIGKILL');
    });`;
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
    while (existsSync(path)) await wait(20);
  });
});

describe('openPty', () => {
  it('does not take a name that is taken', async () => {
    writeFileSync(link('taken'), '');
    const error = await rejection(openPty(link('taken')));
    expect(error).toEqual(new InputError(`${link('taken')} exists already.`));
    expect(existsSync(link('taken'))).toBe(true);
  });

  it('tells of a folder that is not there', async () => {
    const error = await rejection(openPty(link('nowhere/port')));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toContain(`The port ${link('nowhere/port')} could not be made`);
  });

  it('says what to install where neither program is', async () => {
    const error = await rejection(openPty(link('none'), []));
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.advice).toContain('sudo apt-get install socat');
  });
});
