// Class: world.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeviceAnswer, DeviceQuestion } from '../../../src/meters/emulator/http-device.ts';
import { identityOf } from '../../../src/meters/registry.ts';
import { PASSWORD, TapoEmulator, type TapoTraits, USER } from '../../../src/meters/tp-link/tapo-emulator.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { DEVICE, Network } from '../network/runs.ts';
import { missesNoOther, onTheWay, type Spoilt } from './spoilt.ts';

const [ONE, OTHER] = ['JOULEDIFF_TEST_TAPO_USER', 'JOULEDIFF_TEST_TAPO_PASSWORD'];
const NAME = `tapo:${DEVICE}?user-env=${ONE}&password-env=${OTHER}`;

beforeAll(() => {
  Object.assign(process.env, { [ONE]: USER, [OTHER]: PASSWORD });
});
afterAll(() => {
  for (const name of [ONE, OTHER]) delete process.env[name];
});

/** One whose next answers the test spoils, and in whose place its owner may put another. */
class Played extends TapoEmulator {
  /** What it says inside of the encryption, and how that goes over the network. */
  says: string | null = null;
  spoil: ((answer: DeviceAnswer) => DeviceAnswer) | null = null;
  stranger: TapoEmulator | null = null;

  override say(method: string, nowNs: bigint): string {
    const { says } = this;
    this.says = null;
    return says ?? super.say(method, nowNs);
  }

  override answer(question: DeviceQuestion, nowNs: bigint): DeviceAnswer {
    const { spoil } = this;
    this.spoil = null;
    const answer = this.stranger?.answer(question, nowNs) ?? super.answer(question, nowNs);
    return spoil === null ? answer : spoil(answer);
  }
}

function plug(traits: TapoTraits = {}, load: ConstructorParameters<typeof Network>[1] = {}) {
  let emulator: Played | undefined;
  const network = new Network((settings) => {
    emulator = new Played(settings, traits);
    return emulator;
  }, load);
  return { network, emulator: emulator as Played };
}

