// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { averagedPowerW } from '../../../src/meters/emulator/averaging-unit.ts';
import { type EmulatorSettings, EnergyRegister } from '../../../src/meters/emulator/emulator.ts';
import type { EmulatedDevice } from '../../../src/meters/emulator/http-device.ts';
import { passportPath } from '../../../src/meters/passport.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth, survivesFaults } from '../network/driver.ts';
import { DEVICE, Network } from '../network/runs.ts';

type Tell = (powerW: number, energyJ: number) => unknown;

/** Any server of JSON: a mean of the last second, and the energy since its start. */
function server(tell: Tell, token: string | null = null) {
  return (settings: EmulatorSettings): EmulatedDevice => {
    const energy = new EnergyRegister(settings, settings.originNs);
    const averaging = { averageS: 1, refreshS: 1, lagNs: 0n, originNs: settings.originNs };
    return {
      delayMs: () => 30,
      answer({ headers }, nowNs) {
        if (token !== null && headers.authorization !== `Bearer ${token}`) return { status: 401, body: '' };
        const powerW = averagedPowerW(settings, averaging, nowNs);
        return { status: 200, body: JSON.stringify(tell(powerW, energy.untilJ(nowNs))) };
      },
    };
  };
}

const homeAssistant: Tell = (powerW) => ({ entity_id: 'sensor.plug_power', state: powerW.toFixed(1), attributes: {} });
const URL = `http-json:http://${DEVICE}/api/states/sensor.plug_power`;

const environment = { ...process.env };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-http-json-'));
  process.env.XDG_STATE_HOME = folder;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  process.env = environment;
});

