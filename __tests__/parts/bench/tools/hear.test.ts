// Class: system.
import { describe, expect, it } from '@jest/globals';
import { Description } from '../../../../src/meters/described/description.ts';
import { emulateDescribed } from '../../../../src/meters/described/emulator.ts';
import { openEar } from '../../../../src/parts/bench/tools/hear.ts';
import { propose } from '../../../../src/parts/bench/tools/learn.ts';
import { maskSecrets } from '../../../../src/text/credentials.ts';
import { rejection } from '../../../meters/collect.ts';
import { World } from '../../../meters/network/runs.ts';

const PORT = '/dev/virtual';

const QUIET = { bauds: [], ask: null };

/** A device that answers with JSON at one path. */
function withPlug(path: string) {
  const world = new World();
  const about = Description.parse({ name: 'x', http: { path }, json: {}, power: { at: '/power', unit: 'W' } });
  const emulator = emulateDescribed(about, world.settings);
  if (!('answer' in emulator)) throw new Error('it is no device in the network');
  return { world, device: world.host.serve('plug.lan', emulator) };
}

describe('a meter is heard', () => {
  it('with its port let go where it is unplugged while it is asked', async () => {
    const world = new World();
    const far = world.host.wire(PORT);
    await world.run(async () => {
      world.host.clock.after(700, () => far.unplug());
      const error = await rejection(openEar(PORT, { bauds: [9600, 2400], ask: '?' }, world.host));
      expect(error.message).toContain('was unplugged');
      await (await world.host.openLine(PORT)).close();
    });
  });

  it('as much as its readings need, where it floods', async () => {
    const world = new World();
    const far = world.host.wire(PORT);
    const flood = Buffer.from('1,2,47\n'.repeat(4000));
    const { bytes } = await world.run(async () => {
      for (let i = 0; i < 1000; i++) world.host.clock.after(10 * i, () => far.write(flood));
      const ear = await openEar(PORT, { bauds: [9600], ask: null }, world.host);
      const heard = await ear.listen(5);
      await ear.close();
      return heard as { bytes: Uint8Array };
    });
    expect(bytes.length).toBeLessThan(100_000);
  });

  it('from the middle of a line on', async () => {
    const world = new World();
    const far = world.host.wire(PORT);
    const line = (watts: number) => `230.1,5,${watts},9\n`;
    const proposal = await world.run(async () => {
      let watts = 40;
      let rest = '';
      for (let i = 0; i < 400; i++) {
        world.host.clock.after(100 * i, () => {
          rest += line(watts);
          // The middle of a line lies between two writes.
          far.write(Buffer.from(rest.slice(0, -5)));
          rest = rest.slice(-5);
        });
      }
      const ear = await openEar(PORT, { bauds: [9600], ask: null }, world.host);
      const marked = [];
      for (watts of [40, 90]) {
        await ear.listen(4);
        marked.push({ watts, heard: await ear.listen(5) });
      }
      await ear.close();
      return propose(marked, ear.framing);
    });
    expect(proposal).toMatchObject({ framing: { line: { separator: ',' } }, power: { at: 2, scale: 1 } });
  });

  it('without the answers that fail', async () => {
    const { world, device } = withPlug('/p');
    await world.run(async () => {
      const ear = await openEar('http://plug.lan/p', QUIET, world.host);
      device.fail({ fault: 'the connection broke off', afterMs: 3 }, { status: 503, body: '' });
      expect(await ear.listen(5)).toMatchObject({ frames: { length: 8 } });
      device.silent = true;
      expect(await ear.listen(5)).toEqual({ frames: [] });
      await ear.close();
    });
  });

  it('a password in its address gives way to a variable, and is remembered as a secret', async () => {
    const { world } = withPlug('/cm?cmnd=Status%208&user=admin&password=p4%26ss!');
    await world.run(async () => {
      const ear = await openEar('http://plug.lan/cm?cmnd=Status%208&user=admin&password=p4%26ss!', QUIET, world.host);
      const path = '/cm?cmnd=Status%208&user=admin&password={secret}';
      expect(ear.keys).toEqual({ http: { path, 'secret-env': 'METER_SECRET' }, address: 'plug.lan' });
      await ear.close();
    });
    expect(maskSecrets('p4&ss!')).toBe('***');
    const twice = openEar('http://plug.lan/?token=a1b2c3&password=d4e5f6', QUIET, world.host);
    expect(await rejection(twice)).toMatchObject({
      name: 'InputError',
      message: expect.stringContaining('token, password'),
    });
    expect(maskSecrets('a1b2c3 d4e5f6')).toBe('*** ***');
  });

  it.each([
    'http://',
    'https://plug.lan/p',
    'http://user:geheim@plug.lan/p',
    'http:geheim@plug.lan',
  ])('not at %s, and what may be a password is not repeated', async (address) => {
    const error = await rejection(openEar(address, QUIET, new World().host));
    expect(error).toMatchObject({
      name: 'InputError',
      message: 'The address of the JSON document is not http://HOST/PATH.',
    });
    expect(`${error.message} ${error.advice}`).not.toContain('geheim');
  });
});
