// Class: system.
import { describe, expect, it } from '@jest/globals';
import { ShellyEmulator, type ShellyTraits } from '../../../src/meters/shelly/emulator.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth, survivesFaults } from '../network/driver.ts';
import { DEVICE, Network } from '../network/runs.ts';

const NAME = `shelly:${DEVICE}`;

function plug(traits: ShellyTraits = {}, load: ConstructorParameters<typeof Network>[1] = {}) {
  let emulator: ShellyEmulator | undefined;
  const network = new Network((settings) => {
    emulator = new ShellyEmulator(settings, traits);
    return emulator;
  }, load);
  return { network, emulator: emulator as ShellyEmulator };
}

const READS =
  /^\/(?:shelly|status|rpc\/(?:Shelly\.GetStatus|(?:Switch|PM1|EM1|EM|Light)\.GetStatus\?id=\d|Switch\.GetConfig\?id=\d))$/;

describe('shelly', () => {
  it.each<[string, ShellyTraits, string?]>([
    ['a phase of a three-phase meter', { component: 'em' }, '?phase=a'],
    ['a dimmer', { component: 'light' }],
    ['a plug of the second generation', {}],
    ['a meter in the wall', { component: 'pm1', generation: 3 }],
    ['a clamp', { component: 'em1', generation: 2 }],
    ['a plug of the first generation', { generation: 1 }],
    ['a clamp of the first generation, beside an open contactor', { generation: 1, component: 'em1', output: false }],
  ])('measures the true energy: %s', async (_, traits, options = '') => {
    const { network, emulator } = plug(traits, { noiseW: 0.4 });
    await measuresTheTruth(network, `${NAME}${options}`, 0.025);
    expect(emulator.harmed).toBe(0);
    for (const path of network.device.asked) expect(path).toMatch(READS);
  });

  it('adds the phases of a three-phase meter, and says so', async () => {
    const { network } = plug({ component: 'em' });
    await network.run(async () => {
      const meter = await network.open(NAME);
      expect(meter.info.remarks.join(' ')).toMatch(/sum of three phases.*\?phase=a/);
      await meter.start(network.collected);
      await network.collected.until(({ samples }) => samples.length >= 5);
      expect(network.collected.samples.at(-1)?.powerW).toBeGreaterThan(100);
      await meter.stop();
    });
  });

  it.each<[string, ShellyTraits]>([
    ['has not measured yet', { power: 'unmeasured' }],
    ['has not measured yet, of the first generation', { power: 'unmeasured', generation: 1 }],
    ['has not measured yet, of three phases', { power: 'unmeasured', component: 'em' }],
    ['reports the error "power_meter_failure"', { power: 'failed' }],
    ['reports the error "power_meter_failure", a clamp', { power: 'failed', component: 'em1' }],
  ])('is a meter that %s', async (why, traits) => {
    const { network } = plug(traits);
    const error = await network.run(async () => rejection((await network.open(NAME)).start(network.collected)));
    expect(error.message).toBe(`The meter shelly gives no readings: it ${why.split(',')[0]}.`);
    expect(network.collected.samples).toEqual([]);
  });

  it.each<[string, ShellyTraits]>([
    ['a relay', { power: 'none' }],
    ['a relay of the first generation, whose power is always 0.00 W', { power: 'none', generation: 1 }],
  ])('is no meter: %s', async (_, traits) => {
    const { network } = plug(traits);
    const error = await network.run(() => rejection(network.open(NAME)));
    expect(error.message).toBe(`No Shelly can be read at ${DEVICE}: it has no power meter.`);
  });

  it('refuses a phase where there are none', async () => {
    const { network } = plug();
    const error = await network.run(() => rejection(network.open(`${NAME}?phase=b`)));
    expect(error.message).toBe('The option phase=b is for three-phase meters, and this Shelly has switch:0.');
  });

  it('knows how long its answers take', async () => {
    const { network } = plug();
    await network.run(async () => {
      const meter = await network.open(NAME);
      expect(meter.replies?.()).toBeNull();
      await meter.start(network.collected);
      await network.collected.until(({ samples }) => samples.length >= 20);
      // The emulator takes 5 to 60 ms.
      const replies = meter.replies?.();
      expect(replies).toEqual({ count: expect.any(Number), meanS: expect.any(Number), mostS: expect.any(Number) });
      expect(replies?.count).toBeGreaterThanOrEqual(39);
      const { meanS = 0, mostS = 0 } = replies ?? {};
      expect([meanS > 0.005, mostS >= meanS, mostS < 0.08]).toEqual([true, true, true]);
      network.device.slowMs = 700;
      await network.wait(3000);
      expect(meter.replies?.()?.mostS).toBeGreaterThan(0.7);
      await meter.stop();
    });
  });

  it('tells what it is', async () => {
    const { network } = plug();
    const { info } = await network.run(() => network.open(`${NAME}?gain=2&offset=0.5`));
    expect(info).toMatchObject({
      type: 'shelly',
      address: DEVICE,
      source: 'emulated',
      identity: {
        generation: 2,
        model: 'SNPL-00112EU',
        id: 'shellyplusplugs-aabbccddeeff',
        firmware: '2.0.0',
        outlet: 'switch:0',
      },
      accuracy: { gainPercent: 2, offsetW: 0.5 },
      channels: [
        {
          channel: 'wall',
          part: 'machine',
          integration: 'guard',
          clock: 'host',
          samplingPeriodS: 1,
          edgeS: 0.5,
          resolutionW: 0.1,
        },
      ],
    });
  });

  it.each([
    ['with a nonce that lasts', 30_000, 1.1],
    ['with a nonce for each question', 1, 2.2],
  ])('answers with its password, %s', async (_, nonceUses, most) => {
    process.env.JOULEDIFF_TEST_PASSWORD = 's3cret, "quoted"';
    const { network, emulator } = plug({ password: 's3cret, "quoted"', nonceUses });
    await network.run(async () => {
      const meter = await network.open(`${NAME}?password-env=JOULEDIFF_TEST_PASSWORD`);
      await meter.start(network.collected);
      await network.collected.until(({ samples }) => samples.length >= 60);
      await meter.stop();
      expect(JSON.stringify(meter.info)).not.toContain('s3cret');
    });
    expect(network.collected.events).toEqual([]);
    expect(network.device.asked.length / 120).toBeLessThan(most);
    expect(emulator.harmed).toBe(0);
  });

  it('is refused with a wrong password, and without one', async () => {
    process.env.JOULEDIFF_TEST_PASSWORD = 'wrong';
    const { network } = plug({ password: 'right' });
    for (const name of [NAME, `${NAME}?password-env=JOULEDIFF_TEST_PASSWORD`]) {
      const error = await network.run(() => rejection(network.open(name)));
      expect(error.message).toBe('No Shelly can be read at plug.lan: it refuses (HTTP 401).');
      expect(error.advice).toContain('password-env');
    }
  });

  it.each<[string, ShellyTraits, RegExp]>([
    ['may be switched by anybody', {}, /^Anybody on the network can switch this outlet off/],
    ['switches itself off', { config: { auto_off: true, auto_off_delay: 3600 } }, /switches itself off 3600 s after/],
    ['has a low limit', { config: { power_limit: 200 } }, /switches itself off above 200 W/],
  ])('warns of an outlet that %s', async (_, traits, reported) => {
    const { network } = plug(traits);
    const { info } = await network.run(() => network.open(NAME));
    expect(info.remarks.some((remark) => reported.test(remark))).toBe(true);
  });

  it.each<[string, ShellyTraits, string, string]>([
    ['switched off', { output: false }, NAME, 'The outlet is switched off: what is plugged in there has no power.'],
    [
      'switched off, of the first generation',
      { output: false, generation: 1 },
      NAME,
      'The outlet is switched off: what is plugged in there has no power.',
    ],
    ['one of several', { outlets: 2 }, NAME, 'This Shelly has several meters; it has switch:0 and switch:1.'],
    ['one that it does not have', {}, `${NAME}?id=3`, 'This Shelly has no meter 3; it has switch:0.'],
    ['not there', {}, 'shelly:other.lan', 'No Shelly can be read at other.lan: nothing answers there.'],
  ])('refuses an outlet that is %s', async (_, traits, name, reported) => {
    const { network } = plug(traits);
    const error = await network.run(() => rejection(network.open(name)));
    expect(error.message).toBe(reported);
  });

  it.each([
    ['shelly', 'The meter "shelly" does not say where it is.'],
    ['shelly:http://plug', '"http://plug" in the meter name "shelly:http://plug" is not HOST or HOST:PORT.'],
    ['shelly:plug?id=x', 'The option id=x in the meter name "shelly:plug?id=x" is not the number of an outlet.'],
    ['shelly:plug?password=x', 'The meter type shelly has no option "password" (in "shelly:plug?password=x").'],
    [
      'shelly:plug?password-env=NO_SUCH_ONE',
      'The environment variable NO_SUCH_ONE, which the meter "shelly" takes its secret from, is not set.',
    ],
    [
      'shelly:plug?password-env=GITHUB_TOKEN',
      'The variable GITHUB_TOKEN in the meter name "shelly:plug?password-env=GITHUB_TOKEN" belongs to the runner.',
    ],
  ])('refuses the name %s', async (name, reported) => {
    const { network } = plug();
    expect((await network.run(() => rejection(network.open(name)))).message).toBe(reported);
  });

  it('goes on through faults on the wire, and is lost when they last', async () => {
    await survivesFaults(plug().network, NAME);
  });

  it('notes a restart, and a counter that tells another energy than the readings', async () => {
    const { network, emulator } = plug();
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(network.collected);
      await network.wait(300_000);
      expect(network.collected.events).toEqual([]);
      emulator.restart();
      await network.wait(5000);
      await meter.stop();
    });
    expect(network.collected.events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['note', 'Its energy counter fell: it was restarted, or somebody reset it.'],
    ]);
    expect(network.collected.samples.length).toBeGreaterThan(300);
  });
});