describe('http-json', () => {
  it.each<[string, Tell, string]>([
    ['a state of Home Assistant', homeAssistant, `${URL}?pointer=/state&unit=W&source=emulated`],
    ['kilowatts in a list', (w) => ({ 'a/b': [{ kW: w / 1000 }] }), `${URL}?pointer=/a~1b/0/kW&unit=kW`],
    ['a counter of joules', (_w, j) => j, `${URL}?unit=J`],
    ['a counter of watt-hours', (_w, j) => ({ wh: j / 3600 }), `${URL}?pointer=/wh&unit=Wh`],
  ])('measures the true energy by %s', async (_, tell, name) => {
    await measuresTheTruth(new Network(server(tell), { noiseW: 0.4 }), name, 0.04);
  });

  const inHome =
    (unit: string): Tell =>
    (w) => ({ state: w.toFixed(1), attributes: { unit_of_measurement: unit } });
  it.each<[string, Tell, string, string]>([
    ['kilowatts in Home Assistant', inHome('kW'), '?pointer=/state&unit=W', 'kW'],
    ['volt-amperes', inHome('VA'), '?pointer=/state&unit=W', 'VA'],
    ['kilowatts by the key', (w) => ({ active_power_kW: w / 1000 }), '?pointer=/active_power_kW&unit=W', 'kW'],
    [
      'kilowatts beside it',
      (w) => ({ power: { value: w / 1000, unit: 'kilowatts' } }),
      '?pointer=/power/value&unit=W',
      'kW',
    ],
    ['milliwatts by the key', (w) => ({ power_mW: w * 1000 }), '?pointer=/power_mW&unit=W', 'mW'],
    ['milliwatts by a key with a number', (w) => ({ out1mW: w * 1000 }), '?pointer=/out1mW&unit=W', 'mW'],
    ['milliwatts beside it', (w) => ({ power: w, unit: 'milliwatts' }), '?pointer=/power&unit=W', 'mW'],
    ['milliwatt-hours', (_w, j) => ({ energy_mWh: j / 3.6 }), '?pointer=/energy_mWh&unit=Wh', 'mWh'],
    ['an energy', (_w, j) => ({ unit: 'kWh', list: [j / 3.6e6] }), '?pointer=/list/0&unit=Wh', 'kWh'],
  ])('refuses a unit that the answer contradicts: %s', async (_, tell, options, says) => {
    const network = new Network(server(tell));
    const error = await network.run(() => rejection(network.open(`${URL}${options}`)));
    expect([error.name, error.message]).toEqual([
      'InputError',
      expect.stringContaining(`says ${says} of the number at /`),
    ]);
  });

  it.each<[string, Tell, string]>([
    ['the same unit', inHome('W'), '?pointer=/state&unit=W'],
    ['the same unit in words', (w) => ({ power: w, units: 'Watts' }), '?pointer=/power&unit=W'],
    ['the same unit in the key', (w) => ({ power_mW: w * 1000 }), '?pointer=/power_mW&unit=mW'],
    ['a key whose word ends in m', (w) => ({ systemW: w }), '?pointer=/systemW&unit=W'],
    ['a key whose word ends in k', (w) => ({ peakW: w }), '?pointer=/peakW&unit=W'],
    ['a word that is no unit', (w) => ({ power: w, unit: 'rack 4' }), '?pointer=/power&unit=W'],
    [
      'the unit of another number',
      (w) => ({ voltage: { value: 230, unit: 'V' }, power: { value: w } }),
      '?pointer=/power/value&unit=W',
    ],
  ])('takes %s', async (_, tell, options) => {
    const network = new Network(server(tell));
    const { info } = await network.run(() => network.open(`${URL}${options}`));
    expect(info.type).toBe('http-json');
  });

  it('tells whose numbers these are', async () => {
    process.env.JOULEDIFF_TEST_TOKEN = 'tok-3n';
    const network = new Network(server(homeAssistant, 'tok-3n'));
    const { info } = await network.run(() =>
      network.open(`${URL}?pointer=/state&unit=W&token-env=JOULEDIFF_TEST_TOKEN&query=secret%3D1`),
    );
    expect(info).toMatchObject({
      type: 'http-json',
      address: `http://${DEVICE}/api/states/sensor.plug_power`,
      source: 'measured',
      accuracy: null,
      // With the samples that tells what was read.
      identity: { pointer: '/state', unit: 'W' },
    });
    expect(info.remarks).toEqual([
      `As reported by http://${DEVICE}/api/states/sensor.plug_power: how it measures and how old its number is, joulediff can’t see.`,
      expect.stringContaining('if it is all of it, say so by part=machine.'),
      'Its token goes over the network unencrypted.',
    ]);
    expect(JSON.stringify(info)).not.toMatch(/tok-3n|secret/);
    expect(network.device.asked).toEqual(['/api/states/sensor.plug_power?secret=1']);
  });

  it('has a passport for each query', async () => {
    const paths: string[] = [];
    for (const query of ['', '&query=pin%3D1', '&query=pin%3D2', '&query=pin%3D1']) {
      const network = new Network(server(homeAssistant));
      const { info } = await network.run(() => network.open(`${URL}?pointer=/state&unit=W${query}`));
      paths.push(passportPath(info));
    }
    expect(new Set(paths).size).toBe(3);
    expect(paths[3]).toBe(paths[1]);
  });

  it('is the same meter for another user, and with another token in its query', async () => {
    const identities: unknown[] = [];
    for (const token of ['one', 'two']) {
      process.env.XDG_STATE_HOME = mkdtempSync(join(folder, 'user-'));
      const network = new Network(server(homeAssistant));
      const { info } = await network.run(() =>
        network.open(`${URL}?pointer=/state&unit=W&query=id%3D1%26token%3D${token}`),
      );
      identities.push(info.identity);
    }
    process.env.XDG_STATE_HOME = folder;
    expect(identities[1]).toEqual(identities[0]);
  });

  it.each([
    ['', { channel: 'http-json' }, true],
    ['&part=machine', { channel: 'wall', part: 'machine' }, false],
    ['&part=dram', { channel: 'dram', part: 'dram' }, false],
  ])('meters what its owner says: %j', async (option, channel, asks) => {
    const network = new Network(server(homeAssistant));
    const { info } = await network.run(() => network.open(`${URL}?pointer=/state&unit=W${option}`));
    expect(info.channels).toEqual([expect.objectContaining(channel)]);
    expect('part' in (info.channels[0] ?? {})).toBe(!asks);
    expect(info.remarks.some((remark) => remark.includes('part=machine'))).toBe(asks);
  });

  it.each<[string, Tell, string, string]>([
    ['the wrong place', homeAssistant, '?pointer=/stat&unit=W', 'its answer has nothing at /stat'],
    [
      'no number',
      () => ({ state: 'unavailable' }),
      '?pointer=/state&unit=W',
      'its answer is not a number: "\\"unavailable\\""',
    ],
    ['an inherited key', () => ({}), '?pointer=/constructor&unit=W', 'its answer has nothing at /constructor'],
  ])('refuses %s', async (_, tell, options, reported) => {
    const network = new Network(server(tell));
    const error = await network.run(() => rejection(network.open(`${URL}${options}`)));
    expect(error.message).toBe(`No power can be read from http://${DEVICE}/api/states/sensor.plug_power: ${reported}.`);
  });

  it.each([
    [
      'http-json:plug.lan',
      'The meter "http-json:plug.lan" needs an http or https address without a user and without #.',
    ],
    [
      'http-json:file:///etc/passwd?unit=W',
      'The meter "http-json:file:///etc/passwd?unit=W" needs an http or https address without a user and without #.',
    ],
    [
      'http-json:http://a:b@plug/?unit=W',
      'The meter "http-json:http://a:b@plug/?unit=W" needs an http or https address without a user and without #.',
    ],
    [
      'http-json:http://:b@plug/?unit=W',
      'The meter "http-json:http://:b@plug/?unit=W" needs an http or https address without a user and without #.',
    ],
    [
      'http-json:http://plug/?unit=W&part=all',
      'The option part=all in the meter name "http-json:http://plug/?unit=W&part=all" is not possible.',
    ],
    ['http-json:http://plug/', 'The meter "http-json:http://plug/" does not say the unit of its number.'],
    [
      'http-json:http://plug/?unit=w',
      'The option unit=w in the meter name "http-json:http://plug/?unit=w" is not possible.',
    ],
    [
      'http-json:http://plug/?unit=W&pointer=state',
      'The option pointer=state in the meter name "http-json:http://plug/?unit=W&pointer=state" is not a JSON pointer.',
    ],
    [
      'http-json:http://plug/?unit=W&fingerprint=00',
      'The option fingerprint in the meter name "http-json:http://plug/?unit=W&fingerprint=00" is not possible.',
    ],
    [
      'http-json:http://plug/?unit=W&source=guessed',
      'The option source=guessed in the meter name "http-json:http://plug/?unit=W&source=guessed" is not possible.',
    ],
  ])('refuses the name %s', async (name, reported) => {
    const network = new Network(server(homeAssistant));
    expect((await network.run(() => rejection(network.open(name)))).message).toBe(reported);
  });

  it('goes on through faults on the wire, and is lost when they last', async () => {
    const reported: Tell = (w) => ({ apower: w });
    const network = new Network(server(reported));
    await survivesFaults(network, `${URL}?pointer=/apower&unit=W`);
  });

  it('has a gap where a counter falls', async () => {
    let resetJ = 0;
    const network = new Network(server((_w, j) => j - resetJ));
    await network.run(async () => {
      const meter = await network.open(`${URL}?unit=J`);
      await meter.start(network.collected);
      await network.wait(5000);
      resetJ = network.collected.energyJ('http-json');
      await network.wait(5000);
      await meter.stop();
    });
    expect(network.collected.events.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^The meter gave no reading: its energy fell from [\d.]+ J to [\d.]+ J\.$/),
    ]);
    expect(network.collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.01)).toBe(true);
  });
});
