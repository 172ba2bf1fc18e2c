// Class: system.
import { describe, expect, it } from '@jest/globals';
import { PASSWORD, RedfishEmulator, type RedfishTraits, USER } from '../../../src/meters/redfish/emulator.ts';
import { identityOf } from '../../../src/meters/registry.ts';
import { rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { DEVICE, Network } from '../network/runs.ts';

process.env.JOULEDIFF_TEST_PDU = PASSWORD;
const named = (place: string) => `redfish:${DEVICE}${place}?user=${USER}&password-env=JOULEDIFF_TEST_PDU`;
const NAME = named('/1/A1');

function pdu(traits: RedfishTraits = {}, load: ConstructorParameters<typeof Network>[1] = {}) {
  let emulator: RedfishEmulator | undefined;
  const network = new Network((settings) => {
    emulator = new RedfishEmulator(settings, { pdu: true, ...traits });
    return emulator;
  }, load);
  return { network, emulator: emulator as RedfishEmulator };
}

/** Everything that may be sent: no outlet can be switched by it. */
const ASKED =
  /^(?:\/redfish\/v1\/(?:PowerEquipment\/RackPDUs(?:\/1(?:\/Outlets(?:\/A1)?|\/Sensors\/PowerA1)?)?)?|(?:POST|DELETE) \/redfish\/v1\/SessionService\/Sessions(?:\/\d+)?)$/;

describe('redfish, an outlet', () => {
  it.each<[string, RedfishTraits, number]>([
    ['renewed every second, with its time', { lagS: 1 }, 60],
    ['renewed every 3 s, with its time', { lagS: 3 }, 60],
    ['renewed every 10 s, with its time', { lagS: 10 }, 200],
    ['renewed every 3 s, which its sensor tells', { lagS: 3, timing: 'SensingInterval' }, 60],
    ['renewed every 5 s, of which nothing tells', { lagS: 5, timing: 'nothing' }, 200],
    ['a link to its sensor', { lagS: 3, linked: true }, 60],
  ])('measures the true energy of 200 runs: %s', async (_, traits, seconds) => {
    const { network, emulator } = pdu(traits, { idleW: 200, loadW: 400, noiseW: 2 });
    await measuresTheTruth(network, NAME, 0.02, { seconds });
    expect(emulator.harmed).toBe(0);
    expect([emulator.opened, emulator.sessions]).toEqual([1, 0]);
    for (const path of new Set(network.device.asked)) expect(path).toMatch(ASKED);
  });

  it('tells which outlet of which PDU it is, and keeps the energy counter beside the power', async () => {
    const { network } = pdu({ lagS: 3 });
    const { collected } = network;
    const { info } = await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 5);
      await meter.stop();
      return meter;
    });
    expect(info).toMatchObject({
      type: 'redfish',
      address: `${DEVICE}/1/A1`,
      source: 'emulated',
      identity: { pdu: '1', outlet: 'A1', model: 'Contoso ZAP4000', serial: '29347ZT536', voltageV: 230.5 },
      accuracy: { gainPercent: 1, offsetW: 0 },
      channels: [{ channel: 'wall', part: 'machine', samplingPeriodS: 3, quantities: [{ name: 'EnergykWh' }] }],
    });
    expect(collected.samples.map(({ powerW }) => powerW)).toEqual(collected.samples.map(() => 40));
    expect(collected.samples.at(-1)?.reported?.values[0]).toBeCloseTo(36_166, 0);
    const { currentA: _, ...others } = info.identity;
    // Voltage and current are of the moment, and tell nothing of which meter it is.
    expect(identityOf({ ...info, identity: { ...others, voltageV: 229.9, currentA: 3 } })).toBe(identityOf(info));
    expect(identityOf({ ...info, identity: { ...others, outlet: 'A2' } })).not.toBe(identityOf(info));
    expect(JSON.stringify([info, collected.samples.map(String), collected.events.map(String)])).not.toContain(PASSWORD);
  });

  it.each([
    ['/2/A1', 'This controller has no PDU 2; it has 1.'],
    ['/1/B7', 'The PDU 1 has no outlet B7; it has A1 and A2.'],
    ['/1/..', 'The PDU 1 has no outlet ..; it has A1 and A2.'],
    ['/1', `The meter "${named('/1')}" names neither a server nor an outlet.`],
    ['/1/A1/x', `The meter "${named('/1/A1/x')}" names neither a server nor an outlet.`],
  ])('refuses %s, and tells what there is', async (place, reported) => {
    const { network, emulator } = pdu();
    const error = await network.run(() => rejection(network.open(named(place))));
    expect(error).toMatchObject({ name: 'InputError', message: reported });
    expect(`${error.message} ${error.advice}`).not.toContain(PASSWORD);
    expect(emulator.sessions).toBe(0);
  });

  it('has gaps where the outlet is switched off or its reading stands still, and refuses one that is off', async () => {
    const { network, emulator } = pdu();
    const { collected } = network;
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 2);
      emulator.powerState = 'Off';
      await collected.until(({ events }) => events.length > 0);
      expect(collected.events[0]).toMatchObject({ kind: 'gap' });
      expect(collected.events[0]?.detail).toMatch(/the outlet has been switched off\.$/);
      emulator.powerState = 'On';
      const { length } = collected.samples;
      await collected.until(({ samples }) => samples.length > length);
      emulator.frozenNs = network.host.clock.nowNs();
      await collected.until(({ events }) =>
        events.some(({ detail }) => /its reading has been the same one for \d s\.$/.test(detail)),
      );
      await meter.stop();
      emulator.frozenNs = null;
      emulator.powerState = 'Off';
      expect((await rejection(network.open(NAME))).message).toBe(
        'The outlet A1 is switched off: what is plugged in there has no power.',
      );
    });
    expect([emulator.harmed, emulator.sessions]).toEqual([0, 0]);
  });

  it.each([1, 1.003, 0.998])('has the same rate and guard whenever it is opened: renewed every %d s', async (lagS) => {
    const { network } = pdu({ lagS });
    await network.run(async () => {
      for (let i = 0; i < 40; i++) {
        const { info, stop } = await network
          .open(NAME)
          .then((meter) => ({ info: meter.info, stop: () => meter.stop() }));
        await stop();
        expect([info.minimumGuardS, info.channels[0]?.samplingPeriodS]).toEqual([4, 1]);
        await network.wait(37);
      }
    });
  });

  it('takes no reading twice where its sensor tells no time any more', async () => {
    let isTimed = true;
    const network = new Network((settings) => {
      const emulator = new RedfishEmulator(settings, { pdu: true });
      return {
        delayMs: () => emulator.delayMs(),
        answer: (question, nowNs) => {
          const answer = emulator.answer(question, nowNs);
          return isTimed ? answer : { ...answer, body: answer.body.replace(/,"ReadingTime":"[^"]*"/, '') };
        },
      };
    });
    const { collected } = network;
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 3);
      isTimed = false;
      const { length } = collected.samples;
      await collected.until(({ events, samples }) => events.length > 0 || samples.length > length + 1);
      await meter.stop();
      expect(collected.samples.length).toBeLessThanOrEqual(length + 1);
    });
    expect(collected.events[0]?.detail).toContain('its reading has been the same one for');
  });

  it('gives up where another PDU answers at its address', async () => {
    const { network, emulator } = pdu();
    const { collected, device } = network;
    await network.run(async () => {
      const meter = await network.open(NAME);
      await meter.start(collected);
      emulator.serial = 'another';
      device.fail({ fault: 'the connection broke off', afterMs: 3 });
      await collected.until(({ lostWith }) => lostWith.length > 0);
      await meter.stop();
    });
    expect(collected.lostWith[0]?.message).toBe(
      'Another device answers at its address: "another, outlet A1" instead of "29347ZT536, outlet A1".',
    );
  });

  it('ends its session where the outlet reports no power', async () => {
    const { network, emulator } = pdu({ blank: true });
    expect((await network.run(() => rejection(network.open(NAME)))).message).toBe(
      `No power can be read from the controller at ${DEVICE}/1/A1: the outlet reports no power.`,
    );
    expect(emulator.sessions).toBe(0);
  });
});
