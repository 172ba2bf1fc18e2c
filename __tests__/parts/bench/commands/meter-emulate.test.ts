// Class: world.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { PASSWORD, VARIABLE } from '../../../../src/meters/redfish/emulator.ts';
import { emulatedDevices, emulatedTypes } from '../../../../src/meters/registry.ts';
import { LOGIN } from '../../../../src/meters/tp-link/tapo-emulator.ts';
import { emulate } from '../../../terminal/emulate.ts';
import { type Program, start } from '../../../terminal/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-meter-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Description of a meter that a converter carries into the network. */
writeFileSync(join(folder, 'tcp.yml'), 'name: Mine\ntcp: {}\nline: { separator: "," }\npower: { at: 0, unit: W }\n');
const env = {
  XDG_STATE_HOME: join(folder, 'state'),
  JOULEDIFF_LOCK: `joulediff.test.${process.pid}`,
  NO_COLOR: '1',
  [VARIABLE]: PASSWORD,
  ...LOGIN.env,
};

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

  it.each([
    [['sdm120', '--port', '8080'], 'The meter sdm120 is on a serial port; --port is for network meters.'],
    [['shelly', '--link', '/tmp/x'], 'The meter shelly is a network meter; --link is for meters on a serial port.'],
    [['scpi', '--port', '5025', '--link', '/tmp/x'], 'The meter scpi is a network meter; --link is for meters'],
    [['file:tcp.yml', '--link', '/tmp/x'], 'The meter file is a network meter; --link is for meters on a serial port.'],
  ])('says where a meter stands that is sought elsewhere: %j', async (words, reported) => {
    const { code, stderr } = await start(['meter', 'emulate', ...words], env, folder).ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reported) });
  });

  it.each([
    [
      ['scpi', '--model', 'lmg61'],
      'There is no emulated scpi of the model "lmg61".\nDid you mean "lmg611"? Possible: wt310e, lmg611.',
    ],
    [['sdm120', '--model', 'sdm230'], 'There is no emulated sdm120 of the model "sdm230".\nThere are none.'],
    [['file:tcp.yml', '--model', 'x'], 'There is no emulated file:tcp.yml of the model "x".\nThere are none.'],
  ])('says which models there are: %j', async (words, reported) => {
    const { code, stderr } = await start(['meter', 'emulate', ...words], env, folder).ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reported) });
  });

  it('emulates every type, so that its driver reads the power and says that it is emulated', async () => {
    const names = await Promise.all(
      [...emulatedTypes, ...emulatedDevices].map(async ({ type }) => {
        const { name } = await emulateHere(type, '--steady', '123', '--noise', '0');
        return name;
      }),
    );
    const watched = await Promise.all(
      names.map((name) => start(['meter', 'watch', name, '--seconds', '3', '--json'], env).ended),
    );
    for (const { code, stdout, stderr } of watched) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/emulated meter/) });
      // A meter that counts energy gives it over the time in which its answers came, which a busy machine stretches.
      // There, one may also be missing, which is a line too.
      const readings = lines(stdout)
        .map((line) => JSON.parse(line))
        .filter(({ event }) => event === undefined);
      expect(readings).toContainEqual(expect.objectContaining({ power_w: 123, source: 'emulated' }));
      expect(readings.every(({ source }) => source === 'emulated')).toBe(true);
    }
    // Two programs for each of eleven meters.
  }, 300_000);
});
