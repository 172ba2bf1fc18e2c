// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { startEmulator } from '../../../emulators/start.ts';
import { type Program, start, startOnTerminal } from '../../../terminal/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-meter-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { XDG_STATE_HOME: join(folder, 'state'), JOULEDIFF_LOCK: `joulediff.test.${process.pid}`, NO_COLOR: '1' };

const running: Program[] = [];
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.child.kill('SIGTERM');
    await program.ended;
  }
});

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('joulediff meter watch', () => {
  it('prints a line a reading, ends on Ctrl-C with 130, and lets go of the meter', async () => {
    const emulator = await startEmulator('watts-up-pro');
    const watch = start(['meter', 'watch', `watts-up-pro:${emulator.port}`], env);
    await watch.until(({ stdout }) => lines(stdout()).length >= 2);
    watch.child.kill('SIGINT');
    const { code, stdout } = await watch.ended;
    expect(code).toBe(130);
    for (const line of lines(stdout)) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}wall {2}40\.0 W {2}emulated$/);
    expect(emulator.truth().received).toMatch(/#L,R,0;$/);
    await emulator.stop();
  });

  it('tells gaps, and ends with 3 and a sentence when the meter is lost', async () => {
    const emulator = await startEmulator('watts-up-pro');
    const watch = start(['meter', 'watch', `watts-up-pro:${emulator.port}`], env);
    await watch.until(({ stdout }) => stdout() !== '');
    emulator.steer('drop 1');
    await watch.until(({ stderr }) => stderr().includes('gap: The records of a second are missing.'));
    emulator.steer('unplug');
    const { code, stderr } = await watch.ended;
    expect(code).toBe(3);
    expect(stderr).toContain(`The serial port ${emulator.port} was unplugged or failed`);
    await emulator.stop();
  });

  it('ends when its reader has seen enough', async () => {
    const watch = start(['meter', 'watch', 'estimate'], env);
    await watch.until(({ stdout }) => stdout() !== '');
    watch.child.stdout?.destroy();
    expect((await watch.ended).code).toBe(0);
  });

  it('draws one block on a terminal, again and again, that fits it', async () => {
    const columns = 40;
    const watch = startOnTerminal(['meter', 'watch', 'estimate'], columns, env);
    running.push(watch);
    await watch.until(({ stdout }) => /readings 1\d /.test(stdout()));
    watch.child.stdin?.write('\x03');
    const { stdout } = await watch.ended;
    expect(stdout).toContain('exit code 130');
    const blocks = stdout.split('\x1b[6A\r').slice(2, -1);
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) {
      const shown = block
        .replace(/\x1b\[[KJ]/g, '')
        .split('\r\n')
        .slice(0, 6);
      expect(shown[0]).toBe('estimate (a MODEL)');
      expect(shown[1]).toMatch(/^cpu-model +\d+\.\d+ W {2}[▁▂▃▄▅▆▇█]+$/);
      expect(shown[2]).toMatch(/^ {2}min .* W · mean .* W · max /);
      expect(shown[3]).toMatch(/^ {2}readings \d+ · rate /);
      for (const line of shown) expect([...line].length).toBeLessThan(columns);
    }
  });
});
