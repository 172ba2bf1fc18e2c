// Class: world, truth, alone, long.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Passport } from '../../../../src/findings/passport.ts';
import { readPassport, writePassport } from '../../../../src/meters/passport.ts';
import { openMeters } from '../../../../src/meters/registry.ts';
import { passport as anyPassport } from '../../../findings/passport.ts';
import { PowercapTree } from '../../../meters/rapl/powercap-tree.ts';
import { emulate } from '../../../terminal/emulate.ts';
import { type Program, start } from '../../../terminal/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-meter-check-'));
afterAll(() => rmSync(folder, { recursive: true }));
const state = join(folder, 'state');
const env = { XDG_STATE_HOME: state, JOULEDIFF_LOCK: `joulediff.test.${process.pid}`, NO_COLOR: '1' };

const environment = { ...process.env };
afterAll(() => {
  Object.assign(process.env, environment);
});

const running: Program[] = [];
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.child.kill('SIGTERM');
    await program.ended;
  }
});

describe('joulediff meter check', () => {
  const passports = (type: string): string[] => {
    const kept = join(state, 'joulediff', 'meters');
    return existsSync(kept) ? readdirSync(kept).filter((name) => name.startsWith(`${type}-`)) : [];
  };

  /** Other programs of this machine may disturb the steps; that is told, and then nothing else can be expected. */
  const isDisturbed = ({ step }: Passport): boolean => step === null;

  it('passes a meter whose power follows this machine, and keeps its passport', async () => {
    const emulated = await emulate(folder, env, 'mcp39f511n', '--latency', '0.3');
    running.push(emulated);
    const { name } = emulated;
    const { code, stdout, stderr } = await start(['meter', 'check', name, '--steps', '1', '--json'], env).ended;
    const passport = JSON.parse(stdout) as Passport;
    expect(passport).toMatchObject({ type: 'mcp39f511n', source: 'emulated', nominal_period_s: 0.32 });
    expect(stderr).toMatch(
      /Checking mcp39f511n by keeping \d+ processors? busy once, with idle time before and after it\. This takes \d+ s;/,
    );
    const kept = passports('mcp39f511n');
    if (isDisturbed(passport)) {
      // Its rate and resolution are known all the same.
      expect({ code, kept }).toEqual({ code: 3, kept: [expect.any(String)] });
      expect(passport.checks).toContainEqual(expect.objectContaining({ name: 'wiring', reason: 'disturbed' }));
      return;
    }
    expect({ code, checks: passport.checks.filter(({ state }) => state === 'fail') }).toEqual({ code: 0, checks: [] });
    expect(passport.step?.step_w).toBeGreaterThan(15);
    expect(passport.latency?.mean_s).toBeLessThan(1.5);
    expect(kept).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(state, 'joulediff', 'meters', kept[0] ?? ''), 'utf8'))).toEqual(passport);
  });

  it('asks for the outlet when the power does not follow', async () => {
    const tree = new PowercapTree().zone('intel-rapl:0', 'package-0');
    const checked = start(['meter', 'check', 'rapl', '--steps', '1'], { ...env, JOULEDIFF_POWERCAP_ROOT: tree.root });
    const { code, stdout, stderr } = await checked.ended;
    tree.remove();
    expect(code).toBe(3);
    expect(stderr).toContain('RAPL sees the processor and its memory only');
    expect(stdout).toContain('(EMULATED: not a measurement)');
    expect(stdout).toMatch(
      /fail {2}(The power does not follow this machine's processors|It is not clear whether the power follows this machine)/,
    );
    expect(stdout).toMatch(/The meter failed its check|The check could not tell/);
  });

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
    // Who ended it doesn't wait until the system has taken it away.
    while (existsSync(`/proc/${worker}`)) await new Promise((resolve) => setTimeout(resolve, 20));
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
    expect(two).toMatchObject({ code: 2, stderr: 'Only one meter can be checked at a time.\n' });
  });

  it('holds a meter against a reference load, corrects it from then on, and forgets that when it is told to', async () => {
    const emulated = await emulate(folder, env, 'mcp39f511', '--steady', '61.2', '--noise', '0');
    running.push(emulated);
    const { name } = emulated;
    const reference = (load: string, ...more: string[]) =>
      start(['meter', 'check', name, '--reference', load, ...more], env).ended;
    expect(await reference('60W±0.5%')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Run `joulediff meter check` with the machine on the meter first'),
    });
    const { meters } = await openMeters([name]);
    await meters[0]?.stop();
    process.env.XDG_STATE_HOME = state;
    await writePassport(meters[0]!.info, { ...anyPassport, host: hostname() });
    const { code, stdout, stderr } = await reference('60W±0.5%');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Reading mcp39f511 for 12 s: nothing but the load of 60 W may be on it.\n',
    });
    expect(stdout).toContain('Calibration power = 0.98039 × reading, from a reference load of 60 W ± 0.3 W');
    expect(readPassport(meters[0]!.info)?.calibration?.gain).toBeCloseTo(60 / 61.2, 4);
    expect((await reference('none')).stdout).toContain('The readings are no longer corrected.');
    expect(readPassport(meters[0]!.info)).not.toHaveProperty('calibration');
    expect(JSON.parse((await reference('none', '--json')).stdout)).toEqual(readPassport(meters[0]!.info));
  });

  it.each([
    ['rapl', '60W', "rapl can't be calibrated: no load can be plugged into it."],
    ['estimate', '60J', '--reference 60J is not the power of a load.'],
  ])('refuses to hold %s against %s', async (name, load, message) => {
    const tree = new PowercapTree().zone('intel-rapl:0', 'package-0');
    const ended = start(['meter', 'check', name, '--reference', load], {
      ...env,
      JOULEDIFF_POWERCAP_ROOT: tree.root,
    }).ended;
    expect(await ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    tree.remove();
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
