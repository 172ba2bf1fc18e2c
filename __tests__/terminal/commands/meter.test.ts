import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { emulatedTypes } from '../../../src/meters/registry.ts';
import { startEmulator } from '../../emulators/start.ts';
import { emulate } from '../emulate.ts';
import { type Program, start, startOnTerminal } from '../program.ts';

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

const emulateHere = async (type: string, ...words: string[]) => {
  const program = await emulate(folder, env, type, ...words);
  running.push(program);
  return program;
};

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('joulediff meter emulate', () => {
  it('gives the name of a meter, and leaves nothing when it is ended', async () => {
    const meter = await emulateHere('watts-up-pro');
    const port = join(folder, 'watts-up-pro');
    expect(meter.name).toBe(`watts-up-pro:${port}`);
    expect(meter.stderr()).toContain(
      "Its power follows this machine's processors: 40 W idle, 65 W when all of them work.",
    );
    expect(existsSync(port)).toBe(true);
    meter.child.kill('SIGINT');
    expect((await meter.ended).code).toBe(130);
    expect(existsSync(port)).toBe(false);
  });

  it('takes a free name by itself, and ends in its time', async () => {
    const ended = await start(['meter', 'emulate', 'sdm120', '--seconds', '0.5'], { ...env, TMPDIR: folder }).ended;
    expect(ended).toMatchObject({ code: 0, stdout: `sdm120:${join(folder, 'joulediff-sdm120')}\n` });
    expect(existsSync(join(folder, 'joulediff-sdm120'))).toBe(false);
  });

  it('emulates every type, so that its driver reads the power and says that it is emulated', async () => {
    const names = await Promise.all(
      emulatedTypes.map(({ type }) => emulateHere(type, '--steady', '123', '--noise', '0').then(({ name }) => name)),
    );
    const watched = await Promise.all(
      names.map((name) => start(['meter', 'watch', name, '--seconds', '3', '--json'], env).ended),
    );
    for (const { code, stdout, stderr } of watched) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/emulated meter/) });
      const [last] = lines(stdout).slice(-1);
      expect(JSON.parse(last ?? '')).toMatchObject({ power_w: 123, source: 'emulated' });
    }
  }, 90_000);
});

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
