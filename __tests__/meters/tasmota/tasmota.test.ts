// Class: system.
import { describe, expect, it } from '@jest/globals';
import { TasmotaEmulator, type TasmotaTraits } from '../../../src/meters/tasmota/emulator.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth, survivesFaults } from '../network/driver.ts';
import { DEVICE, Network } from '../network/runs.ts';

const NAME = `tasmota:${DEVICE}`;

function plug(traits: TasmotaTraits = {}, load: ConstructorParameters<typeof Network>[1] = {}) {
  let emulator: TasmotaEmulator | undefined;
  const network = new Network((settings) => {
    emulator = new TasmotaEmulator(settings, traits);
    return emulator;
  }, load);
  return { network, emulator: emulator as TasmotaEmulator };
}

describe('tasmota', () => {
  it.each<[string, TasmotaTraits]>([
    ['tenths of a watt', { decimals: 1 }],
    ['whole watts', { decimals: 0 }],
  ])('measures the true energy in %s, and only reads', async (_, traits) => {
    const { network, emulator } = plug(traits, { noiseW: 0.4 });
    await measuresTheTruth(network, NAME, 0.03);
    expect(emulator.harmed).toBe(0);
    for (const path of network.device.asked) expect(path).toMatch(/^\/cm\?cmnd=(?:Status%20(?:2|5|10)|Power|WattRes)$/);
  });

  it('tells what it is, and what its owner can do about it', async () => {
    const { network } = plug({ decimals: 0, channels: 2 });
    const { info } = await network.run(() => network.open(`${NAME}?channel=2`));
    expect(info).toMatchObject({
      source: 'emulated',
      identity: { firmware: '15.5.0(release-tasmota)', hardware: 'ESP8285N08', mac: '5C:CF:7F:AA:BB:CC', channel: 2 },
      accuracy: null,
      channels: [{ channel: 'wall', part: 'machine', resolutionW: 1 }],
    });
    expect(info.remarks.join(' ')).toMatch(/`WattRes 1` .* Anybody on the network can switch this plug off/);
  });

  it('gives its password, and keeps it to itself', async () => {
    process.env.JOULEDIFF_TEST_PASSWORD = 'a&b=c %';
    const { network } = plug({ password: 'a&b=c %' });
    const meter = await network.run(() => network.open(`${NAME}?password-env=JOULEDIFF_TEST_PASSWORD`));
    expect(JSON.stringify(meter.info)).not.toContain('a&b');
    const error = await network.run(() => rejection(network.open(NAME)));
    expect(error.message).toBe('No Tasmota plug can be read at plug.lan: it asks for a password.');
  });

  it.each<[string, TasmotaTraits, string, string]>([
    ['switched off', { on: false }, NAME, 'The plug is switched off: the machine on it has no power.'],
    ['without a meter', { meter: false }, NAME, 'No Tasmota plug can be read at plug.lan: it has no power meter.'],
    ['one of several', { channels: 3 }, NAME, 'This plug has channels 1 to 3.'],
    ['a channel that is not there', {}, `${NAME}?channel=2`, 'This plug has one channel.'],
  ])('refuses a plug that is %s', async (_, traits, name, reported) => {
    const { network } = plug(traits);
    expect((await network.run(() => rejection(network.open(name)))).message).toBe(reported);
  });

  it('goes on through faults on the wire, and is lost when they last', async () => {
    await survivesFaults(plug().network, NAME);
  });
});
