// Class: system.
import { describe, expect, it } from '@jest/globals';
import { PASSWORD, RedfishEmulator, type RedfishTraits, USER } from '../../../src/meters/redfish/emulator.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { DEVICE, Network } from '../network/runs.ts';

process.env.JOULEDIFF_TEST_BMC = PASSWORD;
const NAME = `redfish:${DEVICE}?user=${USER}&password-env=JOULEDIFF_TEST_BMC`;

function controller(traits: RedfishTraits = {}, load: ConstructorParameters<typeof Network>[1] = {}) {
  let emulator: RedfishEmulator | undefined;
  const network = new Network((settings) => {
    emulator = new RedfishEmulator(settings, traits);
    return emulator;
  }, load);
  return { network, emulator: emulator as RedfishEmulator };
}

const ASKED =
  /^(?:\/redfish\/v1\/|(?:POST )?\/redfish\/v1\/SessionService\/Sessions|DELETE \/redfish\/v1\/SessionService\/Sessions\/\d+|\/redfish\/v1\/Chassis(?:\/1(?:\/(?:EnvironmentMetrics|Sensors\/total_power|PowerSubsystem(?:\/PowerSupplies(?:\/\d(?:\/Metrics)?)?)?|Power))?)?)$/;

describe('redfish', () => {
  it.each<[string, RedfishTraits, number]>([
    ['the newest resource, renewed every second', {}, 0.03],
    ['two supplies, renewed every ten seconds', { form: 'PowerSubsystem', lagS: 10 }, 0.03],
    ['the oldest resource, renewed once a minute', { form: 'Power', lagS: 60 }, 0.03],
  ])('measures the true energy of runs of ten minutes by %s, and ends its session', async (_, traits, within) => {
    const { network, emulator } = controller(traits, {
      idleW: 200,
      loadW: 400,
      noiseW: traits.lagS === undefined ? 2 : 0,
    });
    await measuresTheTruth(network, NAME, within, { seconds: 600 });
    expect(emulator.harmed).toBe(0);
    expect([emulator.opened, emulator.sessions]).toEqual([1, 0]);
    for (const path of new Set(network.device.asked)) expect(path).toMatch(ASKED);
  });

  it('tells what it is, and how coarse', async () => {
    const { network } = controller({ lagS: 30, vendor: 'OpenBMC\x1b[31m' });
    const { info } = await network.run(() => network.open(NAME));
    expect(info).toMatchObject({
      type: 'redfish',
      address: `${DEVICE}`,
      source: 'emulated',
      identity: { vendor: 'OpenBMC [31m', redfish: '1.17.0', chassis: '1', model: 'ACME S1', serial: 'SN1' },
      accuracy: { gainPercent: 2, offsetW: 0 },
      minimumGuardS: 50,
      channels: [{ channel: 'wall', part: 'machine', samplingPeriodS: 20, resolutionW: 1 }],
    });
    expect(info.remarks[0]).toMatch(/^It averages over 30 s: this meter is for runs of ten minutes and more/);
    expect(JSON.stringify(info)).not.toContain('p4ss');
  });

  it('waits a minute where nothing tells how old a value is', async () => {
    const { network } = controller({ sensor: false });
    const { info } = await network.run(() => network.open(NAME));
    expect([info.minimumGuardS, info.accuracy]).toEqual([80, null]);
  });

  it('opens a new session where its own has expired in the middle, and ends that one', async () => {
    const { network, emulator } = controller({ sessionUses: 20 });
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(network.collected);
      await network.wait(400_000);
      await meter.stop();
      await meter.stop();
    });
    expect(network.collected.events).toEqual([]);
    expect(emulator.opened).toBeGreaterThan(3);
    expect(emulator.sessions).toBe(0);
  });

  it('goes on through faults on the wire, and is lost when they last', async () => {
    const { network, emulator } = controller();
    const { device, collected } = network;
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(collected);
      for (const [fault, reported] of [
        [{ status: 503, body: 'busy' }, /it answers with HTTP 503\.$/],
        [{ status: 403, body: '{}' }, /it refuses \(HTTP 403\)\.$/],
        [{ status: 200, body: '{"PowerWatts":{"Rea' }, /its answer is not JSON/],
        [{ status: 200, body: '{"PowerWatts":{"Reading":null}}' }, /it reports no power at the moment\.$/],
        [{ status: 200, body: '{"PowerWatts":{"Reading":-1}}' }, /it reports -1 W\.$/],
        [{ status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }, /it points elsewhere/],
        [{ fault: 'nothing came within 4 s', afterMs: 4000 }, /nothing came within 4 s\.$/],
      ] as const) {
        device.fail(fault);
        await collected.until(({ events }) =>
          events.some(({ kind, detail }) => kind === 'gap' && reported.test(detail)),
        );
        const before = collected.samples.length;
        await collected.until(({ samples }) => samples.length >= before + 2);
      }
      expect(collected.lostWith).toEqual([]);
      expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);
      device.silent = true;
      await collected.until(({ lostWith }) => lostWith.length > 0);
      expect(collected.lostWith[0]?.message).toBe('The meter has given no reading for 20 s: nothing came within 4 s.');
      await meter.stop();
    });
    expect(emulator.harmed).toBe(0);
  });

  it.each([
    ['server', NAME, false, '"another" instead of "SN1"'],
    ['PDU', NAME.replace('?', '/1/A1?'), true, '"another, outlet A1" instead of "29347ZT536, outlet A1"'],
  ])('gives up where another %s has taken over its address, which takes the same password', async (_, name, pdu, which) => {
    let answering: RedfishEmulator | undefined;
    let another: RedfishEmulator | undefined;
    const network = new Network((settings) => {
      const first = new RedfishEmulator(settings, { pdu });
      another = new RedfishEmulator(settings, { pdu });
      another.serial = 'another';
      answering = first;
      return {
        delayMs: () => first.delayMs(),
        answer: (question, nowNs) => (answering ?? first).answer(question, nowNs),
      };
    });
    const { collected } = network;
    await network.run(async () => {
      const meter = await network.open(name);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 2);
      answering = another;
      const { length } = collected.samples;
      await collected.until(({ lostWith, samples }) => lostWith.length > 0 || samples.length > length + 2);
      await meter.stop();
    });
    expect(collected.lostWith[0]?.message).toBe(`Another device answers at its address: ${which}.`);
  });

  it('ends its session where it can’t use what it finds', async () => {
    const { network, emulator } = controller({ blank: true });
    expect((await network.run(() => rejection(network.open(NAME)))).message).toBe(
      `No power can be read from the controller at ${DEVICE}: it reports no power.`,
    );
    expect([emulator.opened, emulator.sessions]).toEqual([1, 0]);
  });

  it.each<[string, RedfishTraits, string, string]>([
    ['of several', { chassis: ['1', '2'] }, NAME, 'Several chassis report their power: 1 and 2.'],
    ['that is not there', {}, `${NAME}&chassis=9`, 'This server has no chassis 9; it has 1.'],
    [
      'with a wrong password',
      {},
      NAME.replace('_BMC', '_WRONG'),
      `No power can be read from the controller at ${DEVICE}: it refuses the user "reader" (HTTP 401).`,
    ],
    ['without a user', {}, `redfish:${DEVICE}`, `The meter "redfish:${DEVICE}" does not say its user.`],
    [
      'without a password',
      {},
      `redfish:${DEVICE}?user=a`,
      `The meter "redfish:${DEVICE}?user=a" does not say where its password is.`,
    ],
  ])('refuses a chassis %s', async (_, traits, name, reported) => {
    process.env.JOULEDIFF_TEST_WRONG = 'wrong';
    const { network } = controller(traits);
    expect((await network.run(() => rejection(network.open(name)))).message).toBe(reported);
  });

  it('takes a named one of several', async () => {
    const { network } = controller({ chassis: ['1', '2'] });
    const { info } = await network.run(() => network.open(`${NAME}&chassis=2`));
    expect(info.identity).toMatchObject({ chassis: '2', serial: 'SN2' });
  });
});
