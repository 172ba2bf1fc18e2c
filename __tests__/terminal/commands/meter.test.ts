import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Passport } from '../../../src/findings/passport.ts';
import { emulatedTypes } from '../../../src/meters/registry.ts';
import { startEmulator } from '../../emulators/start.ts';
import { PowercapTree } from '../../meters/rapl/powercap-tree.ts';
import { type Program, start, startOnTerminal } from '../program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-meter-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));
const state = join(folder, 'state');
const env = { XDG_STATE_HOME: state, JOULEDIFF_LOCK: `joulediff.test.${process.pid}`, NO_COLOR: '1' };

const running: Program[] = [];
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.child.kill('SIGTERM');
    await program.ended;
  }
});

/** Starts an emulated meter; its name comes with it. */
async function emulate(type: string, ...words: string[]): Promise<Program & { name: string }> {
  const program = start(['meter', 'emulate', type, '--link', join(folder, type), ...words], env);
  running.push(program);
  await program.until(({ stdout, stderr }) => stdout().endsWith('\n') && stderr().includes('Ctrl-C ends it.\n'));
  return { ...program, name: program.stdout().trim() };
}

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('joulediff meter emulate', () => {
  it('gives the name of a meter, and leaves nothing when it is ended', async () => {
    const meter = await emulate('watts-up-pro');
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
      emulatedTypes.map(({ type }) => emulate(type, '--steady', '123', '--noise', '0').then(({ name }) => name)),
    );
    const watched = await Promise.all(
      names.map((name) => start(['meter', 'watch', name, '--seconds', '3', '--json'], env).ended),
    );
    for (const { code, stdout, stderr } of watched) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/emulator/) });
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

describe('joulediff meter check', () => {
  const passports = (type: string): string[] => {
    const kept = join(state, 'joulediff', 'meters');
    return existsSync(kept) ? readdirSync(kept).filter((name) => name.startsWith(`${type}-`)) : [];
  };

  /** Other programs of this machine may disturb the steps; that is told, and then nothing else can be expected. */
  const isDisturbed = ({ step }: Passport): boolean => step === null;

  it('finds a meter sane whose power follows this machine, and keeps its passport', async () => {
    const { name } = await emulate('mcp39f511n', '--latency', '0.3');
    const { code, stdout, stderr } = await start(['meter', 'check', name, '--steps', '1', '--json'], env).ended;
    const passport = JSON.parse(stdout) as Passport;
    expect(passport).toMatchObject({ type: 'mcp39f511n', source: 'emulated', nominal_period_s: 0.32 });
    expect(stderr).toMatch(/Checking mcp39f511n: 1 time idle and \d+ processors? busy, \d+ s in all/);
    const kept = passports('mcp39f511n');
    if (isDisturbed(passport)) {
      expect({ code, kept }).toEqual({ code: 3, kept: [] });
      expect(stdout).toContain('other programs disturbed every step');
      return;
    }
    expect({ code, checks: passport.checks.filter(({ state }) => state === 'fail') }).toEqual({ code: 0, checks: [] });
    expect(passport.step?.step_w).toBeGreaterThan(15);
    expect(passport.latency?.mean_s).toBeLessThan(1.5);
    expect(kept).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(state, 'joulediff', 'meters', kept[0] ?? ''), 'utf8'))).toEqual(passport);
  }, 90_000);

  it('asks for the outlet when the power does not follow', async () => {
    const tree = new PowercapTree().zone('intel-rapl:0', 'package-0');
    const checked = start(['meter', 'check', 'rapl', '--steps', '1'], { ...env, JOULEDIFF_POWERCAP_ROOT: tree.root });
    const { code, stdout } = await checked.ended;
    tree.remove();
    expect(code).toBe(3);
    expect(stdout).toContain('(EMULATED: not a measurement)');
    expect(stdout).toMatch(/fail {2}(The power does not follow this machine's processors|Whether the meter meters)/);
    expect(stdout).toMatch(/This meter should not be used like this|Whether this meter is sane is not known yet/);
  }, 90_000);

  it('ends on Ctrl-C with 130, and leaves nothing working', async () => {
    const check = start(['meter', 'check', 'estimate'], env);
    await check.until(({ stderr }) => stderr().includes('step 1 of 5: busy'));
    const [worker = ''] = workersOf(check.child.pid ?? 0);
    expect(worker).not.toBe('');
    check.child.kill('SIGINT');
    expect(await check.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringContaining('stopped by SIGINT'),
    });
    expect(existsSync(`/proc/${worker}`)).toBe(false);
    expect(passports('estimate')).toEqual([]);
  });

  it('does not start while an experiment is measured, and takes one meter', async () => {
    const first = start(['meter', 'check', 'estimate'], env);
    await first.until(({ stderr }) => stderr().includes('Checking estimate'));
    const second = await start(['meter', 'check', 'estimate'], env).ended;
    expect(second).toMatchObject({ code: 3, stderr: expect.stringContaining('Another experiment is being measured') });
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(143);
    const two = await start(['meter', 'check', 'estimate,rapl'], env).ended;
    expect(two).toMatchObject({ code: 2, stderr: 'One meter is checked at a time.\n' });
  });
});

/** The processes that keep the processors busy for this one. */
function workersOf(parent: number): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const [, ppid] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      if (ppid !== String(parent)) return false;
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes('JOULEDIFF_BUSY_THREADS=');
    } catch {
      return false; // gone meanwhile
    }
  });
}
