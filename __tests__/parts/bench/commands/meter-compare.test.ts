// Class: world.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../../../src/contracts/reading.ts';
import type { Passport } from '../../../../src/findings/passport.ts';
import { readPassport, writePassport } from '../../../../src/meters/passport.ts';
import { openMeters } from '../../../../src/meters/registry.ts';
import { fitCalibration } from '../../../../src/parts/bench/tools/calibration.ts';
import { passport as anyPassport } from '../../../findings/passport.ts';
import { PowercapTree } from '../../../meters/rapl/powercap-tree.ts';
import { emulate } from '../../../terminal/emulate.ts';
import { type Program, start } from '../../../terminal/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-meter-compare-'));
const state = join(folder, 'state');
const env = { XDG_STATE_HOME: state, JOULEDIFF_LOCK: `joulediff.test.${process.pid}`, NO_COLOR: '1' };
const environment = { ...process.env };
afterAll(() => {
  Object.assign(process.env, environment);
  rmSync(folder, { recursive: true });
});

const running: Program[] = [];
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.child.kill('SIGTERM');
    await program.ended;
  }
});

/** The meter of that name, with a passport in the state folder of these tests. */
async function checked(name: string, found: Partial<Passport> = {}): Promise<MeterInfo> {
  const [meter] = (await openMeters([name])).meters;
  await meter!.stop();
  process.env.XDG_STATE_HOME = state;
  await writePassport(meter!.info, { ...anyPassport, host: hostname(), ...found });
  return meter!.info;
}

describe('joulediff meter compare', () => {
  it('calibrates a meter against a better one, with its class, and draws both', async () => {
    // Whatever else this machine does: both see a power that stands still.
    const first = await emulate(folder, env, 'mcp39f511n', '--steady', '66', '--noise', '0');
    const better = await emulate(folder, env, 'mcp39f511', '--steady', '60', '--noise', '0');
    running.push(first, better);
    const info = await checked(first.name);
    const picture = join(folder, 'picture.svg');
    const words = ['meter', 'compare', first.name, better.name, '--steps', '1', '--keep', '--picture', picture];
    const { code, stdout, stderr } = await start(words, env).ended;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Comparing mcp39f511n with mcp39f511 by keeping '),
    });
    expect(stdout).toContain('mcp39f511n against mcp39f511 (EMULATED: not a measurement)');
    expect(stdout).toContain('Gain       0.90909');
    expect(stdout).toContain('Lag        not known');
    expect(stdout).toContain(
      `power = 0.90909 × reading, against mcp39f511 at ${better.name.replace('mcp39f511:', '')}`,
    );
    expect(readFileSync(picture, 'utf8')).toContain('two meters on one load');
    const kept = readPassport(info)?.calibration;
    // Class of the better one: 0.1 %.
    expect(kept).toMatchObject({ by: { type: 'mcp39f511' }, gain: expect.closeTo(60 / 66, 4) });
    expect(kept?.common_gain_u).toBeCloseTo(0.001 / Math.sqrt(3), 7);
  });

  it('keeps nothing of a better meter whose calibration had a single load', async () => {
    const first = await emulate(folder, env, 'mcp39f511n');
    const better = await emulate(folder, env, 'shelly');
    running.push(first, better);
    await checked(first.name);
    const load = {
      when: '2026-11-22T12:00:00.000Z',
      true_w: 60,
      true_u_w: 0.1,
      read_w: 58,
      read_u_w: 0.02,
      readings: 30,
    };
    await checked(better.name, { calibration: fitCalibration([load], null) });
    const { code, stderr } = await start(['meter', 'compare', first.name, better.name, '--keep'], env).ended;
    expect(code).toBe(2);
    expect(stderr).toContain("How accurate shelly is isn't known, so nothing can be calibrated against it.");
    expect(stderr).toContain('calibrate it with two different loads');
  });

  it.each([
    [['estimate'], 'Exactly two meters can be compared at a time.|needs a BETTER'],
    [['estimate', 'rapl', '--picture', 'x.gif'], '--picture x.gif ends neither with .svg nor with .png.'],
    [['estimate', 'rapl', '--keep'], "estimate can't be calibrated: no load can be plugged into it."],
  ])('refuses %j', async (words, message) => {
    const tree = new PowercapTree().zone('intel-rapl:0', 'package-0');
    const ended = start(['meter', 'compare', ...words], { ...env, JOULEDIFF_POWERCAP_ROOT: tree.root }).ended;
    const { code, stdout, stderr } = await ended;
    tree.remove();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(message));
    expect(existsSync('x.gif')).toBe(false);
  });
});