describe('tapo', () => {
  it.each<[string, TapoTraits, number, readonly string[]]>([
    ['by milliwatts', {}, 0.02, ['get_device_info', 'get_emeter_data']],
    [
      'by the milliwatts of older firmware',
      { answers: ['get_energy_usage'] },
      0.02,
      ['get_device_info', 'get_emeter_data', 'get_energy_usage'],
    ],
    [
      'by whole watts',
      { answers: ['get_current_power'] },
      0.03,
      ['get_device_info', 'get_emeter_data', 'get_energy_usage', 'get_current_power'],
    ],
  ])('measures the true energy, and only reads: %s', async (_, traits, within, methods) => {
    const { network, emulator } = plug(traits, { noiseW: 0.4 });
    await measuresTheTruth(network, NAME, within);
    expect([emulator.harmed, emulator.opened]).toEqual([0, 1]);
    expect([...emulator.asked]).toEqual(methods);
    for (const path of new Set(network.device.asked)) {
      expect(path).toMatch(/^POST \/app\/(?:handshake[12]|request\?seq=-?\d+)$/);
    }
  });

  it.each<[string, TapoTraits, object, RegExp]>([
    ['in milliwatts', {}, { resolutionW: 0.001, quantities: [{ name: 'energy_wh', unit: 'Wh', role: 'beside' }] }, /^/],
    ['in whole watts', { answers: ['get_current_power'] }, { resolutionW: 1 }, /This plug reports whole watts only/],
  ])('tells what it is: one that answers %s', async (_, traits, channel, reported) => {
    const { network } = plug(traits);
    const { info } = await network.run(() => network.open(NAME));
    expect(info).toMatchObject({
      type: 'tapo',
      address: DEVICE,
      source: 'emulated',
      identity: { model: 'P110', id: '8022AAAAAAAA', mac: '9C-53-22-AA-BB-CC' },
      accuracy: null,
      channels: [{ channel: 'wall', part: 'machine', samplingPeriodS: 1, ...channel }],
    });
    expect(info.remarks.join(' ')).toMatch(reported);
    expect(JSON.stringify(info)).not.toMatch(new RegExp(`${USER}|${PASSWORD}`));
  });

  it('is known again by its own id, whatever session it is read in', async () => {
    const opened = async (traits: TapoTraits) => {
      const { network } = plug(traits);
      return identityOf((await network.run(() => network.open(NAME))).info);
    };
    expect(await opened({ timeoutS: 60 })).toBe(await opened({}));
    expect(await opened({ id: '8022BBBBBBBB' })).not.toBe(await opened({}));
  });

  it.each<[string, TapoTraits, number]>([
    ['renews a session before its time is over', { timeoutS: 100, endsAfterS: 100 }, 12],
    ['opens a new one where the plug has ended it before', { timeoutS: 86_400, endsAfterS: 100 }, 10],
  ])('%s, and misses nothing', async (_, traits, sessions) => {
    const { network, emulator } = plug(traits);
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(network.collected);
      await network.wait(1_000_000);
      await meter.stop();
    });
    expect(network.collected.events).toEqual([]);
    expect(network.collected.samples.length).toBeGreaterThan(990);
    expect(Math.abs(emulator.opened - sessions)).toBeLessThanOrEqual(1);
  });

  it('goes on through faults on the wire', async () => {
    const { network, emulator } = plug();
    const spoil = (change: (bytes: Buffer) => Buffer) => () => {
      emulator.spoil = (answer) => ({
        ...answer,
        body: change(Buffer.from(answer.body, 'latin1')).toString('latin1'),
      });
    };
    const flip = (at: number) =>
      spoil((bytes) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))));
    const say = (text: string) => () => {
      emulator.says = text;
    };
    const reading = (fields: string) => say(`{"error_code":0,"result":{${fields}}}`);
    let earlier = '';
    const UNSIGNED = /its answer is not signed for this session\.$/;
    const faults: Spoilt[] = [
      ...onTheWay(() => network.device),
      [spoil((bytes) => bytes.subarray(0, 40)), UNSIGNED],
      [spoil(() => Buffer.alloc(0)), UNSIGNED],
      [spoil(() => Buffer.from('{"error_code":1003}')), UNSIGNED],
      [flip(3), UNSIGNED],
      [flip(40), UNSIGNED],
      [
        () => {
          emulator.spoil = (answer) => {
            earlier = answer.body;
            return answer;
          };
        },
        null,
      ],
      [spoil(() => Buffer.from(earlier, 'latin1')), UNSIGNED],
      [() => network.device.fail({ status: 500, body: 'busy' }), /it answers with HTTP 500\.$/],
      [() => network.device.fail({ status: 403, body: '' }), null],
      [say('{"error_code":9999}'), null],
      [
        () =>
          network.device.fail(
            { status: 403, body: '' },
            { status: 200, headers: { 'set-cookie': 'TP_SESSIONID=A' }, body: 'x'.repeat(48) },
          ),
        /it refuses this user and password\.$/,
      ],
      [
        () => network.device.fail({ status: 403, body: '' }, { status: 200, body: 'x'.repeat(48) }),
        /its answer is not that of a Tapo plug\.$/,
      ],
      [() => network.device.fail({ status: 403, body: '' }, { status: 403, body: '' }), /it refuses programs other/],
      [say('\x07\x1b[2J'), /its answer is not JSON: "\\u0007\\u001b\[2J"\.$/],
      [say('{"result":{"power_mw":40000}}'), /its answer is not as expected at error_code/],
      [say('{"error_code":-1001}'), /it answers with the error -1001\.$/],
      [reading(''), /it reports no power\.$/],
      [reading('"power_mw":-40000'), /it reports -40 W\.$/],
      [reading('"power_mw":1e300'), /it reports 1e\+297 W\.$/],
      [reading('"power_mw":"NaN"'), /its answer is not as expected at result\.power_mw/],
      [reading('"power_mw":NaN'), /its answer is not JSON/],
    ];
    await missesNoOther(network, NAME, faults);
    expect(emulator.harmed).toBe(0);
  });

  it('is lost when another plug of the same account has got its address', async () => {
    const { network, emulator } = plug();
    const { collected } = network;
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 2);
      emulator.stranger = new TapoEmulator({ ...network.settings, energyJ: () => 70 }, { id: '8022BBBBBBBB' });
      await collected.until(({ lostWith }) => lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.lostWith[0]?.message).toBe(
      'Another device answers at its address: "8022BBBBBBBB" instead of "8022AAAAAAAA".',
    );
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.001)).toBe(true);
  });

  it.each<[string, TapoTraits, string]>([
    ['of another account', { password: 'other' }, 'it refuses this user and password'],
    ['of another user', { user: 'User@emulator.example' }, 'it refuses this user and password'],
    ['that is locked', { isLocked: true }, 'it refuses programs other than its app (HTTP 403)'],
    ['without a meter', { answers: [] }, 'it has no power meter'],
    ['of several outlets', { isStrip: true }, 'it is no plug with a single outlet'],
  ])('refuses a plug %s', async (_, traits, why) => {
    const { network } = plug(traits);
    const error = await network.run(() => rejection(network.open(NAME)));
    expect(error.message).toBe(`No Tapo plug can be read at plug.lan: ${why}.`);
    expect(error.advice).toContain('Third-Party Compatibility');
  });

  it('refuses a plug that is switched off', async () => {
    const { network } = plug({ isOn: false });
    const error = await network.run(() => rejection(network.open(NAME)));
    expect(error.message).toBe('The plug is switched off: the machine on it has no power.');
  });

  it.each([
    ['tapo:plug', 'The meter "tapo:plug" does not say where its account is.'],
    [`tapo:plug?user-env=${ONE}`, `The meter "tapo:plug?user-env=${ONE}" does not say where its account is.`],
    ['tapo:plug?user=a&password=b', 'The meter type tapo has no option "user" (in "tapo:plug?user=a&password=b").'],
    [
      `tapo:plug?user-env=${ONE}&password-env=GITHUB_TOKEN`,
      `The variable GITHUB_TOKEN in the meter name "tapo:plug?user-env=${ONE}&password-env=GITHUB_TOKEN" belongs to the runner.`,
    ],
    [
      `tapo:plug?user-env=NO_SUCH_ONE&password-env=${OTHER}`,
      'The environment variable NO_SUCH_ONE, which the meter "tapo" takes its secret from, is not set.',
    ],
  ])('refuses the name %s', async (name, reported) => {
    const { network } = plug();
    expect((await network.run(() => rejection(network.open(name)))).message).toBe(reported);
  });
});
